# SPDX-License-Identifier: MIT
"""The scores of any multi-label classifier, always as one matrix of examples x labels."""

from __future__ import annotations

from typing import Any, NamedTuple, Tuple

import numpy as np


class ScoreRange(NamedTuple):
    """Near which numbers scores lie; in the middle a label is as likely present as absent."""

    low: float
    high: float
    middle: float


RESPONSES = {
    "predict_proba": ScoreRange(0.0, 1.0, 0.5),
    "decision_function": ScoreRange(-1.0, 1.0, 0.0),
}


def response_name(estimator: Any, response: str = "auto") -> str:
    """The name of the method that returns scores, preferably probabilities."""
    if response != "auto" and response not in RESPONSES:
        raise ValueError(
            f"response_method must be 'auto' or one of {tuple(RESPONSES)}, got {response!r}"
        )
    for name in RESPONSES if response == "auto" else (response,):
        if hasattr(estimator, name):
            return name
    wanted = " or ".join(RESPONSES) if response == "auto" else response
    raise AttributeError(f"{type(estimator).__name__} has no {wanted}")


def scores_of(estimator: Any, X: Any, response: str = "auto") -> Tuple[np.ndarray, ScoreRange]:
    """Scores (n, L), and where they lie."""
    name = response_name(estimator, response)
    raw = getattr(estimator, name)(X)
    if isinstance(raw, list):  # one array of (n, classes) per label, as forests return
        raw = np.column_stack([_of_positives(estimator, raw, label) for label in range(len(raw))])
    scores = np.ascontiguousarray(raw, dtype=np.float64)
    if scores.ndim == 1:
        scores = scores.reshape(-1, 1)
    return scores, RESPONSES[name]


def last_step(estimator: Any) -> Any:
    """The final estimator of a pipeline or a search, fitted or not."""
    while True:
        if hasattr(estimator, "best_estimator_"):
            estimator = estimator.best_estimator_
        elif hasattr(estimator, "steps"):
            estimator = estimator.steps[-1][1]
        elif hasattr(estimator, "param_grid") or hasattr(estimator, "param_distributions"):
            estimator = estimator.estimator
        else:
            return estimator


def label_names(estimator: Any) -> np.ndarray:
    """The labels of predicted columns, also for an estimator inside a pipeline or a search."""
    names = getattr(last_step(estimator), "label_names_", None)
    if names is None:
        raise ValueError(
            f"{type(estimator).__name__} does not say which labels its columns are; give y as a "
            "matrix instead of sets"
        )
    return np.asarray(names)


def _of_positives(estimator: Any, raw: Any, label: int) -> np.ndarray:
    """The probability of class 1; it has no column if a label has no such examples."""
    values = np.asarray(raw[label])
    if values.ndim == 1:
        return values
    classes = getattr(estimator, "classes_", None)
    if isinstance(classes, list):
        found = np.flatnonzero(np.asarray(classes[label]) == 1)
        return values[:, found[0]] if len(found) else np.zeros(len(values))
    return values[:, -1]
