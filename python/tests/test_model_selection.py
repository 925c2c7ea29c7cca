# SPDX-License-Identifier: MIT
import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import mugrad
from mugrad import metrics, study
from mugrad._responses import scores_of
from mugrad.datasets import make_multilabel
from mugrad.model_selection import (
    IterativeStratifiedKFold,
    IterativeStratifiedShuffleSplit,
    ThresholdClassifier,
    split_quality,
    train_test_split,
)

X, Y = make_multilabel(300, 10, 6, noise=2, cardinality=1, random_state=0)
SETS = [{f"label {j}" for j in np.flatnonzero(row)} for row in Y]


def logistic():
    return OneVsRestClassifier(LogisticRegression())


def same(a, b):
    return all(np.array_equal(x, y) for one, other in zip(a, b) for x, y in zip(one, other))


@pytest.mark.parametrize("n_splits", [2, 3, 5, 10])
def test_folds_are_a_partition_that_keeps_every_label(n_splits):
    splits = list(IterativeStratifiedKFold(n_splits, random_state=0).split(X, Y))
    assert len(splits) == n_splits
    tested = np.sort(np.concatenate([test for _, test in splits]))
    np.testing.assert_array_equal(tested, np.arange(len(X)))
    for train, test in splits:
        assert len(np.intersect1d(train, test)) == 0
        assert len(train) + len(test) == len(X)
        share = Y[test].sum(axis=0) - Y.sum(axis=0) / n_splits
        assert np.abs(share).max() <= 1.5


def test_folds_are_the_same_for_the_same_seed_and_every_form_of_labels():
    splitter = IterativeStratifiedKFold(4, random_state=3)
    expected = list(splitter.split(X, Y))
    for labels in (Y.astype(float), sparse.csr_matrix(Y), sparse.csc_matrix(Y), Y.tolist(), SETS):
        assert same(splitter.split(X, labels), expected)
    assert not same(IterativeStratifiedKFold(4, random_state=4).split(X, Y), expected)
    drawn = IterativeStratifiedKFold(4, random_state=np.random.RandomState(0))
    assert not same(drawn.split(X, Y), drawn.split(X, Y))


def test_labels_that_are_not_known_count_as_absent_when_splitting():
    partial = Y.astype(float)
    partial[0, :] = np.nan
    absent = Y.copy()
    absent[0, :] = 0
    splitter = IterativeStratifiedKFold(3, random_state=0)
    assert same(splitter.split(X, partial), splitter.split(X, absent))


@pytest.mark.parametrize("n_splits", [1, 0, -3, 2.5, 301])
def test_a_number_of_folds_that_cannot_be_is_refused(n_splits):
    with pytest.raises(ValueError, match="n_splits"):
        list(IterativeStratifiedKFold(n_splits).split(X, Y))


def test_splitting_needs_labels_of_the_same_examples():
    with pytest.raises(ValueError, match="y are needed"):
        list(IterativeStratifiedKFold().split(X))
    with pytest.raises(ValueError, match="X has 10 examples, y has 300"):
        list(IterativeStratifiedKFold().split(X[:10], Y))
    with pytest.raises(ValueError, match="matrix of examples x labels"):
        list(IterativeStratifiedKFold().split(X, Y[:, 0]))


def test_stratified_folds_keep_shares_better_than_plain_ones():
    ours = split_quality(Y, IterativeStratifiedKFold(5, random_state=0))
    plain = split_quality(Y, KFold(5, shuffle=True, random_state=0))
    assert max(f.label_deviation for f in ours) < min(f.label_deviation for f in plain)
    assert [f.n_test for f in plain] == [60] * 5
    assert all(f.labels_missing_in_test == f.labels_missing_in_train == 0 for f in ours)


def test_quality_counts_labels_that_a_part_misses():
    labels = np.zeros((10, 2), int)
    labels[0, 0] = 1
    labels[:5, 1] = 1
    found = split_quality(labels, [(np.arange(5), np.arange(5, 10))])[0]
    assert (found.labels_missing_in_train, found.labels_missing_in_test) == (0, 2)
    with pytest.raises(ValueError, match="row that is not among"):
        split_quality(labels, [(np.arange(5), np.arange(5, 11))])


