# SPDX-License-Identifier: MIT
"""Multi-label metrics under a named convention, scorers, and tests of differences of methods.

Truth is a matrix of examples x labels (an array, a CSR matrix or a DataFrame of 0 and 1), or one
set of labels per example. NaN in it means that it is unknown whether the example has the label:
the example is then evaluated on its other labels. `docs/metrics.md` defines every metric and
says how each convention counts ties, empty rows and empty labels.
"""

from __future__ import annotations

from typing import Any, Dict, Iterator, Mapping, Optional, Sequence, Union

import numpy as np

from . import _core
from ._responses import label_names, scores_of
from ._statistics import (
    BonferroniDunnResult,
    FriedmanResult,
    NemenyiResult,
    PairResult,
    WilcoxonResult,
    bonferroni_dunn,
    friedman,
    holm,
    nemenyi,
    ranks,
    wilcoxon,
    wilcoxon_holm,
)
from ._targets import in_columns, indicator, is_label_sets, score_rows, sets_of

__all__ = [
    "BonferroniDunnResult",
    "Evaluation",
    "FriedmanResult",
    "NemenyiResult",
    "PairResult",
    "Scorer",
    "WilcoxonResult",
    "average_precision",
    "bonferroni_dunn",
    "coverage",
    "evaluate",
    "friedman",
    "hamming_loss",
    "holm",
    "macro_f1",
    "make_scorer",
    "micro_f1",
    "ndcg_at_k",
    "nemenyi",
    "one_error",
    "precision_at_k",
    "ranking_loss",
    "ranks",
    "scorers",
    "subset_accuracy",
    "wilcoxon",
    "wilcoxon_holm",
]

Threshold = Union[float, Sequence[float], np.ndarray]

RANKING_METRICS = ("average-precision", "coverage", "ranking-loss", "one-error")
DECISION_METRICS = ("macro-f1", "micro-f1", "hamming-loss", "subset-accuracy")


class Evaluation(Mapping[str, float]):
    """Every metric of one set of predictions, by name.

    Attributes
    ----------
    convention : str
    skipped : dict
        Per metric, the rows (labels, for macro-f1) that its mean leaves out.
    per_label : dict of arrays
        positives, predicted, precision, recall and f1, one value per label.
    rows, labels : int
    rows_without_labels, rows_with_all_labels, labels_without_positives : int

    Examples
    --------
    >>> from mugrad.metrics import evaluate
    >>> found = evaluate([[1, 0], [0, 0]], [[0.9, 0.2], [0.4, 0.1]])
    >>> found["hamming-loss"], found.rows_without_labels
    (0.0, 1)
    """

    def __init__(self, found: Dict[str, Any], convention: str) -> None:
        self._values: Dict[str, float] = found["values"]
        self.convention = convention
        self.skipped: Dict[str, int] = found["skipped"]
        self.per_label: Dict[str, np.ndarray] = found["per_label"]
        self.rows: int = found["rows"]
        self.labels: int = found["labels"]
        self.rows_without_labels: int = found["rows_without_labels"]
        self.rows_with_all_labels: int = found["rows_with_all_labels"]
        self.labels_without_positives: int = found["labels_without_positives"]

    def __getitem__(self, metric: str) -> float:
        return self._values[metric]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        lines = [f"{name:<18} {value:.4f}" for name, value in self.items()]
        head = f"{self.rows} rows, {self.labels} labels, convention {self.convention}"
        return "\n".join([head, *lines])


def evaluate(
    y_true: Any,
    scores: Any,
    *,
    threshold: Threshold = 0.5,
    convention: str = "sklearn",
    at: Sequence[int] = (1, 3, 5),
    labels: Optional[Sequence[Any]] = None,
) -> Evaluation:
    """All metrics at once.

    Parameters
    ----------
    y_true : matrix (n, L) of 0, 1 and NaN (unknown), or one set of labels per example
    scores : matrix (n, L)
        The higher the score, the more likely the label. Predictions of 0 and 1 are scores too.
    threshold : float or (L,) floats
        A label is predicted if its score >= threshold.
    convention : {"sklearn", "mulan", "lamda"}
    at : ints
        Values of k for precision@k and ndcg@k; those above the number of labels are left out.
    labels : sequence, optional
        The labels of the columns, if y_true or scores are sets; by default all that occur.

    Examples
    --------
    >>> from mugrad.metrics import evaluate
    >>> found = evaluate([[1, 0, 1], [0, 1, 0]], [[0.9, 0.6, 0.2], [0.1, 0.8, 0.3]])
    >>> round(found["average-precision"], 4), found["micro-f1"]
    (0.9167, 0.6666666666666666)
    >>> found.per_label["positives"].tolist()
    [1, 1, 1]
    """
    if labels is None:
        of_truth, of_scores = sets_of(y_true), sets_of(scores)
        if of_truth is not None and of_scores is not None:
            labels = sorted(set().union(*of_truth, *of_scores))
    truth, names = indicator(y_true, labels, name="y_true")
    if labels is None and names is not None:
        labels = list(names)
    thresholds = np.atleast_1d(np.asarray(threshold, dtype=np.float64))
    if thresholds.ndim != 1 or len(thresholds) not in (1, truth.shape[1]):
        raise ValueError(
            f"threshold should be one number or {truth.shape[1]}, one per label; "
            f"got an array of shape {thresholds.shape}"
        )
    rows = score_rows(scores, labels)
    found = _core.evaluate(
        scores=rows,
        truth=truth,
        thresholds=thresholds.tolist(),
        convention=convention,
        at=[int(k) for k in at],
    )
    return Evaluation(found, convention)


