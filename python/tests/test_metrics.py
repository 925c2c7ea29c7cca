# SPDX-License-Identifier: MIT
import pickle

import numpy as np
import pytest
import scipy.stats
import sklearn.metrics
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import mugrad
from mugrad import metrics
from mugrad.datasets import make_multilabel
from mugrad.model_selection import IterativeStratifiedKFold

CASES = range(200)


def random_case(seed):
    """Truth and scores with ties, and as a rule rows and labels without positives."""
    rng = np.random.default_rng(seed)
    n, labels = int(rng.integers(1, 30)), int(rng.integers(2, 12))
    y = (rng.random((n, labels)) < rng.choice([0.1, 0.3, 0.6])).astype(int)
    y[rng.random(n) < 0.15] = 0
    y[rng.random(n) < 0.1] = 1
    y[:, rng.random(labels) < 0.15] = 0
    levels = rng.choice([2, 4, 10, 1000])
    scores = rng.integers(0, levels + 1, (n, labels)) / levels
    return y, scores


def close(ours, theirs):
    assert ours == pytest.approx(theirs, rel=0, abs=1e-12)


def test_cases_have_ties_and_empty_and_full_rows_and_empty_labels():
    cases = [random_case(seed) for seed in CASES]
    assert sum((y.sum(axis=1) == 0).any() for y, _ in cases) > 50
    assert sum((y.sum(axis=1) == y.shape[1]).any() for y, _ in cases) > 50
    assert sum((y.sum(axis=0) == 0).any() for y, _ in cases) > 50
    assert sum(any(len(set(row)) < len(row) for row in scores) for _, scores in cases) > 100


@pytest.mark.parametrize("seed", CASES)
def test_ranking_metrics_equal_those_of_scikit_learn(seed):
    y, scores = random_case(seed)
    labels = y.shape[1]
    close(
        metrics.average_precision(y, scores),
        sklearn.metrics.label_ranking_average_precision_score(y, scores),
    )
    close(metrics.ranking_loss(y, scores), sklearn.metrics.label_ranking_loss(y, scores))
    # Theirs is the mean worst rank, 0 for a row without labels; ours is (rank - 1) / L.
    with_labels = (y.sum(axis=1) > 0).mean()
    close(
        labels * metrics.coverage(y, scores) + with_labels,
        sklearn.metrics.coverage_error(y, scores),
    )
    for k in range(1, labels + 1):
        close(metrics.ndcg_at_k(y, scores, k), sklearn.metrics.ndcg_score(y, scores, k=k))


@pytest.mark.parametrize("seed", CASES)
def test_decision_metrics_equal_those_of_scikit_learn(seed):
    y, scores = random_case(seed)
    predicted = (scores >= 0.5).astype(int)
    f1 = sklearn.metrics.f1_score
    for y_pred in (predicted, scores, sparse.csr_matrix(predicted)):
        close(metrics.macro_f1(y, y_pred), f1(y, predicted, average="macro", zero_division=0))
        close(metrics.micro_f1(y, y_pred), f1(y, predicted, average="micro", zero_division=0))
        close(metrics.example_f1(y, y_pred), f1(y, predicted, average="samples", zero_division=0))
        close(metrics.hamming_loss(y, y_pred), sklearn.metrics.hamming_loss(y, predicted))
        close(metrics.subset_accuracy(y, y_pred), sklearn.metrics.accuracy_score(y, predicted))


