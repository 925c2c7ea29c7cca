# SPDX-License-Identifier: MIT
"""The convergence of MGD and its sensitivity to rho and sigma, as in `mugrad study`, for arrays."""

from __future__ import annotations

import json
from numbers import Integral, Real
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._options import table, text_of, thread_count
from ._progress import Progress
from ._splits import IterativeStratifiedKFold, IterativeStratifiedShuffleSplit, labels_of
from .datasets import _features

__all__ = ["convergence", "sensitivity"]

Rows = Tuple[List[int], List[int]]


def _options(options: Dict[str, Any]) -> Dict[str, str]:
    """Options of the core from parameters of MGDClassifier."""
    known = table("mgd")
    for name in options:
        if name not in known:
            raise TypeError(f"MGD has no option {name!r}; it has {', '.join(known)}")
    return {known[name]["name"]: text_of(known[name], value) for name, value in options.items()}


def _rows(X: Any, y: Any, cv: Any, random_state: Any) -> List[Rows]:
    if isinstance(cv, Integral):
        cv = IterativeStratifiedKFold(int(cv), random_state=random_state)
    elif isinstance(cv, Real):
        cv = IterativeStratifiedShuffleSplit(1, test_size=float(cv), random_state=random_state)
    splits: Iterable[Any] = cv.split(X, y) if hasattr(cv, "split") else cv
    rows = [(np.asarray(a).tolist(), np.asarray(b).tolist()) for a, b in splits]
    if not rows:
        raise ValueError("cv gives no split")
    return rows


def convergence(
    X: Any,
    y: Any,
    *,
    iterations: int = 500,
    metric: str = "average-precision",
    start_deviation: float = 1.0,
    cv: Union[float, Any] = 0.2,
    random_state: Any = 1,
    n_jobs: Optional[int] = None,
    verbose: int = 0,
    name: str = "",
    **options: Any,
) -> Dict[str, Any]:
    """Loss and a metric per iteration, of MGD and of gradient descent without transfer.

    Parameters
    ----------
    X, y : matrices (n, d) and (n, L); y may be one set of labels per example
    iterations : int
    metric : str
        Metric to measure on the test part.
    start_deviation : float
        Standard deviation of the initial weights, with `start="random"`.
    cv : float, int, splitter or [(train, test)]
        The share of test examples, a number of iteratively stratified folds, or a splitter; the
        first split is used.
    random_state : int, RandomState or None
        Seed of the split.
    n_jobs : int, optional
        Number of threads; by default all cores. Never changes a result.
    verbose : int
        Above 0: show progress.
    name : str
        Name of the data set, for titles.
    **options
        Parameters of `MGDClassifier`: rho, sigma, transfer, alpha, start, ...

    Returns
    -------
    dict
        The document that `mugrad study convergence -o` writes; `mugrad.plot.convergence` draws it.

    Examples
    --------
    >>> from mugrad.datasets import make_multilabel
    >>> from mugrad.study import convergence
    >>> X, Y = make_multilabel(100, 5, 4, random_state=0)
    >>> study = convergence(X, Y, iterations=20, rho=0.1, sigma=0.3)
    >>> [curve["name"] for curve in study["convergence"]["curves"]]
    ['MGD', 'gradient descent']
    """
    labels = labels_of(X, y)
    with Progress("studying", verbose) as progress:
        text = _core.study_convergence(
            x=_features(X),
            y=labels,
            rows=_rows(X, labels, cv, random_state)[0],
            options=_options(options),
            iterations=int(iterations),
            start_deviation=float(start_deviation),
            metric=metric,
            set=name,
            threads=thread_count(n_jobs),
            progress=progress,
        )
    return dict(json.loads(text))


def sensitivity(
    X: Any,
    y: Any,
    *,
    rhos: Sequence[float] = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1),
    sigmas: Sequence[float] = (0, 0.03, 0.1, 0.3, 1, 3),
    metric: str = "average-precision",
    cv: Union[float, Any] = 0.2,
    random_state: Any = 1,
    n_jobs: Optional[int] = None,
    verbose: int = 0,
    name: str = "",
    **options: Any,
) -> Dict[str, Any]:
    """A metric over a grid of rho and sigma, averaged over the test parts of the splits.

    Parameters
    ----------
    X, y, metric, random_state, n_jobs, verbose, name, **options : as `convergence`
    rhos, sigmas : floats
    cv : float, int, splitter or [(train, test), ...]
        The share of test examples, a number of iteratively stratified folds, or a splitter.

    Returns
    -------
    dict
        The document that `mugrad study sensitivity -o` writes; `mugrad.plot.sensitivity` draws it.

    Examples
    --------
    >>> from mugrad.datasets import make_multilabel
    >>> from mugrad.study import sensitivity
    >>> X, Y = make_multilabel(100, 5, 4, random_state=0)
    >>> study = sensitivity(X, Y, rhos=[0.01, 0.1], sigmas=[0, 0.1, 1])
    >>> [len(row) for row in study["sensitivity"]["values"]]
    [3, 3]
    """
    labels = labels_of(X, y)
    with Progress("studying", verbose) as progress:
        text = _core.study_sensitivity(
            x=_features(X),
            y=labels,
            splits=_rows(X, labels, cv, random_state),
            options=_options(options),
            rhos=[float(rho) for rho in rhos],
            sigmas=[float(sigma) for sigma in sigmas],
            metric=metric,
            set=name,
            threads=thread_count(n_jobs),
            progress=progress,
        )
    return dict(json.loads(text))