def _of_scores(metric: str, y_true: Any, scores: Any, convention: str) -> float:
    return evaluate(y_true, scores, convention=convention, at=())[metric]


def average_precision(y_true: Any, scores: Any, *, convention: str = "sklearn") -> float:
    """Mean over examples of the precision at each true label's rank; larger is better.

    Under "sklearn" it is `sklearn.metrics.label_ranking_average_precision_score`.

    Examples
    --------
    >>> from mugrad.metrics import average_precision
    >>> average_precision([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.41666666666666663
    """
    return _of_scores("average-precision", y_true, scores, convention)


def coverage(y_true: Any, scores: Any, *, convention: str = "sklearn") -> float:
    """(Worst rank of a true label - 1) / L, the mean over examples; smaller is better.

    `sklearn.metrics.coverage_error` is L times this plus the share of rows that have labels.

    Examples
    --------
    >>> from mugrad.metrics import coverage
    >>> coverage([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.5
    """
    return _of_scores("coverage", y_true, scores, convention)


def ranking_loss(y_true: Any, scores: Any, *, convention: str = "sklearn") -> float:
    """Share of pairs of a true and a false label in the wrong order; smaller is better.

    Under "sklearn" it is `sklearn.metrics.label_ranking_loss`.

    Examples
    --------
    >>> from mugrad.metrics import ranking_loss
    >>> ranking_loss([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.75
    """
    return _of_scores("ranking-loss", y_true, scores, convention)


def one_error(y_true: Any, scores: Any, *, convention: str = "sklearn") -> float:
    """Share of examples whose first label is false; smaller is better.

    Examples
    --------
    >>> from mugrad.metrics import one_error
    >>> one_error([[1, 0, 0], [0, 0, 1]], [[0.9, 0.5, 0.1], [1, 0.2, 0.1]])
    0.5
    """
    return _of_scores("one-error", y_true, scores, convention)


def _of_decisions(
    metric: str, y_true: Any, y_pred: Any, threshold: Threshold, convention: str
) -> float:
    return evaluate(y_true, y_pred, threshold=threshold, convention=convention, at=())[metric]


def macro_f1(
    y_true: Any, y_pred: Any, *, threshold: Threshold = 0.5, convention: str = "sklearn"
) -> float:
    """Mean over labels of F1; larger is better. `y_pred` are predictions, or scores.

    Examples
    --------
    >>> from mugrad.metrics import macro_f1
    >>> macro_f1([[1, 0], [1, 1]], [[1, 0], [0, 1]])
    0.8333333333333333
    """
    return _of_decisions("macro-f1", y_true, y_pred, threshold, convention)


def micro_f1(
    y_true: Any, y_pred: Any, *, threshold: Threshold = 0.5, convention: str = "sklearn"
) -> float:
    """F1 of all labels together; larger is better. `y_pred` are predictions, or scores.

    Examples
    --------
    >>> from mugrad.metrics import micro_f1
    >>> micro_f1([[1, 0], [1, 1]], [[1, 0], [0, 1]])
    0.8
    """
    return _of_decisions("micro-f1", y_true, y_pred, threshold, convention)


def hamming_loss(
    y_true: Any, y_pred: Any, *, threshold: Threshold = 0.5, convention: str = "sklearn"
) -> float:
    """Share of the labels that are predicted wrongly; smaller is better.

    Examples
    --------
    >>> from mugrad.metrics import hamming_loss
    >>> hamming_loss([[1, 0], [1, 1]], [[1, 0], [0, 1]])
    0.25
    """
    return _of_decisions("hamming-loss", y_true, y_pred, threshold, convention)


def subset_accuracy(
    y_true: Any, y_pred: Any, *, threshold: Threshold = 0.5, convention: str = "sklearn"
) -> float:
    """Share of the examples whose labels are all predicted correctly; larger is better.

    Examples
    --------
    >>> from mugrad.metrics import subset_accuracy
    >>> subset_accuracy([[1, 0], [1, 1]], [[1, 0], [0, 1]])
    0.5
    """
    return _of_decisions("subset-accuracy", y_true, y_pred, threshold, convention)


