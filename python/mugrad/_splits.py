# SPDX-License-Identifier: MIT
"""Splits that keep every label's share."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, Iterable, Iterator, List, NamedTuple, Optional, Tuple, Union

import numpy as np
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from . import _core
from ._options import seed_from
from ._targets import indicator

Split = Tuple[np.ndarray, np.ndarray]


def labels_of(X: Any, y: Any) -> Any:
    if y is None:
        raise ValueError("the labels y are needed to split by them")
    labels, _ = indicator(y)
    if X is not None and _num_samples(X) != labels.shape[0]:
        raise ValueError(f"X has {_num_samples(X)} examples, y has {labels.shape[0]}")
    return labels


def _check_n_splits(n_splits: Any, least: int) -> None:
    if not isinstance(n_splits, Integral) or n_splits < least:
        raise ValueError(f"n_splits must be a whole number from {least} on, got {n_splits!r}")


class IterativeStratifiedKFold(BaseCrossValidator):
    """Folds in which every label has about its share of positives.

    Iterative stratification (Sechidis, Tsoumakas and Vlahavas 2011). A label with at least
    `n_splits` positives is in every fold, unless other labels prevent this; `split_quality`
    reports it. Unknown labels (NaN) count as absent.

    Parameters
    ----------
    n_splits : int
    random_state : int, RandomState or None
        A whole number always gives the same folds, those of `mugrad split --seed`.

    Examples
    --------
    >>> from mugrad.datasets import make_multilabel
    >>> from mugrad.model_selection import IterativeStratifiedKFold
    >>> X, Y = make_multilabel(100, 5, 4, random_state=0)
    >>> folds = IterativeStratifiedKFold(4, random_state=0)
    >>> [len(test) for train, test in folds.split(X, Y)]
    [25, 25, 25, 25]
    """

    def __init__(self, n_splits: int = 5, *, random_state: Any = None) -> None:
        self.n_splits = n_splits
        self.random_state = random_state

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        return self.n_splits

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Row numbers of train and test, fold by fold. `y`: a matrix or sets of labels."""
        labels = labels_of(X, y)
        _check_n_splits(self.n_splits, 2)
        if self.n_splits > labels.shape[0]:
            raise ValueError(
                f"Cannot have number of splits n_splits={self.n_splits} greater than the number "
                f"of samples: n_samples={labels.shape[0]}."
            )
        yield from _core.stratified_k_fold(labels, int(self.n_splits), seed_from(self.random_state))


def _shares(n: int, test_size: Any, train_size: Any) -> Tuple[float, float]:
    """Shares of train and test; a missing one is the rest, by default a quarter for testing."""

    def share(name: str, size: Any) -> Optional[float]:
        if size is None:
            return None
        if isinstance(size, Integral) and 0 < int(size) < n:
            return int(size) / n
        if isinstance(size, Real) and not isinstance(size, Integral) and 0 < float(size) < 1:
            return float(size)
        raise ValueError(
            f"{name} must be a share between 0 and 1, or a number of the {n} examples; got {size!r}"
        )

    test, train = share("test_size", test_size), share("train_size", train_size)
    if test is None:
        test = 0.25 if train is None else 1 - train
    if train is None:
        train = 1 - test
    if train + test > 1 + 1e-12:
        raise ValueError(f"test_size={test_size!r} and train_size={train_size!r} exceed the whole")
    return train, test


def _one_split(labels: Any, train: float, test: float, seed: int) -> Split:
    if train + test > 1 - 1e-12:
        rows, others = _core.stratified_split(labels, train, seed)
        return rows, others
    part = _core.iterative_stratification(labels, [train, test, 1 - train - test], seed)
    return np.flatnonzero(part == 0), np.flatnonzero(part == 1)