def test_splitters_work_in_scikit_learn():
    splitter = IterativeStratifiedKFold(3, random_state=0)
    assert splitter.get_n_splits() == 3
    assert "n_splits=3" in repr(splitter)
    assert len(cross_val_score(logistic(), X, Y, cv=splitter)) == 3
    assert cross_val_predict(logistic(), X, Y, cv=splitter).shape == Y.shape
    shuffled = IterativeStratifiedShuffleSplit(2, test_size=0.3, random_state=0)
    assert len(cross_val_score(logistic(), X, Y, cv=shuffled)) == 2


def test_shuffled_splits_have_the_sizes_asked_for_and_differ():
    splitter = IterativeStratifiedShuffleSplit(4, test_size=0.2, train_size=0.5, random_state=0)
    splits = list(splitter.split(X, Y))
    for train, test in splits:
        assert abs(len(train) - 150) <= 3 and abs(len(test) - 60) <= 3
        assert len(np.intersect1d(train, test)) == 0
    assert not np.array_equal(splits[0][1], splits[1][1])
    assert same(splits, splitter.split(X, Y))
    for train, test in IterativeStratifiedShuffleSplit(2, test_size=30, random_state=0).split(X, Y):
        assert abs(len(test) - 30) <= 3 and len(train) + len(test) == len(X)


def test_no_split_of_one_seed_is_one_of_another():
    found = set()
    for seed in range(4):
        splitter = IterativeStratifiedShuffleSplit(5, random_state=seed)
        found.update(tuple(test) for _, test in splitter.split(X, Y))
    assert len(found) == 20


def test_first_split_is_that_of_train_test_split():
    first = next(IterativeStratifiedShuffleSplit(3, test_size=0.2, random_state=6).split(X, Y))
    rows = train_test_split(X, Y, np.arange(len(X)), test_size=0.2, random_state=6)[-2:]
    assert same([first], [rows])


@pytest.mark.parametrize("n_splits", [0, -1, 1.5, "2"])
def test_a_number_of_shuffled_splits_that_cannot_be_is_refused(n_splits):
    with pytest.raises(ValueError, match="n_splits must be a whole number from 1 on"):
        list(IterativeStratifiedShuffleSplit(n_splits).split(X, Y))


@pytest.mark.parametrize("random_state", [-1, 2**64, "seed"])
def test_seeds_that_cannot_be_are_value_errors(random_state):
    for call in (
        lambda: list(IterativeStratifiedKFold(random_state=random_state).split(X, Y)),
        lambda: list(IterativeStratifiedShuffleSplit(random_state=random_state).split(X, Y)),
        lambda: train_test_split(X, Y, random_state=random_state),
        lambda: ThresholdClassifier(logistic(), random_state=random_state).fit(X, Y),
        lambda: make_multilabel(random_state=random_state),
        lambda: mugrad.ECCClassifier(random_state=random_state).fit(X, Y),
        lambda: study.sensitivity(X, Y, random_state=random_state),
    ):
        with pytest.raises(ValueError, match="random_state must be a whole number|seed"):
            call()


def test_a_number_of_folds_in_a_study_means_stratified_ones():
    grid = {"rhos": [0.1], "sigmas": [0, 1]}
    folds = IterativeStratifiedKFold(3, random_state=5)
    assert study.sensitivity(X, Y, cv=3, random_state=5, **grid) == study.sensitivity(
        X, Y, cv=folds, **grid
    )
    with pytest.raises(ValueError, match="n_splits"):
        study.sensitivity(X, Y, cv=1, **grid)


@pytest.mark.parametrize(
    "sizes",
    [{"test_size": 0.0}, {"test_size": 1.0}, {"test_size": 300}, {"train_size": -1},
     {"test_size": 0.6, "train_size": 0.5}, {"test_size": "half"}],
)
def test_sizes_that_cannot_be_are_refused(sizes):
    with pytest.raises(ValueError, match="size"):
        train_test_split(X, Y, **sizes)