def _at_k(metric: str, y_true: Any, scores: Any, k: int, convention: str) -> float:
    found = evaluate(y_true, scores, convention=convention, at=(k,))
    if f"{metric}@{k}" not in found:
        raise ValueError(f"k must be from 1 to {found.labels}, the number of labels; got {k}")
    return found[f"{metric}@{k}"]


def precision_at_k(y_true: Any, scores: Any, k: int, *, convention: str = "sklearn") -> float:
    """Share of true labels among the first k; larger is better.

    Examples
    --------
    >>> from mugrad.metrics import precision_at_k
    >>> precision_at_k([[1, 0, 1]], [[0.9, 0.5, 0.1]], k=2)
    0.5
    """
    return _at_k("precision", y_true, scores, k, convention)


def ndcg_at_k(y_true: Any, scores: Any, k: int, *, convention: str = "sklearn") -> float:
    """Discounted gain of the first k labels, relative to the best possible; larger is better.

    Under "sklearn" it is `sklearn.metrics.ndcg_score(..., k=k)`.

    Examples
    --------
    >>> from mugrad.metrics import ndcg_at_k
    >>> round(ndcg_at_k([[1, 0, 1]], [[0.9, 0.5, 0.1]], k=2), 4)
    0.6131
    """
    return _at_k("ndcg", y_true, scores, k, convention)


class Scorer:
    """Evaluates a fitted estimator: `scorer(estimator, X, y)`; larger is always better.

    Losses and coverage are negated. Ranking metrics and those at k use
    `predict_proba`, or `decision_function`; the others use `predict`.

    Examples
    --------
    >>> from mugrad import BRClassifier
    >>> from mugrad.datasets import make_multilabel
    >>> from mugrad.metrics import Scorer
    >>> X, Y = make_multilabel(100, 5, 4, random_state=0)
    >>> Scorer("one-error")(BRClassifier().fit(X, Y), X, Y) <= 0
    True
    """

    def __init__(self, metric: str, convention: str = "sklearn") -> None:
        self.metric = metric
        self.convention = convention
        self.sign = 1 if _core.larger_is_better(metric) else -1
        _core.check_convention(convention)

    def __call__(
        self, estimator: Any, X: Any, y: Any, sample_weight: Optional[Any] = None
    ) -> float:
        if sample_weight is not None:
            raise ValueError("the metrics of mugrad take no sample_weight")
        if is_label_sets(y):
            y = in_columns(y, label_names(estimator))
        if self.metric in DECISION_METRICS:
            value = _of_decisions(self.metric, y, estimator.predict(X), 0.5, self.convention)
        else:
            scores, _ = scores_of(estimator, X)
            name, _, k = self.metric.partition("@")
            value = (
                _at_k(name, y, scores, int(k), self.convention)
                if k
                else _of_scores(self.metric, y, scores, self.convention)
            )
        return self.sign * value

    def __repr__(self) -> str:
        if self.convention == "sklearn":
            return f"make_scorer({self.metric!r})"
        return f"make_scorer({self.metric!r}, convention={self.convention!r})"


def make_scorer(metric: str, *, convention: str = "sklearn") -> Scorer:
    """A scorer for `GridSearchCV`, `cross_val_score` and similar functions.

    Parameters
    ----------
    metric : str
        average-precision, coverage, ranking-loss, one-error, macro-f1, micro-f1, hamming-loss,
        subset-accuracy, precision@K or ndcg@K.
    convention : {"sklearn", "mulan", "lamda"}

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.multiclass import OneVsRestClassifier
    >>> from mugrad.datasets import make_multilabel
    >>> from mugrad.metrics import make_scorer
    >>> X, Y = make_multilabel(200, 10, 5, noise=1, random_state=0)
    >>> model = OneVsRestClassifier(LogisticRegression())
    >>> losses = cross_val_score(model, X, Y, scoring=make_scorer("ranking-loss"), cv=3)
    >>> bool((losses < 0).all())
    True
    """
    return Scorer(metric, convention)


def scorers(*metrics: str, convention: str = "sklearn") -> Dict[str, Scorer]:
    """Scorers by name, for `scoring=` of searches by several metrics; all metrics by default.

    Examples
    --------
    >>> from mugrad.metrics import scorers
    >>> scorers("macro-f1", "one-error")
    {'macro-f1': make_scorer('macro-f1'), 'one-error': make_scorer('one-error')}
    """
    names = metrics or RANKING_METRICS + DECISION_METRICS
    return {name: Scorer(name, convention) for name in names}