@pytest.mark.parametrize("seed", CASES)
def test_areas_equal_those_of_scikit_learn(seed):
    y, scores = random_case(seed)
    auc = sklearn.metrics.roc_auc_score
    if 0 < y.mean() < 1:
        close(metrics.micro_auc(y, scores), auc(y, scores, average="micro"))
        close(metrics.micro_auc(y, np.exp(scores)), auc(y, scores, average="micro"))
    has_both = (0 < y.mean(axis=0)) & (y.mean(axis=0) < 1)
    found = metrics.evaluate(y, scores)
    assert found.skipped["macro-auc"] == (~has_both).sum()
    if has_both.any():
        expected = [auc(y[:, label], scores[:, label]) for label in np.flatnonzero(has_both)]
        close(metrics.macro_auc(y, scores), np.mean(expected))
    else:
        assert np.isnan(found["macro-auc"])
    if has_both.all():
        close(metrics.macro_auc(y, scores), auc(y, scores, average="macro"))


@pytest.mark.parametrize("seed", CASES)
def test_losses_of_probabilities_equal_those_of_scikit_learn(seed):
    y, scores = random_case(seed)
    labels = range(y.shape[1])
    # scikit-learn clips at another number, or has none, by version.
    clipped = np.clip(scores, 1e-15, 1 - 1e-15)
    close(
        metrics.log_loss(y, scores),
        np.mean([sklearn.metrics.log_loss(y[:, t], clipped[:, t], labels=[0, 1]) for t in labels]),
    )
    close(
        metrics.brier_score(y, scores),
        np.mean([sklearn.metrics.brier_score_loss(y[:, t], scores[:, t], pos_label=1)
                 for t in labels]),
    )


def calibration_error(y, p):
    """The definition, with plain sorting: tied scores share the bin of their middle."""
    order = np.argsort(p, kind="stable")
    y, p = y[order], p[order]
    first, last = np.searchsorted(p, p, "left"), np.searchsorted(p, p, "right") - 1
    bins = 15 * (first + last) // (2 * len(p))
    return sum(abs(p[bins == b].sum() - y[bins == b].sum()) for b in range(15)) / len(p)


@pytest.mark.parametrize("seed", CASES)
def test_calibration_error_equals_its_definition(seed):
    y, scores = random_case(seed)
    close(metrics.calibration_error(y, scores), calibration_error(y.ravel(), scores.ravel()))
    unknown = np.random.default_rng(seed).random(y.shape) < 0.3
    if unknown.all():
        return
    partly = np.where(unknown, np.nan, y)
    close(
        metrics.calibration_error(partly, scores),
        calibration_error(y[~unknown], scores[~unknown]),
    )


def test_metrics_of_probabilities_are_left_out_of_other_scores():
    y, scores = random_case(1)
    of_probabilities = {"log-loss", "brier-score", "calibration-error"}
    everything = set(metrics.evaluate(y, scores))
    assert of_probabilities < everything
    assert set(metrics.evaluate(y, 3 * scores)) == everything - of_probabilities
    assert set(metrics.evaluate(y, scores, are_probabilities=False)) == (
        everything - of_probabilities
    )
    assert set(metrics.evaluate(y, scores, keep_scores=False)) == (
        everything - {"micro-auc", "macro-auc", "calibration-error"}
    )
    for refused in (metrics.log_loss, metrics.brier_score, metrics.calibration_error):
        with pytest.raises(ValueError, match="is not a probability"):
            refused(y, 3 * scores)


@pytest.mark.parametrize("seed", CASES)
def test_one_error_and_precision_at_k_equal_their_definition(seed):
    """scikit-learn has neither: a plain count stands in for it."""
    y, scores = random_case(seed)
    errors = [
        float(not y[i, scores[i] == scores[i].max()].all()) for i in range(len(y)) if y[i].any()
    ]
    if errors:
        close(metrics.one_error(y, scores), np.mean(errors))
    else:
        assert np.isnan(metrics.one_error(y, scores))
    for k in (1, 2):
        expected = []
        for truth, row in zip(y, scores):
            kth = np.sort(row)[-k]
            above, tied = row > kth, row == kth
            expected.append((truth[above].sum() + truth[tied].mean() * (k - above.sum())) / k)
        close(metrics.precision_at_k(y, scores, k), np.mean(expected))