def test_train_test_split_keeps_rows_together_in_every_container():
    pandas = pytest.importorskip("pandas")
    rows = np.arange(len(X))
    frame = pandas.DataFrame(X)
    parts = train_test_split(
        frame, SETS, sparse.csr_matrix(Y), rows, test_size=0.3, random_state=5
    )
    X_train, X_test, sets_train, sets_test, Y_train, Y_test, train, test = parts
    assert len(test) == 90 and len(train) == 210
    np.testing.assert_array_equal(X_train.to_numpy(), X[train])
    np.testing.assert_array_equal(X_test.to_numpy(), X[test])
    np.testing.assert_array_equal(Y_test.toarray(), Y[test])
    assert sets_train == [SETS[row] for row in train]
    assert Y_train.shape == (210, 6)
    with pytest.raises(ValueError, match="an array has 3 examples"):
        train_test_split(X, Y, [1, 2, 3])


ESTIMATORS = [
    logistic(),
    MultiOutputClassifier(LogisticRegression()),
    ClassifierChain(LogisticRegression()),
    RandomForestClassifier(20, random_state=0),
    RidgeClassifier(),
    make_pipeline(StandardScaler(), OneVsRestClassifier(LogisticRegression())),
    mugrad.MGDClassifier(),
    mugrad.BRClassifier(),
    mugrad.LLSFClassifier(),
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
def test_thresholds_of_any_classifier_beat_the_usual_one_on_the_inner_folds(estimator):
    scores = np.zeros(Y.shape)
    for train, test in IterativeStratifiedKFold(3, random_state=0).split(X, Y):
        scores[test], where = scores_of(clone(estimator).fit(X[train], Y[train]), X[test])
    judged = metrics.evaluate(Y, scores, threshold=where.middle)
    one = ThresholdClassifier(estimator, rule="one", cv=3, random_state=0).fit(X, Y)
    tuned = ThresholdClassifier(estimator, cv=3, random_state=0).fit(X, Y)
    assert tuned.thresholds_.shape == (6,)
    assert len(set(one.thresholds_)) == 1
    assert tuned.threshold_score_ >= one.threshold_score_
    assert one.threshold_score_ > (judged["micro-f1"] + judged["macro-f1"]) / 2
    predicted = tuned.predict(X)
    assert predicted.shape == Y.shape and set(np.unique(predicted)) <= {0, 1}


def test_thresholds_are_those_that_counting_by_hand_finds():
    folds = list(IterativeStratifiedKFold(4, random_state=2).split(X, Y))
    scores = np.zeros(Y.shape)
    for train, test in folds:
        scores[test] = logistic().fit(X[train], Y[train]).predict_proba(X[test])
    tuned = ThresholdClassifier(logistic(), metric="macro-f1", cv=4, random_state=2).fit(X, Y)
    judged = metrics.macro_f1(Y, scores, threshold=tuned.thresholds_)
    assert tuned.threshold_score_ == pytest.approx(judged, abs=1e-12)
    for label in range(6):
        best = max(
            metrics.macro_f1(Y[:, [label]], scores[:, [label]], threshold=k / 100)
            for k in range(1, 100)
        )
        own = metrics.macro_f1(
            Y[:, [label]], scores[:, [label]], threshold=tuned.thresholds_[label]
        )
        assert own >= best - 1e-12


def test_cardinality_rule_predicts_as_many_labels_as_there_are():
    tuned = ThresholdClassifier(logistic(), rule="cardinality", random_state=0).fit(X, Y)
    plain = logistic().fit(X, Y)
    assert abs(tuned.predict(X).sum() - Y.sum()) < abs(plain.predict(X).sum() - Y.sum())


def test_keep_rule_predicts_as_the_classifier_does():
    kept = ThresholdClassifier(logistic(), rule="keep", cv=2).fit(X, Y)
    np.testing.assert_array_equal(kept.predict(X), logistic().fit(X, Y).predict(X))
    assert np.isnan(kept.threshold_score_)


def test_prefit_classifier_is_not_trained_again():
    fitted = logistic().fit(X[:200], Y[:200])
    tuned = ThresholdClassifier(fitted, cv="prefit").fit(X[200:], Y[200:])
    assert tuned.estimator_ is fitted
    judged = metrics.evaluate(
        Y[200:], fitted.predict_proba(X[200:]), threshold=tuned.thresholds_
    )
    expected = (judged["micro-f1"] + judged["macro-f1"]) / 2
    assert tuned.threshold_score_ == pytest.approx(expected)


def test_meta_estimator_is_cloned_searched_and_pickled():
    tuned = ThresholdClassifier(logistic(), cv=3, random_state=0)
    again = clone(tuned).set_params(rule="one", estimator__estimator__C=0.1)
    assert tuned.rule == "per-label" and again.get_params()["estimator__estimator__C"] == 0.1
    search = GridSearchCV(
        tuned,
        {"rule": ["keep", "one", "per-label"], "estimator__estimator__C": [0.1, 1]},
        scoring=metrics.make_scorer("micro-f1"),
        cv=IterativeStratifiedKFold(3, random_state=0),
    ).fit(X, Y)
    assert search.best_params_["rule"] != "keep"
    copy = pickle.loads(pickle.dumps(search.best_estimator_))
    np.testing.assert_array_equal(copy.predict(X), search.best_estimator_.predict(X))
    assert 0 <= search.best_estimator_.score(X, Y) <= 1


@pytest.mark.parametrize("estimator", [logistic(), mugrad.MGDClassifier()])
def test_predictions_have_the_form_and_the_type_of_the_labels(estimator):
    tuned = ThresholdClassifier(estimator, cv=3, random_state=0)
    expected = tuned.fit(X, Y).predict(X)
    for labels in (sparse.csr_matrix(Y), sparse.csr_matrix(Y.astype(np.int8))):
        found = tuned.fit(X, labels).predict(X)
        assert sparse.issparse(found) and found.dtype == labels.dtype
        np.testing.assert_array_equal(found.toarray(), expected)
    for dtype in (bool, np.int8, np.float32):
        found = tuned.fit(X, Y.astype(dtype)).predict(X)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, expected)
    found = tuned.fit(X, SETS).predict(X)
    assert [sorted(row) for row in found] == [
        [f"label {j}" for j in np.flatnonzero(row)] for row in expected
    ]
    np.testing.assert_array_equal(tuned.predict_indicator(X).toarray(), expected)
    assert list(tuned.label_names_) == [f"label {j}" for j in range(6)]
    assert tuned.score(X, SETS) == pytest.approx(np.all(expected == Y, axis=1).mean())


