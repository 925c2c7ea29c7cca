# SPDX-License-Identifier: MIT
"""Multi-label metrics under a named convention, scorers, and tests of differences of methods.

Truth is a matrix of examples x labels (an array, a CSR matrix or a DataFrame of 0 and 1), or one
set of labels per example. NaN in it means that it is unknown whether the example has the label:
the example is then evaluated on its other labels. `docs/metrics.md` defines every metric and
says how each convention counts ties, empty rows and empty labels.
"""

from __future__ import annotations

from typing import Any

from ._evaluation import Evaluation, Threshold, evaluate
from ._scorers import (
    DECISION_METRICS as DECISION_METRICS,
    PROBABILITY_METRICS as PROBABILITY_METRICS,
    SCORE_METRICS as SCORE_METRICS,
    Scorer,
    make_scorer,
    metric_at_k,
    metric_value,
    scorers,
)
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
    "brier_score",
    "calibration_error",
    "coverage",
    "evaluate",
    "example_f1",
    "friedman",
    "hamming_loss",
    "holm",
    "log_loss",
    "macro_auc",
    "macro_f1",
    "make_scorer",
    "micro_auc",
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

def average_precision(y_true: Any, scores: Any, *, convention: str = "sklearn") -> float:
    """Mean over examples of the precision at each true label's rank; larger is better.

    Under "sklearn" it is `sklearn.metrics.label_ranking_average_precision_score`.

    Examples
    --------
    >>> from mugrad.metrics import average_precision
    >>> average_precision([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.41666666666666663
    """
    return metric_value("average-precision", y_true, scores, convention)


def coverage(y_true: Any, scores: Any, *, convention: str = "sklearn") -> float:
    """(Worst rank of a true label - 1) / L, the mean over examples; smaller is better.

    `sklearn.metrics.coverage_error` is L times this plus the share of rows that have labels.

    Examples
    --------
    >>> from mugrad.metrics import coverage
    >>> coverage([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.5
    """
    return metric_value("coverage", y_true, scores, convention)


def ranking_loss(y_true: Any, scores: Any, *, convention: str = "sklearn") -> float:
    """Share of pairs of a true and a false label in the wrong order; smaller is better.

    Under "sklearn" it is `sklearn.metrics.label_ranking_loss`.

    Examples
    --------
    >>> from mugrad.metrics import ranking_loss
    >>> ranking_loss([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.75
    """
    return metric_value("ranking-loss", y_true, scores, convention)


def one_error(y_true: Any, scores: Any, *, convention: str = "sklearn") -> float:
    """Share of examples whose first label is false; smaller is better.

    Examples
    --------
    >>> from mugrad.metrics import one_error
    >>> one_error([[1, 0, 0], [0, 0, 1]], [[0.9, 0.5, 0.1], [1, 0.2, 0.1]])
    0.5
    """
    return metric_value("one-error", y_true, scores, convention)


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
    return metric_value("macro-f1", y_true, y_pred, convention, threshold)


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
    return metric_value("micro-f1", y_true, y_pred, convention, threshold)


def example_f1(
    y_true: Any, y_pred: Any, *, threshold: Threshold = 0.5, convention: str = "sklearn"
) -> float:
    """Mean over examples of F1; larger is better. `y_pred` are predictions, or scores.

    Under "sklearn" it is `sklearn.metrics.f1_score(..., average="samples", zero_division=0)`.

    Examples
    --------
    >>> from mugrad.metrics import example_f1
    >>> example_f1([[1, 0], [1, 1]], [[1, 0], [0, 1]])
    0.8333333333333333
    """
    return metric_value("example-f1", y_true, y_pred, convention, threshold)


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
    return metric_value("hamming-loss", y_true, y_pred, convention, threshold)


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
    return metric_value("subset-accuracy", y_true, y_pred, convention, threshold)