@pytest.mark.parametrize("seed", CASES)
def test_precision_recall_and_f1_of_each_label_equal_those_of_scikit_learn(seed):
    y, scores = random_case(seed)
    found = metrics.evaluate(y, scores).per_label
    precision, recall, f1, support = sklearn.metrics.precision_recall_fscore_support(
        y, scores >= 0.5, average=None, zero_division=0
    )
    np.testing.assert_allclose(found["precision"], precision, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found["recall"], recall, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found["f1"], f1, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(found["positives"], support)


def test_truth_may_be_dense_sparse_a_frame_or_sets():
    pandas = pytest.importorskip("pandas")
    y, scores = random_case(3)
    expected = dict(metrics.evaluate(y, scores))
    names = [f"label {j}" for j in range(y.shape[1])]
    sets = [{names[j] for j in np.flatnonzero(row)} for row in y]
    for truth in (
        y.astype(bool),
        y.astype(np.float32),
        np.asfortranarray(y),
        y.tolist(),
        sparse.csr_matrix(y),
        sparse.coo_matrix(y),
        pandas.DataFrame(y, columns=names),
    ):
        assert dict(metrics.evaluate(truth, scores)) == expected
    assert dict(metrics.evaluate(sets, scores, labels=names)) == expected


def test_predictions_may_be_sets():
    assert metrics.micro_f1([{"a"}, {"a", "b"}], [{"a"}, {"b"}]) == pytest.approx(0.8)
    assert metrics.micro_f1([{"a"}, {"a", "b"}], [{"a"}, {"c"}]) == pytest.approx(0.4)
    with pytest.raises(ValueError, match="'c', which is not among the labels"):
        metrics.evaluate([{"a"}, {"a", "b"}], [{"a"}, {"c"}], labels=["a", "b"])


def test_explicit_zeros_of_sparse_truth_are_no_labels():
    truth = sparse.csr_matrix(([1, 0, 1], [0, 1, 1], [0, 2, 3]), shape=(2, 2))
    assert metrics.micro_f1(truth, [[1, 0], [0, 1]]) == 1


def test_unknown_labels_are_judged_as_if_they_were_not_there():
    y = np.array([[1, 0, np.nan, 0], [0, np.nan, 1, 1]])
    scores = np.array([[0.9, 0.4, 0.95, 0.1], [0.2, 0.99, 0.6, 0.7]])
    found = metrics.evaluate(y, scores)
    assert found["average-precision"] == 1
    assert found["micro-f1"] == 1
    explicit = sparse.csr_matrix(y)
    assert np.isnan(explicit.data).sum() == 2
    assert dict(metrics.evaluate(explicit, scores)) == pytest.approx(dict(found), nan_ok=True)


def test_conventions_differ_where_the_documentation_says():
    y, scores = np.array([[1, 0], [0, 0]]), np.array([[0.9, 0.1], [0.2, 0.3]])
    assert metrics.macro_f1(y, scores) == 0.5
    assert metrics.macro_f1(y, scores, convention="mulan") == 1
    assert metrics.evaluate(y, scores, convention="lamda").skipped["average-precision"] == 1
    with pytest.raises(ValueError, match="sklearn.*mulan.*lamda"):
        metrics.evaluate(y, scores, convention="weka")


def test_thresholds_may_differ_by_label():
    y, scores = [[1, 0], [1, 0]], [[0.3, 0.6], [0.4, 0.7]]
    assert metrics.subset_accuracy(y, scores, threshold=[0.25, 0.9]) == 1
    with pytest.raises(ValueError, match="one number or 2"):
        metrics.evaluate(y, scores, threshold=[0.1, 0.2, 0.3])


@pytest.mark.parametrize(
    "truth, scores, message",
    [
        ([[1, 0]], [[0.5, 0.5], [0.1, 0.1]], r"\(1, 2\).*\(2, 2\)"),
        ([[1, 0]], [[0.5]], r"\(1, 2\).*\(1, 1\)"),
        ([[1, 2]], [[0.5, 0.1]], "0, 1, or NaN"),
        ([[1, 0]], [[0.5, np.nan]], "not a number"),
        ([1, 0], [[0.5, 0.1]], "y_true should be a matrix"),
        ([[1, 0]], [0.5, 0.1], "scores should be a matrix"),
    ],
)
def test_wrong_input_is_refused_with_a_value_error(truth, scores, message):
    with pytest.raises(ValueError, match=message):
        metrics.evaluate(truth, scores)


def test_k_beyond_the_labels_is_refused_alone_and_left_out_of_all():
    y, scores = [[1, 0]], [[0.5, 0.1]]
    with pytest.raises(ValueError, match="from 1 to 2"):
        metrics.precision_at_k(y, scores, 3)
    with pytest.raises(ValueError):
        metrics.ndcg_at_k(y, scores, 0)
    assert "precision@3" not in metrics.evaluate(y, scores, at=(1, 3))


X, Y = make_multilabel(150, 8, 5, random_state=0)


@pytest.mark.parametrize(
    "estimator",
    [
        OneVsRestClassifier(LogisticRegression()),
        MultiOutputClassifier(LogisticRegression()),
        RandomForestClassifier(10, random_state=0),
    ],
)
def test_scorers_work_with_every_form_of_scores(estimator):
    fitted = estimator.fit(X, Y)
    scores = fitted.predict_proba(X)
    if isinstance(scores, list):
        scores = np.column_stack([label[:, 1] for label in scores])
    every = {**metrics.scorers(), **metrics.scorers(*metrics.PROBABILITY_METRICS)}
    for name, scorer in every.items():
        value = scorer(fitted, X, Y)
        judged = fitted.predict(X) if name in metrics.DECISION_METRICS else scores
        expected = metrics.evaluate(Y, judged)[name]
        assert value == (expected if scorer.sign > 0 else -expected)
    assert metrics.make_scorer("ndcg@3")(fitted, X, Y) == metrics.ndcg_at_k(Y, scores, 3)


def test_scorers_of_probabilities_ask_for_probabilities():
    fitted = OneVsRestClassifier(LinearSVC()).fit(X, Y)
    for name in metrics.scorers():
        assert np.isfinite(metrics.make_scorer(name)(fitted, X, Y)), name
    for name in metrics.PROBABILITY_METRICS:
        with pytest.raises(AttributeError, match="has no predict_proba"):
            metrics.make_scorer(name)(fitted, X, Y)


def test_a_label_without_positives_in_a_forest_has_probability_zero():
    y = Y.copy()
    y[:, 2] = 0
    forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    assert metrics.make_scorer("average-precision")(forest, X, y) > 0.8


def test_scorers_choose_in_a_grid_search():
    search = GridSearchCV(
        OneVsRestClassifier(LogisticRegression()),
        {"estimator__C": [1e-6, 1.0]},
        scoring=metrics.scorers("ranking-loss", "micro-f1"),
        refit="ranking-loss",
        cv=3,
    ).fit(X, Y)
    assert search.best_params_ == {"estimator__C": 1.0}
    assert (search.cv_results_["mean_test_ranking-loss"] < 0).all()
    found = cross_validate(
        search.best_estimator_, X, Y, scoring=metrics.make_scorer("one-error"), cv=3
    )
    assert np.isfinite(found["test_score"]).all()


def test_scorers_judge_label_sets_by_the_names_that_a_classifier_has():
    sets = [{f"label {j}" for j in np.flatnonzero(row)} for row in Y]
    splitter = IterativeStratifiedKFold(3, random_state=0)
    for name in ("average-precision", "micro-f1"):
        scorer = metrics.make_scorer(name)
        pipeline = make_pipeline(StandardScaler(), mugrad.MGDClassifier())
        of_sets = cross_val_score(pipeline, X, sets, scoring=scorer, cv=splitter)
        of_matrix = cross_val_score(pipeline, X, Y, scoring=scorer, cv=splitter)
        np.testing.assert_array_equal(of_sets, of_matrix)
    fitted = mugrad.MGDClassifier().fit(X, sets)
    few = [{"label 1"}, {"label 3"}]  # not every label is among these
    matrix = np.zeros((2, 5))
    matrix[0, 1] = matrix[1, 3] = 1
    assert scorer(fitted, X[:2], few) == scorer(fitted, X[:2], matrix)
    with pytest.raises(ValueError, match="'label 9'"):
        scorer(fitted, X[:1], [{"label 9"}])
    with pytest.raises(ValueError, match="OneVsRestClassifier does not say which labels"):
        scorer(OneVsRestClassifier(LogisticRegression()).fit(X, Y), X, sets)


def test_scorers_can_be_pickled_and_refuse_unknown_names():
    scorer = metrics.make_scorer("coverage", convention="mulan")
    again = pickle.loads(pickle.dumps(scorer))
    assert (again.metric, again.convention, again.sign) == ("coverage", "mulan", -1)
    assert repr(scorer) == "make_scorer('coverage', convention='mulan')"
    with pytest.raises(ValueError, match="there is no metric 'accuracy'"):
        metrics.make_scorer("accuracy")
    with pytest.raises(ValueError, match="give them apart"):
        metrics.make_scorer("macro-f1 (mulan)")


@pytest.mark.parametrize("seed", range(20))
def test_friedman_and_wilcoxon_equal_those_of_scipy(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(int(rng.integers(6, 15)), 4))
    test = metrics.friedman(values)
    theirs = scipy.stats.friedmanchisquare(*values.T)
    assert test.statistic == pytest.approx(theirs.statistic, rel=1e-12)
    assert test.pvalue == pytest.approx(theirs.pvalue, rel=1e-10)
    pair = metrics.wilcoxon(values[:, 0], values[:, 1])
    theirs = scipy.stats.wilcoxon(values[:, 0], values[:, 1])
    assert pair.exact
    assert pair.statistic == theirs.statistic
    assert pair.pvalue == pytest.approx(theirs.pvalue, rel=1e-12)


def test_critical_distance_is_that_of_the_studentized_range():
    found = metrics.nemenyi(np.random.default_rng(0).normal(size=(20, 5)), alpha=0.1)
    q = scipy.stats.studentized_range.ppf(0.9, 5, np.inf) / np.sqrt(2)
    assert found.critical_distance == pytest.approx(q * np.sqrt(5 * 6 / (6 * 20)), rel=1e-6)


def test_methods_are_called_by_the_columns_of_a_frame():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    table = pandas.DataFrame(
        rng.normal(size=(15, 3)) + [0, 3, 6], columns=["worst", "middle", "best"]
    )
    assert metrics.nemenyi(table).groups[0][0] == "best"
    assert metrics.bonferroni_dunn(table, "best").different == ["worst", "middle"]
    pairs = metrics.wilcoxon_holm(table, control="best")
    assert [(pair.a, pair.b) for pair in pairs] == [("best", "worst"), ("best", "middle")]
    assert all(pair.wins > 10 and pair.holm < 0.01 for pair in pairs)
    losses = metrics.wilcoxon_holm(table, control="best", larger_is_better=False)
    assert [pair.losses for pair in losses] == [pair.wins for pair in pairs]
    with pytest.raises(ValueError, match="no method 'mgd'"):
        metrics.bonferroni_dunn(table, "mgd")


def test_statistics_refuse_what_is_no_number():
    with pytest.raises(ValueError):
        metrics.friedman([[0.1, np.nan], [0.2, 0.3]])
    with pytest.raises(ValueError, match="data sets x methods"):
        metrics.friedman([0.1, 0.2])
