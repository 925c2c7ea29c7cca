# SPDX-License-Identifier: MIT
"""What comes in, what comes out."""
import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning
from sklearn.kernel_approximation import Nystroem

from conftest import learnable
from mugrad import BRClassifier, CAMELClassifier, CCClassifier, CLRClassifier, LLSFClassifier
from mugrad import LPClassifier, MGDClassifier, MGDRegressor, RAkELClassifier, metrics
from mugrad._files import CLASSIFIERS
from mugrad.model_selection import IterativeStratifiedKFold, ThresholdClassifier

KINDS = [sp.csr_matrix, sp.csc_matrix, sp.coo_matrix]
if hasattr(sp, "csr_array"):
    KINDS.append(sp.csr_array)


def objects(rows):
    array = np.empty(len(rows), dtype=object)
    array[:] = rows
    return array


@pytest.mark.parametrize("estimator", CLASSIFIERS)
def test_predictions_have_a_column_per_label(estimator, data):
    X, y = data
    fitted = estimator().fit(X, y)
    assert fitted.predict(X).shape == y.shape
    assert fitted.predict(X).dtype == y.dtype
    assert fitted.decision_function(X).shape == y.shape
    assert fitted.predict_top_k(X, 2).shape == (len(X), 2)
    assert fitted.predict_top_k(X, 99).shape == y.shape
    if hasattr(fitted, "predict_proba"):
        assert fitted.predict_proba(X).shape == y.shape
        np.testing.assert_array_equal(fitted.predict(X), fitted.predict_proba(X) >= 0.5)
    np.testing.assert_array_equal(fitted.predict(X), fitted.decision_function(X) >= 0)
    np.testing.assert_array_equal(
        fitted.predict_top_k(X, 1).ravel(), fitted.decision_function(X).argmax(axis=1)
    )


@pytest.mark.parametrize("kind", KINDS)
def test_predictions_are_sparse_when_y_was(kind, data):
    X, y = data
    dense = MGDClassifier().fit(X, y).predict(X)
    predicted = MGDClassifier().fit(X, kind(y)).predict(X)
    assert sp.issparse(predicted) and predicted.format == "csr"
    assert isinstance(predicted, sp.spmatrix) == isinstance(kind(y), sp.spmatrix)
    np.testing.assert_array_equal(predicted.toarray(), dense)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sparse_and_dense_features_of_any_kind_give_the_same_model(kind, dtype, data):
    X, y = data
    X = (X * (X > 3)).astype(dtype)
    dense = MGDClassifier(tol=1e-9, precision="double").fit(X, y)
    sparse = MGDClassifier(tol=1e-9, precision="double").fit(kind(X), y)
    np.testing.assert_allclose(
        sparse.decision_function(kind(X)), dense.decision_function(X), rtol=1e-6, atol=1e-7
    )


def test_unsorted_rows_with_duplicates_count_as_their_sum(data):
    X, y = data
    messy = sp.csr_matrix(
        (np.array([1.0, 2.0, 3.0]), np.array([4, 0, 4]), np.r_[0, np.full(len(X), 3)]),
        shape=X.shape,
    )
    before = messy.indices.copy()
    fitted = MGDClassifier().fit(messy, y)
    np.testing.assert_array_equal(messy.indices, before)
    np.testing.assert_array_equal(
        fitted.predict_proba(messy), fitted.predict_proba(sp.csr_matrix(messy.toarray()))
    )


def test_labels_may_be_dense_sparse_sets_lists_or_a_frame(data):
    X, y = data
    names = np.array(["a", "b", "c", "d", "e"])
    expected = MGDClassifier().fit(X, y).predict_proba(X)
    forms = {
        "list of lists": y.tolist(),
        "bool": y.astype(bool),
        "float": y.astype(np.float32),
        "sets": [set(names[row == 1]) for row in y],
        "lists of text": [list(names[row == 1]) for row in y],
        "frame": pd.DataFrame(y, columns=names),
        "nullable frame": pd.DataFrame(y, columns=names).astype("Int64"),
        "sets of numbers": [set(np.flatnonzero(row)) for row in y],
        "series of sets": pd.Series([set(names[row == 1]) for row in y]),
        "series of lists of text": pd.Series([list(names[row == 1]) for row in y]),
        "series of arrays of text": pd.Series([names[row == 1] for row in y]),
        "array of sets": objects([set(names[row == 1]) for row in y]),
        "array of lists of text": objects([list(names[row == 1]) for row in y]),
        "column of sets": pd.DataFrame({"labels": [set(names[row == 1]) for row in y]}),
        "numbers as objects": y.astype(object),
    }
    for form, labels in forms.items():
        fitted = MGDClassifier().fit(X, labels)
        np.testing.assert_array_equal(fitted.predict_proba(X), expected, err_msg=form)
    assert list(MGDClassifier().fit(X, forms["sets"]).label_names_) == list(names)
    assert list(MGDClassifier().fit(X, forms["frame"]).label_names_) == list(names)
    assert list(MGDClassifier().fit(X, y).label_names_) == ["0", "1", "2", "3", "4"]