def micro_auc(y_true: Any, scores: Any, *, convention: str = "sklearn") -> float:
    """Area under the ROC curve of all labels together; larger is better.

    It is `sklearn.metrics.roc_auc_score(..., average="micro")`, and NaN if all labels are true or
    all are false. The convention changes nothing.

    Examples
    --------
    >>> from mugrad.metrics import micro_auc
    >>> micro_auc([[1, 0], [0, 1]], [[0.9, 0.4], [0.5, 0.4]])
    0.625
    """
    return metric_value("micro-auc", y_true, scores, convention)


def macro_auc(y_true: Any, scores: Any, *, convention: str = "sklearn") -> float:
    """Mean over labels of the area under the ROC curve; larger is better.

    It is `sklearn.metrics.roc_auc_score(..., average="macro")`, without the labels that every
    example has, or none. The convention changes nothing.

    Examples
    --------
    >>> from mugrad.metrics import macro_auc
    >>> macro_auc([[1, 0, 0], [0, 1, 0]], [[0.9, 0.4, 0.2], [0.5, 0.4, 0.1]])
    0.75
    """
    return metric_value("macro-auc", y_true, scores, convention)


def log_loss(y_true: Any, probabilities: Any, *, convention: str = "sklearn") -> float:
    """Mean over examples and labels of -ln of the probability of the truth; smaller is better.

    It is the mean over the labels of `sklearn.metrics.log_loss`. Probabilities are clipped to
    [1e-15, 1 - 1e-15]. The convention changes nothing.

    Examples
    --------
    >>> from mugrad.metrics import log_loss
    >>> round(log_loss([[1, 0], [0, 1]], [[0.9, 0.5], [0.1, 0.5]]), 4)
    0.3993
    """
    return metric_value("log-loss", y_true, probabilities, convention)


def brier_score(y_true: Any, probabilities: Any, *, convention: str = "sklearn") -> float:
    """Mean over examples and labels of (p - y)^2; smaller is better.

    It is the mean over the labels of `sklearn.metrics.brier_score_loss`. The convention changes
    nothing.

    Examples
    --------
    >>> from mugrad.metrics import brier_score
    >>> brier_score([[1, 0], [0, 1]], [[0.75, 0.5], [0.25, 0.5]])
    0.15625
    """
    return metric_value("brier-score", y_true, probabilities, convention)


def calibration_error(y_true: Any, probabilities: Any, *, convention: str = "sklearn") -> float:
    """How far probabilities are from the shares of true labels; smaller is better.

    All pairs of an example and a label are sorted by probability and divided into 15 bins of
    about equal count. The expected calibration error is the mean over the pairs of the difference
    of mean probability and share of true labels in their bin. The convention changes nothing.

    Examples
    --------
    >>> from mugrad.metrics import calibration_error
    >>> calibration_error([[1, 0], [0, 0], [1, 0]], [[0.5, 0.5], [0.5, 0.5], [1, 0]])
    0.16666666666666666
    """
    return metric_value("calibration-error", y_true, probabilities, convention)


def precision_at_k(y_true: Any, scores: Any, k: int, *, convention: str = "sklearn") -> float:
    """Share of true labels among the first k; larger is better.

    Examples
    --------
    >>> from mugrad.metrics import precision_at_k
    >>> precision_at_k([[1, 0, 1]], [[0.9, 0.5, 0.1]], k=2)
    0.5
    """
    return metric_at_k("precision", y_true, scores, k, convention)


def ndcg_at_k(y_true: Any, scores: Any, k: int, *, convention: str = "sklearn") -> float:
    """Discounted gain of the first k labels, relative to the best possible; larger is better.

    Under "sklearn" it is `sklearn.metrics.ndcg_score(..., k=k)`.

    Examples
    --------
    >>> from mugrad.metrics import ndcg_at_k
    >>> round(ndcg_at_k([[1, 0, 1]], [[0.9, 0.5, 0.1]], k=2), 4)
    0.6131
    """
    return metric_at_k("ndcg", y_true, scores, k, convention)
