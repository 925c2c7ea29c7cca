# SPDX-License-Identifier: MIT
"""Every metric of one set of predictions at once."""

from __future__ import annotations

from typing import Any, Dict, Iterator, Mapping, Optional, Sequence, Union

import numpy as np

from . import _core
from ._targets import indicator, score_rows, sets_of

Threshold = Union[float, Sequence[float], np.ndarray]


class Evaluation(Mapping[str, float]):
    """Every metric of one set of predictions, by name.

    Attributes
    ----------
    convention : str
    skipped : dict
        Per metric, the rows (labels, for macro-f1 and macro-auc) that its mean leaves out.
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
    are_probabilities: Optional[bool] = None,
    keep_scores: Optional[bool] = None,
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
    are_probabilities : bool, optional
        Whether scores are probabilities of the labels; by default if all are from 0 to 1. If not,
        log-loss, brier-score and calibration-error are left out.
    keep_scores : bool, optional
        Whether to report micro-auc, macro-auc and calibration-error, which need a sorted copy of
        all scores; by default for up to 20 million scores.

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
    found = _core.evaluate(
        scores=score_rows(scores, labels),
        truth=truth,
        thresholds=thresholds.tolist(),
        convention=convention,
        at=[int(k) for k in at],
        are_probabilities=are_probabilities,
        keep_scores=keep_scores,
    )
    return Evaluation(found, convention)