def test_one_dimensional_classes_are_predicted_as_they_were_given():
    X, y = learnable(labels=2)
    words = np.array(["no", "yes"])[y[:, 0]]
    fitted = MGDClassifier().fit(X, words)
    assert list(fitted.classes_) == ["no", "yes"]
    assert fitted.decision_function(X).shape == (len(X),)
    np.testing.assert_allclose(fitted.predict_proba(X).sum(axis=1), 1)
    assert fitted.score(X, words) > 0.8
    many = y[:, 0] + 2 * y[:, 1]
    fitted = MGDClassifier().fit(X, many)
    assert fitted.predict_proba(X).shape == (len(X), 4)
    assert fitted.score(X, many) > 0.6


@pytest.mark.parametrize("classes", [["no", "yes"], ["a", "b", "c", "d"], [3, 4, 7, 9], ["0", "1"]])
def test_a_frame_of_one_column_may_hold_classes(classes):
    X, y = learnable(labels=2)
    given = np.array(classes)[(y[:, 0] + 2 * y[:, 1]) % len(classes)]
    frame = pd.DataFrame({"class": given})
    with pytest.warns(DataConversionWarning, match="column-vector"):
        fitted = MGDClassifier().fit(X, frame)
    np.testing.assert_array_equal(fitted.predict(X), MGDClassifier().fit(X, given).predict(X))
    assert fitted.score(X, frame) == fitted.score(X, given)


def test_a_frame_of_one_column_of_0_and_1_is_one_label():
    X, y = learnable(labels=1)
    fitted = MGDClassifier().fit(X, pd.DataFrame(y, columns=["only"]))
    assert fitted.predict(X).shape == (len(X), 1)
    assert list(fitted.label_names_) == ["only"]


def test_score_takes_label_sets(data):
    X, y = data
    fitted = MGDClassifier().fit(X, y)
    expected = fitted.score(X, y)
    names = np.array(["a", "b", "c", "d", "e"])
    sets = [set(names[row == 1]) for row in y]
    for labels in (sets, pd.Series(sets), [set(np.flatnonzero(row)) for row in y]):
        assert MGDClassifier().fit(X, labels).score(X, labels) == expected
    fitted = MGDClassifier().fit(X, sets)
    right = np.all(fitted.predict_indicator(X).toarray() == y, axis=1)
    sets[np.flatnonzero(right)[0]].add("never seen")
    assert fitted.score(X, sets) == pytest.approx((right.sum() - 1) / len(X))
    weights = np.arange(len(X))
    sets[np.flatnonzero(right)[0]].remove("never seen")
    assert fitted.score(X, sets, weights) == pytest.approx(np.average(right, weights=weights))


def test_what_is_missing_is_not_known_whatever_it_is_called():
    X, y = learnable()
    partly = y.astype(float)
    partly[::5, 1] = np.nan
    frame = pd.DataFrame(partly, columns=list("abcd"))
    forms = {
        "nullable numbers": frame.astype("Int64"),
        "nullable truth": frame.astype("Int64").astype("boolean"),
        "objects": frame.astype("Int64").to_numpy(dtype=object),
        "list": frame.astype("Int64").to_numpy(dtype=object).tolist(),
        "None": np.where(np.isnan(partly), None, partly),
    }
    assert forms["objects"][0, 1] is pd.NA
    expected = MGDClassifier().fit(X, partly).predict_proba(X)
    judged = dict(metrics.evaluate(partly, expected))
    splitter = IterativeStratifiedKFold(3, random_state=0)
    folds = [test.tolist() for _, test in splitter.split(X, partly)]
    tuned = ThresholdClassifier(MGDClassifier(), cv=3, random_state=0).fit(X, partly)
    for form, labels in forms.items():
        found = MGDClassifier().fit(X, labels).predict_proba(X)
        np.testing.assert_array_equal(found, expected, err_msg=form)
        assert dict(metrics.evaluate(labels, expected)) == judged, form
        assert [test.tolist() for _, test in splitter.split(X, labels)] == folds, form
        again = ThresholdClassifier(MGDClassifier(), cv=3, random_state=0).fit(X, labels)
        np.testing.assert_array_equal(again.thresholds_, tuned.thresholds_, err_msg=form)
    with pytest.raises(ValueError):
        MGDClassifier().fit(X, [*y[:-1, 0], pd.NA])  # a class there is for every example