@pytest.mark.parametrize(
    "estimator",
    [
        mugrad.MGDClassifier(),
        mugrad.CLRClassifier(),
        mugrad.LLSFClassifier(),
        mugrad.CAMELClassifier(),
        make_pipeline(StandardScaler(), mugrad.BRClassifier()),
    ],
    ids=lambda e: type(e).__name__,
)
@pytest.mark.parametrize("cv", [3, "prefit"])
def test_tuned_thresholds_and_names_go_into_the_model_file(estimator, cv, tmp_path):
    if cv == "prefit":
        estimator = clone(estimator).fit(X, SETS)
        before = estimator.predict(X)
    tuned = ThresholdClassifier(estimator, cv=cv, random_state=0).fit(X, SETS)
    last = tuned.estimator_[-1] if hasattr(tuned.estimator_, "steps") else tuned.estimator_
    last.save(tmp_path / "tuned.mugrad")
    again = mugrad.load(tmp_path / "tuned.mugrad")
    rows = tuned.estimator_[:-1].transform(X) if hasattr(tuned.estimator_, "steps") else X
    np.testing.assert_array_equal(again.predict(rows), tuned.predict_indicator(X).toarray())
    assert list(again.label_names_) == [f"label {j}" for j in range(6)]
    assert len(set(again.thresholds_)) > 1
    if cv == "prefit":
        np.testing.assert_array_equal(estimator.predict(X), before)
        assert not np.array_equal(tuned.predict(X), before)


