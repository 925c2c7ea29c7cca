# SPDX-License-Identifier: MIT
"""Single metrics by name, and scorers of them."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

from . import _core
from ._evaluation import Threshold, evaluate
from ._responses import label_names, scores_of
from ._targets import in_columns, in_matrix, is_label_sets


def _names(**facts: bool) -> Tuple[str, ...]:
    """The metrics without a k of which these facts are true."""
    return tuple(
        measure["name"]
        for measure in _core.measures()
        if all(measure[fact] == value for fact, value in dict(facts, has_k=False).items())
    )


DECISION_METRICS = _names(uses_thresholds=True)
PROBABILITY_METRICS = _names(needs_probabilities=True)
#: Of any scores: probabilities or others.
SCORE_METRICS = _names(uses_thresholds=False, needs_probabilities=False)
ALL_SCORES_METRICS = _names(needs_all_scores=True)


def metric_value(
    metric: str, y_true: Any, y_pred: Any, convention: str, threshold: Threshold = 0.5
) -> float:
    found = evaluate(
        y_true,
        y_pred,
        threshold=threshold,
        convention=convention,
        at=(),
        are_probabilities=metric in PROBABILITY_METRICS,
        keep_scores=metric in ALL_SCORES_METRICS,
    )
    return found[metric]


def metric_at_k(metric: str, y_true: Any, scores: Any, k: int, convention: str) -> float:
    found = evaluate(
        y_true, scores, convention=convention, at=(k,), are_probabilities=False, keep_scores=False
    )
    if f"{metric}@{k}" not in found:
        raise ValueError(f"k must be from 1 to {found.labels}, the number of labels; got {k}")
    return found[f"{metric}@{k}"]


class Scorer:
    """Evaluates a fitted estimator: `scorer(estimator, X, y)`; larger is always better.

    Losses, errors and coverage are negated. Metrics of predicted labels use `predict`, metrics of
    probabilities `predict_proba`; the others use `predict_proba`, or `decision_function`.

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
            y_pred = in_matrix(estimator.predict(X), lambda: label_names(estimator))
        else:
            is_of_probabilities = self.metric in PROBABILITY_METRICS
            y_pred, _ = scores_of(
                estimator, X, "predict_proba" if is_of_probabilities else "auto"
            )
        name, _, k = self.metric.partition("@")
        if k:
            return self.sign * metric_at_k(name, y, y_pred, int(k), self.convention)
        return self.sign * metric_value(name, y, y_pred, self.convention)

    def __repr__(self) -> str:
        if self.convention == "sklearn":
            return f"make_scorer({self.metric!r})"
        return f"make_scorer({self.metric!r}, convention={self.convention!r})"


def make_scorer(metric: str, *, convention: str = "sklearn") -> Scorer:
    """A scorer for `GridSearchCV`, `cross_val_score` and similar functions.

    Parameters
    ----------
    metric : str
        average-precision, coverage, ranking-loss, one-error, macro-f1, micro-f1, example-f1,
        hamming-loss, subset-accuracy, precision@K, ndcg@K, micro-auc, macro-auc, log-loss,
        brier-score or calibration-error.
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
    """Scorers by name, for `scoring=` of searches by several metrics.

    By default all metrics without a k, except those of probabilities, which require an estimator
    with `predict_proba`: log-loss, brier-score and calibration-error.

    Examples
    --------
    >>> from mugrad.metrics import scorers
    >>> scorers("macro-f1", "one-error")
    {'macro-f1': make_scorer('macro-f1'), 'one-error': make_scorer('one-error')}
    """
    names = metrics or SCORE_METRICS + DECISION_METRICS
    return {name: Scorer(name, convention) for name in names}