def test_labels_that_are_not_known_are_left_out():
    X, y = learnable()
    partly = y.astype(float)
    partly[:200, 0] = np.nan
    fitted = BRClassifier(rho=0.01, scaling="none", tol=1e-10).fit(X, partly)
    # The loss is the mean over what is known, so that rho means the same.
    alone = BRClassifier(rho=0.01, scaling="none", tol=1e-10).fit(X[200:], y[200:, :1])
    assert fitted.predict(X).dtype == np.float64
    assert set(np.unique(fitted.predict(X))) == {0.0, 1.0}
    # Both are solved to a residual of 1e-10 of the first.
    np.testing.assert_allclose(fitted.coef_[0], alone.coef_[0], rtol=0, atol=1e-8)
    np.testing.assert_allclose(fitted.intercept_[0], alone.intercept_[0], rtol=0, atol=1e-8)
    sparse = sp.csr_matrix(np.where(np.isnan(partly), -1, partly))
    sparse.data[sparse.data == -1] = np.nan
    np.testing.assert_array_equal(
        BRClassifier(rho=0.01, scaling="none", tol=1e-10).fit(X, sparse).predict_proba(X),
        fitted.predict_proba(X),
    )


def test_label_of_one_class_is_predicted_so_with_a_warning(data):
    X, y = data
    y = y.copy()
    y[:, 0], y[:, 1] = 0, 1
    names = pd.DataFrame(y, columns=["never", "always", "c", "d", "e"])
    for estimator in CLASSIFIERS:
        with pytest.warns(UserWarning, match="never"):
            fitted = estimator().fit(X, names)
        assert not fitted.predict(X)[:, 0].any(), estimator
        assert fitted.predict(X)[:, 1].all(), estimator
        assert fitted.report_["constant_labels"] == [0, 1], estimator


def test_names_of_features_come_from_a_frame_and_are_checked(data):
    X, y = data
    frame = pd.DataFrame(X, columns=[f"f{k}" for k in range(X.shape[1])])
    fitted = MGDClassifier().fit(frame, y)
    assert list(fitted.feature_names_in_) == list(frame.columns)
    assert fitted.model_.feature_names == list(frame.columns)
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.predict(frame[frame.columns[::-1]])


@pytest.mark.parametrize("representation", ["zscore", "none", "unit", "tfidf", "unit-row"])
def test_coefficients_are_for_features_as_they_are(representation, data):
    X, y = data
    X = np.c_[X, np.full(len(X), 7.0)]  # a constant feature
    fitted = MGDClassifier(representation=representation, precision="double").fit(X, y)
    assert fitted.coef_.shape == (5, 21) and fitted.intercept_.shape == (5,)
    rows = X
    if representation in ("unit", "unit-row"):
        rows = X / np.linalg.norm(X, axis=1, keepdims=True)
    if representation == "tfidf":
        terms = np.log((1 + len(X)) / (1 + (X != 0).sum(axis=0))) + 1
        rows = X / np.linalg.norm(X * terms, axis=1, keepdims=True)
    np.testing.assert_allclose(
        rows @ fitted.coef_.T + fitted.intercept_, fitted.decision_function(X), atol=1e-9
    )


def test_gaussian_features_are_those_of_nystroem(data):
    """Up to a rotation, and a factor that balances the variances."""
    X, y = data
    fitted = BRClassifier(representation="gaussian", centres=30, random_state=3).fit(X, y)
    gaussian = fitted.model_.feature_transform["gaussian"]
    centres, decay = gaussian["centres"], gaussian["decay"]
    z = (X - X.mean(axis=0)) / X.std(axis=0)
    assert all(np.isclose(z, centre).all(axis=1).any() for centre in centres)
    k = np.exp(-decay * ((z[:, None] - centres) ** 2).sum(axis=2))
    ours = k @ gaussian["projection"]
    np.testing.assert_allclose(ours.var(axis=0).sum(), X.shape[1])
    nystroem = Nystroem(gamma=decay, n_components=len(centres)).fit(centres)
    theirs = nystroem.transform(z)
    theirs *= np.sqrt(X.shape[1] / theirs.var(axis=0).sum())
    # Ours adds 1e-6 to the diagonal of the similarities.
    np.testing.assert_allclose(ours @ ours.T, theirs @ theirs.T, rtol=1e-3, atol=1e-3)