def test_thresholds_of_log_odds_stay_out_of_the_model():
    tuned = ThresholdClassifier(
        mugrad.MGDClassifier(), response_method="decision_function", cv=3, random_state=0
    ).fit(X, Y)
    np.testing.assert_array_equal(tuned.estimator_.thresholds_, np.full(6, 0.5))
    np.testing.assert_array_equal(
        tuned.predict(X), tuned.decision_function(X) >= tuned.thresholds_
    )


@pytest.mark.parametrize("estimator", [LogisticRegression(), mugrad.MGDClassifier()])
def test_classes_in_one_dimension_are_predicted_as_by_the_classifier(estimator):
    words = np.array(["none", "one", "many"])[np.minimum(Y.sum(axis=1), 2)]
    for y in (words, words == "many"):
        with pytest.warns(UserWarning, match="no thresholds are chosen"):
            tuned = ThresholdClassifier(estimator).fit(X, y)
        plain = clone(estimator).fit(X, y)
        np.testing.assert_array_equal(tuned.predict(X), plain.predict(X))
        np.testing.assert_array_equal(tuned.predict_proba(X), plain.predict_proba(X))
        np.testing.assert_array_equal(tuned.decision_function(X), plain.decision_function(X))
        np.testing.assert_array_equal(tuned.classes_, plain.classes_)
        assert tuned.score(X, y) == plain.score(X, y)
        assert np.isnan(tuned.threshold_score_)


def test_scores_are_those_of_the_classifier_within():
    tuned = ThresholdClassifier(RandomForestClassifier(5, random_state=0), cv=2, random_state=0)
    assert hasattr(tuned, "predict_proba") and not hasattr(tuned, "decision_function")
    assert tuned.fit(X, Y).predict_proba(X).shape == Y.shape
    assert hasattr(ThresholdClassifier(RidgeClassifier()), "decision_function")
    assert not hasattr(ThresholdClassifier(RidgeClassifier()), "predict_proba")


def test_weights_and_unknown_labels_reach_the_classifier_and_the_thresholds():
    partial = Y.astype(float)
    partial[::7, 2] = np.nan
    weights = np.ones(len(X))
    weights[: len(X) // 2] = 0.25
    tuned = ThresholdClassifier(mugrad.MGDClassifier(), cv=3, random_state=0)
    tuned.fit(X, partial, sample_weight=weights)
    plain = mugrad.MGDClassifier().fit(X, partial, sample_weight=weights)
    np.testing.assert_array_equal(tuned.predict_proba(X), plain.predict_proba(X))


def test_feature_names_are_kept():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=[f"f{j}" for j in range(10)])
    tuned = ThresholdClassifier(logistic(), cv=2, random_state=0).fit(frame, Y)
    assert list(tuned.feature_names_in_) == list(frame.columns)
    assert tuned.n_features_in_ == 10


@pytest.mark.parametrize(
    "options, message",
    [
        ({"rule": "best"}, "per-label"),
        ({"metric": "coverage"}, "micro-f1"),
        ({"convention": "weka"}, "mulan"),
        ({"cv": "none"}, "prefit"),
        ({"response_method": "predict"}, "response_method"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        ThresholdClassifier(logistic(), **options).fit(X, Y)


def test_what_cannot_work_is_said():
    with pytest.raises(NotFittedError):
        ThresholdClassifier(logistic()).predict(X)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        ThresholdClassifier(logistic()).fit(X[:5], Y)
    with pytest.raises(ValueError, match="requires y"):
        ThresholdClassifier(logistic()).fit(X, None)
    with pytest.raises(ValueError, match="Unknown label type"):
        ThresholdClassifier(logistic()).fit(X, X[:, 0])