class IterativeStratifiedShuffleSplit(BaseCrossValidator):
    """Random splits in which train and test have about the same share of every label.

    Parameters
    ----------
    n_splits : int
    test_size, train_size : float, int or None
        Shares, or numbers of examples; the sizes are approximate, because of the labels.
    random_state : int, RandomState or None
        A whole number always gives the same splits, the first of which is that of `mugrad split
        --stratified --seed`. Splits of different numbers are independent.

    Examples
    --------
    >>> from mugrad.datasets import make_multilabel
    >>> from mugrad.model_selection import IterativeStratifiedShuffleSplit
    >>> X, Y = make_multilabel(100, 5, 4, random_state=0)
    >>> splits = IterativeStratifiedShuffleSplit(3, test_size=0.2, random_state=0)
    >>> [len(test) for train, test in splits.split(X, Y)]
    [20, 20, 20]
    """

    def __init__(
        self,
        n_splits: int = 10,
        *,
        test_size: Union[float, int, None] = None,
        train_size: Union[float, int, None] = None,
        random_state: Any = None,
    ) -> None:
        self.n_splits = n_splits
        self.test_size = test_size
        self.train_size = train_size
        self.random_state = random_state

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        return self.n_splits

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Row numbers of train and test, split by split. `y`: a matrix or sets of labels."""
        labels = labels_of(X, y)
        _check_n_splits(self.n_splits, 1)
        train, test = _shares(labels.shape[0], self.test_size, self.train_size)
        seed = seed_from(self.random_state)
        for number in range(self.n_splits):
            yield _one_split(labels, train, test, _core.split_seed(seed, number))


def train_test_split(
    X: Any,
    y: Any,
    *arrays: Any,
    test_size: Union[float, int, None] = None,
    train_size: Union[float, int, None] = None,
    random_state: Any = None,
) -> List[Any]:
    """X_train, X_test, y_train, y_test, ... with about the same share of every label in both.

    Parameters
    ----------
    X : matrix, DataFrame or list
    y : matrix (n, L), dense or sparse, or one set of labels per example
    *arrays : further arrays to split in the same way
    test_size, train_size : float, int or None
        By default a quarter of the examples is for testing.
    random_state : int, RandomState or None

    Examples
    --------
    >>> from mugrad.datasets import make_multilabel
    >>> from mugrad.model_selection import train_test_split
    >>> X, Y = make_multilabel(100, 5, 4, random_state=0)
    >>> X_train, X_test, Y_train, Y_test = train_test_split(X, Y, random_state=0)
    >>> X_train.shape, Y_test.shape
    ((75, 5), (25, 4))
    """
    labels = labels_of(X, y)
    for array in arrays:
        if _num_samples(array) != labels.shape[0]:
            raise ValueError(
                f"an array has {_num_samples(array)} examples, y has {labels.shape[0]}"
            )
    train, test = _shares(labels.shape[0], test_size, train_size)
    rows = _one_split(labels, train, test, seed_from(random_state))
    return [_safe_indexing(array, part) for array in (X, y, *arrays) for part in rows]


class SplitQuality(NamedTuple):
    """How well a split keeps the labels' shares."""

    n_train: int
    n_test: int
    #: mean over labels and both parts of |share of the label in the part - share in the whole|
    label_deviation: float
    labels_missing_in_train: int  #: that have positives, but none in train
    labels_missing_in_test: int


def split_quality(y: Any, splits: Union[BaseCrossValidator, Iterable[Split]]) -> List[SplitQuality]:
    """How well each split keeps the labels' shares, for any splitter.

    Parameters
    ----------
    y : matrix (n, L), or one set of labels per example
    splits : a splitter, or pairs of row numbers (train, test)

    Examples
    --------
    >>> from sklearn.model_selection import KFold
    >>> from mugrad.datasets import make_multilabel
    >>> from mugrad.model_selection import IterativeStratifiedKFold, split_quality
    >>> X, Y = make_multilabel(200, 5, 10, random_state=0)
    >>> ours = split_quality(Y, IterativeStratifiedKFold(5, random_state=0))
    >>> plain = split_quality(Y, KFold(5))
    >>> max(fold.label_deviation for fold in ours) < min(fold.label_deviation for fold in plain)
    True
    """
    labels = labels_of(None, y)
    split = getattr(splits, "split", None)
    pairs = split(np.zeros((labels.shape[0], 1)), y) if split is not None else splits
    return [
        SplitQuality(len(train), len(test), *_core.split_quality(labels, train, test))
        for train, test in pairs
    ]