def test_gaussian_features_have_weights_but_no_coefficients(data):
    X, y = data
    fitted = BRClassifier(representation="gaussian", width=0.3).fit(X, y)
    assert not hasattr(fitted, "coef_") and not hasattr(fitted, "intercept_")
    assert fitted.model_.weights.shape == (X.shape[1] + len(X), y.shape[1])
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict_proba(X), fitted.predict_proba(X))
    other = BRClassifier(representation="gaussian", centres=20, random_state=2).fit(X, y)
    same = BRClassifier(representation="gaussian", centres=20, random_state=2).fit(X, y)
    np.testing.assert_array_equal(other.predict_proba(X), same.predict_proba(X))


def test_gaussian_features_cannot_start_from_a_model(data):
    X, y = data
    classifier = BRClassifier(representation="gaussian", warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match="cannot start from a model"):
        classifier.fit(X, y)


def test_scaling_is_the_older_name_of_representation(data):
    X, y = data
    older = BRClassifier(scaling="unit-row").fit(X, y)
    newer = BRClassifier(representation="unit-row").fit(X, y)
    np.testing.assert_array_equal(older.coef_, newer.coef_)
    assert older.model_.options == newer.model_.options


def test_methods_without_linear_labels_have_no_coefficients(data):
    X, y = data
    for estimator in (CCClassifier, LPClassifier, CLRClassifier, CAMELClassifier):
        fitted = estimator().fit(X, y)
        assert not hasattr(fitted, "coef_")
        with pytest.raises(AttributeError, match="not linear in X"):
            fitted.intercept_


def test_probabilities_are_offered_where_scores_are_some():
    assert hasattr(MGDClassifier(), "predict_proba")
    assert not hasattr(MGDClassifier(loss="squared"), "predict_proba")
    assert hasattr(LPClassifier(), "predict_proba")
    assert not hasattr(LPClassifier(label_score="votes"), "predict_proba")
    assert not hasattr(CLRClassifier(), "predict_proba")
    assert not hasattr(LLSFClassifier(), "predict_proba")


def test_thresholds_decide_what_is_predicted(data):
    X, y = data
    fitted = MGDClassifier(threshold=0.3).fit(X, y)
    probabilities = fitted.predict_proba(X)
    np.testing.assert_array_equal(fitted.thresholds_, np.full(5, 0.3))
    np.testing.assert_array_equal(fitted.predict(X), probabilities >= 0.3)
    fitted.set_thresholds([0.1, 0.2, 0.3, 0.4, 0.5])
    np.testing.assert_array_equal(fitted.predict(X), probabilities >= fitted.thresholds_)
    with pytest.raises(ValueError, match="in \\[0, 1\\]"):
        fitted.set_thresholds(2)


def test_relations_say_which_labels_borrow_from_which(data):
    X, y = data
    relations = MGDClassifier().fit(X, y).label_relations_
    assert relations.shape == (5, 5)
    np.testing.assert_allclose(np.asarray(relations.sum(axis=1)).ravel(), 1)
    nobody = MGDClassifier(transfer="identity").fit(X, y).label_relations_
    np.testing.assert_array_equal(nobody.toarray(), np.eye(5))


def test_transfer_strengths_and_weights_of_positives_may_be_per_label(data):
    X, y = data
    same = MGDClassifier().fit(X, y).coef_
    matrix = MGDClassifier().fit(X, y).label_relations_
    for given in (matrix, matrix.toarray()):
        np.testing.assert_allclose(
            MGDClassifier(transfer=given, tol=1e-9).fit(X, y).coef_,
            MGDClassifier(tol=1e-9).fit(X, y).coef_,
            atol=1e-6,
        )
    np.testing.assert_allclose(
        MGDClassifier(sigma=[0.1] * 5, positive_weight=np.ones(5)).fit(X, y).coef_, same, atol=1e-3
    )
    other = MGDClassifier(sigma=[0, 0, 1, 1, 1]).fit(X, y).coef_
    assert not np.allclose(other, same, atol=1e-3)
    favoured = MGDClassifier(positive_weight=[50, 1, 1, 1, 1]).fit(X, y)
    assert favoured.predict(X)[:, 0].sum() > y[:, 0].sum()
    with pytest.raises(ValueError, match=r"5 labels; got an array of shape \(3,\)"):
        MGDClassifier(sigma=[0.1] * 3).fit(X, y)
    with pytest.raises(ValueError, match="sums to 5; expected 1"):
        MGDClassifier(transfer=np.ones((5, 5))).fit(X, y)


