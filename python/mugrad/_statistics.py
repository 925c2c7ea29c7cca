# SPDX-License-Identifier: MIT
"""Tests whether methods differ over data sets, as recommended by Demsar (2006).

A data set is a row, a method a column. The names of methods are the columns of a DataFrame, or
their numbers.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _core


class FriedmanResult(NamedTuple):
    """The null hypothesis is that all methods are equal."""

    mean_ranks: np.ndarray  #: one per method; 1 is the best
    statistic: float  #: chi-squared, corrected for equal ranks
    pvalue: float
    f_statistic: float  #: Iman and Davenport's, less conservative
    f_pvalue: float


class NemenyiResult(NamedTuple):
    """Methods whose mean ranks differ by the critical distance or more differ."""

    methods: List[Any]
    mean_ranks: np.ndarray
    critical_distance: float
    groups: List[List[Any]]  #: longest runs of methods that do not differ


class BonferroniDunnResult(NamedTuple):
    """Compares one method, chosen beforehand, with each of the others."""

    control: Any
    mean_ranks: np.ndarray
    critical_distance: float
    different: List[Any]  #: methods that differ from the control


class WilcoxonResult(NamedTuple):
    """The null hypothesis is that neither of two methods is better."""

    wins: int  #: data sets on which the first is better
    losses: int
    ties: int
    statistic: float  #: the smaller of the two sums of ranks
    pvalue: float  #: two-sided
    exact: bool  #: by counting; otherwise by the normal distribution


class PairResult(NamedTuple):
    """Comparison of two of several methods."""

    a: Any
    b: Any
    wins: int  #: of a
    losses: int
    ties: int
    pvalue: float
    holm: float  #: the p-value adjusted for all pairs


def _table(values: Any) -> Tuple[np.ndarray, List[Any]]:
    array = np.ascontiguousarray(values, dtype=np.float64)
    if array.ndim != 2:
        raise ValueError(f"values should be data sets x methods, got shape {array.shape}")
    columns = getattr(values, "columns", None)
    return array, list(range(array.shape[1])) if columns is None else list(columns)


def _number(methods: Sequence[Any], method: Any) -> int:
    if method not in methods:
        raise ValueError(f"there is no method {method!r}; there are {list(methods)}")
    return list(methods).index(method)


def ranks(values: Any, *, larger_is_better: bool = True) -> np.ndarray:
    """The rank of every method in each data set; 1 is the best, and ties share the mean rank.

    Examples
    --------
    >>> from mugrad.metrics import ranks
    >>> ranks([[0.9, 0.8, 0.8]])
    array([[1. , 2.5, 2.5]])
    """
    return np.asarray(_core.ranks(_table(values)[0], larger_is_better))


def friedman(values: Any, *, larger_is_better: bool = True) -> FriedmanResult:
    """Friedman's test whether any methods differ, and Iman and Davenport's correction.

    Examples
    --------
    >>> from mugrad.metrics import friedman
    >>> test = friedman([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.5, 0.6, 0.4], [0.9, 0.7, 0.8]])
    >>> test.mean_ranks.tolist(), round(test.pvalue, 4)
    ([1.25, 2.0, 2.75], 0.1054)
    """
    mean_ranks, *rest = _core.friedman(_table(values)[0], larger_is_better)
    return FriedmanResult(np.asarray(mean_ranks), *rest)


def nemenyi(values: Any, *, larger_is_better: bool = True, alpha: float = 0.05) -> NemenyiResult:
    """Nemenyi's test: which pairs of methods differ.

    Examples
    --------
    >>> import numpy as np
    >>> from mugrad.metrics import nemenyi
    >>> values = np.tile([0.9, 0.8, 0.1], (10, 1))
    >>> found = nemenyi(values)
    >>> round(found.critical_distance, 4), found.groups
    (1.0481, [[0, 1], [1, 2]])
    """
    array, methods = _table(values)
    mean_ranks = np.asarray(_core.friedman(array, larger_is_better)[0])
    distance = _core.nemenyi_critical_distance(len(methods), len(array), alpha)
    groups = _core.groups_alike(mean_ranks.tolist(), distance)
    named = [[methods[number] for number in group] for group in groups]
    return NemenyiResult(methods, mean_ranks, distance, named)


def bonferroni_dunn(
    values: Any, control: Any, *, larger_is_better: bool = True, alpha: float = 0.05
) -> BonferroniDunnResult:
    """Bonferroni and Dunn's test: which methods differ from one chosen beforehand.

    Examples
    --------
    >>> import numpy as np
    >>> from mugrad.metrics import bonferroni_dunn
    >>> bonferroni_dunn(np.tile([0.9, 0.8, 0.1], (10, 1)), control=0).different
    [2]
    """
    array, methods = _table(values)
    chosen = _number(methods, control)
    mean_ranks = np.asarray(_core.friedman(array, larger_is_better)[0])
    distance = _core.bonferroni_dunn_critical_distance(len(methods), len(array), alpha)
    different = [
        name
        for name, rank in zip(methods, mean_ranks)
        if abs(rank - mean_ranks[chosen]) >= distance
    ]
    return BonferroniDunnResult(control, mean_ranks, distance, different)


def wilcoxon(a: Any, b: Any, *, larger_is_better: bool = True) -> WilcoxonResult:
    """Wilcoxon's signed-rank test of two methods over the same data sets.

    Examples
    --------
    >>> from mugrad.metrics import wilcoxon
    >>> wilcoxon([0.9, 0.8, 0.7, 0.6, 0.5], [0.8, 0.6, 0.4, 0.2, 0.0]).pvalue
    0.0625
    """
    first, second = (np.asarray(v, dtype=np.float64).ravel().tolist() for v in (a, b))
    return WilcoxonResult(*_core.wilcoxon(first, second, larger_is_better))


def holm(pvalues: Any) -> np.ndarray:
    """Holm's adjusted p-values: all that are at most alpha are significant together.

    Examples
    --------
    >>> from mugrad.metrics import holm
    >>> holm([0.01, 0.04, 0.03]).round(4).tolist()
    [0.03, 0.06, 0.06]
    """
    return np.asarray(_core.holm(np.asarray(pvalues, dtype=np.float64).ravel().tolist()))


def wilcoxon_holm(
    values: Any, *, control: Optional[Any] = None, larger_is_better: bool = True
) -> List[PairResult]:
    """Wilcoxon's test of every pair of methods, adjusted by Holm.

    With `control`, only that method is compared with each of the others.

    Examples
    --------
    >>> import numpy as np
    >>> from mugrad.metrics import wilcoxon_holm
    >>> rng = np.random.default_rng(0)
    >>> values = rng.normal(size=(12, 3)) + [2, 0, 0]
    >>> [(pair.a, pair.b, pair.holm < 0.05) for pair in wilcoxon_holm(values)]
    [(0, 1, True), (0, 2, True), (1, 2, False)]
    """
    array, methods = _table(values)
    if control is None:
        pairs = list(combinations(range(len(methods)), 2))
    else:
        chosen = _number(methods, control)
        pairs = [(chosen, other) for other in range(len(methods)) if other != chosen]
    tests = [
        wilcoxon(array[:, a], array[:, b], larger_is_better=larger_is_better) for a, b in pairs
    ]
    adjusted = holm([test.pvalue for test in tests])
    return [
        PairResult(
            methods[a], methods[b], test.wins, test.losses, test.ties, test.pvalue, float(p)
        )
        for (a, b), test, p in zip(pairs, tests, adjusted)
    ]
