# SPDX-License-Identifier: MIT
"""Training further with new examples alone."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_classification, make_multilabel_classification
from sklearn.metrics import f1_score

import mugrad
from mugrad import BRClassifier, MGDClassifier


def problem(rows=1200, features=30, labels=6):
    """Correlated features, and labels that depend on them."""
    random = np.random.RandomState(3)
    X = random.randn(rows, 5) @ random.randn(5, features) + 0.5 * random.randn(rows, features)
    scores = X @ random.randn(features, labels)
    scores = 2 * scores / scores.std(axis=0) - 1
    return X, (random.rand(rows, labels) < 1 / (1 + np.exp(-scores))).astype(int)


@pytest.mark.parametrize("estimator", [BRClassifier, MGDClassifier])
def test_the_first_call_is_fit(estimator):
    X, y = problem()
    once = estimator().partial_fit(X, y)
    np.testing.assert_array_equal(once.coef_, estimator().fit(X, y).coef_)


@pytest.mark.parametrize("estimator", [BRClassifier, MGDClassifier])
@pytest.mark.parametrize("parts", [[900, 1000], list(range(300, 1001, 50))])
def test_many_calls_are_nearly_one_fit(estimator, parts):
    X, y = problem()
    further = estimator().partial_fit(X[: parts[0]], y[: parts[0]])
    for begin, end in zip(parts, parts[1:]):
        further.partial_fit(X[begin:end], y[begin:end])
    whole = estimator().fit(X[:1000], y[:1000])
    assert further.report_["rows"] == 1000
    assert further.report_["new_rows"] == parts[-1] - parts[-2]

    def f1(classifier):
        return f1_score(y[1000:], classifier.predict(X[1000:]), average="micro")

    assert f1(further) > f1(whole) - 0.01
    probabilities = further.predict_proba(X[1000:])
    assert np.abs(probabilities - whole.predict_proba(X[1000:])).mean() < 0.02


def test_result_does_not_depend_on_the_number_of_threads():
    X, y = problem()
    models = []
    for jobs in (1, 3):
        classifier = MGDClassifier(n_jobs=jobs).partial_fit(X[:900], y[:900])
        models.append(classifier.partial_fit(X[900:], y[900:]).model_.to_bytes())
    assert models[0] == models[1]


def test_label_of_no_set_keeps_its_weights_and_new_ones_follow():
    X, y = problem(rows=600, labels=3)
    names = np.array(["a", "b", "c"])
    sets = [set(names[row > 0]) for row in y]
    classifier = BRClassifier().partial_fit(X[:400], sets[:400])
    before = classifier.coef_.copy()
    later = [(row - {"c"}) | ({"aa"} if "b" in row else set()) for row in sets[400:]]
    classifier.partial_fit(X[400:], later)
    assert list(classifier.label_names_) == ["a", "b", "c", "aa"]
    assert list(classifier.classes_) == [0, 1, 2, 3]
    np.testing.assert_array_equal(classifier.coef_[2], before[2])
    assert np.abs(classifier.coef_[0] - before[0]).max() > 0
    predicted = classifier.predict(X)
    columns = classifier.predict_indicator(X).toarray()
    assert columns.shape == (600, 4) and columns[:, 3].any()
    assert predicted == [set(classifier.label_names_[row == 1]) for row in columns]
    # Declared to be there, it is absent from all of these sets.
    declared = BRClassifier().partial_fit(X[:400], sets[:400])
    declared.partial_fit(X[400:], later, classes=["c"])
    assert declared.intercept_[2] < classifier.intercept_[2]


def test_columns_of_zeros_are_negatives():
    X, y = problem(rows=600, labels=3)
    classifier = BRClassifier().partial_fit(X[:400], y[:400])
    before = classifier.predict_proba(X)[:, 1].mean()
    zeros = y[400:].copy()
    zeros[:, 1] = 0
    classifier.partial_fit(X[400:], zeros)
    assert classifier.predict_proba(X)[:, 1].mean() < before


def test_labels_of_a_table_are_matched_by_name():
    X, y = problem(rows=600, labels=3)
    first = pd.DataFrame(y[:400], columns=["a", "b", "c"])
    second = pd.DataFrame(y[400:], columns=["a", "b", "c"])
    ordered = BRClassifier().partial_fit(X[:400], first).partial_fit(X[400:], second)
    swapped = BRClassifier().partial_fit(X[:400], first)
    swapped.partial_fit(X[400:], second[["c", "a", "b"]])
    np.testing.assert_array_equal(ordered.coef_, swapped.coef_)


def test_classes_of_a_one_dimensional_y():
    X, y = make_classification(
        n_samples=600, n_classes=4, n_informative=8, n_features=12, random_state=0
    )
    text = np.array(["w", "x", "y", "z"])[y]
    few = text[:300] != "z"
    classifier = MGDClassifier().partial_fit(X[:300][few], text[:300][few], classes=list("wxyz"))
    classifier.partial_fit(X[300:], text[300:])
    assert list(classifier.classes_) == list("wxyz")
    assert classifier.score(X, text) > 0.6
    # Without them, later classes follow the first ones.
    late = text[:300] != "x"
    classifier = MGDClassifier().partial_fit(X[:300][late], text[:300][late])
    classifier.partial_fit(X[300:], text[300:])
    assert list(classifier.classes_) == list("wyzx")
    assert classifier.score(X, text) > 0.6


def test_third_class_after_two_is_refused():
    X, y = make_classification(n_samples=200, random_state=0)
    classifier = BRClassifier().partial_fit(X[:100], y[:100])
    classifier.partial_fit(X[100:], y[100:])
    assert classifier.score(X, y) > 0.8
    with pytest.raises(ValueError, match="training began with two classes"):
        classifier.partial_fit(X[:3], [0, 1, 2])
    assert classifier.score(X, y) > 0.8  # a failed call changes nothing


def test_loaded_model_is_continued(tmp_path):
    X, y = problem()
    MGDClassifier().partial_fit(X[:900], y[:900]).save(tmp_path / "kept.mugrad")
    MGDClassifier().fit(X[:900], y[:900]).save(tmp_path / "plain.mugrad")
    kept = mugrad.load(tmp_path / "kept.mugrad").partial_fit(X[900:], y[900:])
    direct = MGDClassifier().partial_fit(X[:900], y[:900]).partial_fit(X[900:], y[900:])
    np.testing.assert_array_equal(kept.coef_, direct.coef_)
    with pytest.warns(UserWarning, match="estimated from the 300 new rows"):
        plain = mugrad.load(tmp_path / "plain.mugrad").partial_fit(X[900:], y[900:])
    assert np.abs(plain.predict_proba(X) - kept.predict_proba(X)).mean() < 0.05


def test_other_parameters_than_those_of_the_model_are_refused():
    X, y = make_multilabel_classification(random_state=1)
    classifier = MGDClassifier().partial_fit(X, y)
    with pytest.raises(ValueError, match="the model was trained with rho 0.01"):
        classifier.set_params(rho=0.5).partial_fit(X, y)
    classifier.set_params(rho=0.01, tol=1e-6).partial_fit(X, y)


def test_gaussian_features_are_refused():
    X, y = make_multilabel_classification(random_state=1)
    with pytest.raises(ValueError, match="cannot be continued"):
        BRClassifier(representation="gaussian", centres=20).partial_fit(X, y)


def test_sample_weights_count_in_both():
    X, y = problem(rows=600)
    twice = BRClassifier(tol=1e-8).partial_fit(
        np.vstack([X[:300], X[:300]]), np.vstack([y[:300], y[:300]])
    )
    weighted = BRClassifier(tol=1e-8).partial_fit(X[:300], y[:300], sample_weight=np.full(300, 2))
    for classifier in (twice, weighted):
        classifier.partial_fit(X[300:], y[300:])
    np.testing.assert_allclose(twice.coef_, weighted.coef_, atol=1e-5)


def test_sparse_features():
    X, y = problem(rows=600)
    X = np.where(X > 1, X, 0)
    dense = BRClassifier(representation="none").partial_fit(X[:400], y[:400])
    sparse = BRClassifier(representation="none").partial_fit(sp.csr_matrix(X[:400]), y[:400])
    dense.partial_fit(X[400:], y[400:])
    sparse.partial_fit(sp.csr_matrix(X[400:]), y[400:])
    np.testing.assert_allclose(dense.coef_, sparse.coef_, atol=1e-4)