def test_training_that_ends_early_warns(data):
    X, y = data
    with pytest.warns(ConvergenceWarning, match="max_iter=1"):
        fitted = MGDClassifier(max_iter=1, tol=1e-9).fit(X, y)
    assert fitted.report_["stop"] == "iteration-limit"


def test_random_state_none_draws_anew_and_a_number_repeats(data):
    from mugrad import ECCClassifier

    X, y = data
    first = ECCClassifier(random_state=3, n_estimators=3).fit(X, y).predict_proba(X)
    again = ECCClassifier(random_state=3, n_estimators=3).fit(X, y).predict_proba(X)
    np.testing.assert_array_equal(first, again)
    state = np.random.RandomState(0)
    drawn = [
        ECCClassifier(random_state=state, n_estimators=3).fit(X, y).predict_proba(X)
        for _ in range(2)
    ]
    assert not np.array_equal(*drawn)


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_sparse_matrices_have_indices_of_32_or_64_bits(index, data):
    X, y = data
    expected = MGDClassifier().fit(sp.csr_matrix(X), y)

    def with_index(matrix):
        matrix = sp.csr_matrix(matrix)
        matrix.indices, matrix.indptr = matrix.indices.astype(index), matrix.indptr.astype(index)
        assert matrix.indices.dtype == index
        return matrix

    fitted = MGDClassifier().fit(with_index(X), with_index(y))
    assert fitted.model_.to_bytes() == expected.model_.to_bytes()
    assert np.array_equal(fitted.predict(with_index(X)).toarray(), expected.predict(X))
    relations = with_index(fitted.label_relations_)
    given = MGDClassifier(transfer=relations).fit(X, y)
    np.testing.assert_allclose(given.coef_, fitted.coef_, atol=1e-3)


@pytest.mark.parametrize("estimator", CLASSIFIERS)
def test_only_methods_in_which_labels_borrow_have_relations(estimator, data):
    fitted = estimator().fit(*data)
    assert hasattr(fitted, "label_relations_") == (estimator is MGDClassifier)


def test_targets_of_a_regressor_have_names_and_relations(data):
    X, y = data
    frame = pd.DataFrame(y.astype(float), columns=list("abcde"))
    fitted = MGDRegressor().fit(X, frame)
    assert list(fitted.target_names_) == list("abcde")
    assert list(MGDRegressor().fit(X, y).target_names_) == list("01234")
    assert fitted.target_relations_.shape == (5, 5)
    assert not hasattr(fitted, "label_names_") and not hasattr(fitted, "label_relations_")


def test_sets_of_no_fewer_than_all_labels_are_one_set_with_a_warning(data):
    X, y = data
    with pytest.warns(UserWarning, match="only 2 labels: sets of 3 contain all of them"):
        fitted = RAkELClassifier().fit(X, y[:, :2])
    powerset = LPClassifier().fit(X, y[:, :2])
    np.testing.assert_array_equal(fitted.predict_proba(X), powerset.predict_proba(X))
    assert fitted.model_.options["disjoint"] == "false"


def test_confidence_is_computed_without_a_copy_of_the_model(data):
    X, y = data
    fitted = MGDClassifier().fit(X, y)
    assert fitted.model_.has_linear_scores and fitted.model_.head["link"] == "logistic"
    proba = fitted.predict_proba(X)
    np.testing.assert_allclose(
        fitted.decision_function(X), np.log(proba / (1 - proba)), rtol=1e-9, atol=1e-9
    )
    chain = CCClassifier().fit(X, y)
    assert chain.model_.head_kind == "chains" and not chain.model_.has_linear_scores
    with pytest.raises(ValueError, match="'chains' have no linear scores"):
        chain.model_.linear_scores(np.ascontiguousarray(X))
