# SPDX-License-Identifier: MIT
"""Label matrices and scores in the forms in which people have them."""

from __future__ import annotations

from collections.abc import Set
from typing import Any, List, Optional, Sequence, Tuple

import numpy as np
from scipy import sparse


def is_label_sets(y: Any) -> bool:
    """Whether y lists the labels of each example, rather than being a matrix.

    Rows that are sets, or lists of text: numbers in lists are a matrix, as in scikit-learn.
    """
    if not isinstance(y, (list, tuple)) or not y:
        return False

    def is_labels(row: Any) -> bool:
        if isinstance(row, Set):
            return True
        return isinstance(row, (list, tuple)) and all(isinstance(label, str) for label in row)

    return all(map(is_labels, y)) and any(isinstance(row, Set) or len(row) > 0 for row in y)


def indicator(
    y: Any, labels: Optional[Sequence[Any]] = None, *, name: str = "y"
) -> Tuple[Any, Optional[np.ndarray]]:
    """The matrix of examples x labels, dense as given or CSR, and the labels of its columns.

    Label sets become a CSR matrix whose columns are `labels`, or all that occur, sorted. The labels
    of a matrix are the columns of a DataFrame, else None.
    """
    if is_label_sets(y):
        return _from_sets(y, labels, name)
    if sparse.issparse(y):
        matrix = y.tocsr()
        if not matrix.has_canonical_format:
            matrix = matrix.copy()
            matrix.sum_duplicates()
        return matrix, None
    columns = getattr(y, "columns", None)
    array = np.asarray(y)
    if array.dtype == object:
        array = array.astype(np.float64)
    if array.ndim != 2:
        raise ValueError(
            f"{name} should be a matrix of examples x labels, or one set of labels per example; "
            f"got an array of shape {array.shape}"
        )
    return array, None if columns is None else np.asarray(columns)


def _from_sets(
    y: Sequence[Any], labels: Optional[Sequence[Any]], name: str
) -> Tuple[sparse.csr_matrix, np.ndarray]:
    columns = sorted(set().union(*y)) if labels is None else list(labels)
    number = {label: column for column, label in enumerate(columns)}
    indptr = np.zeros(len(y) + 1, dtype=np.int32)
    indices: List[int] = []
    for row, members in enumerate(y):
        try:
            indices.extend(sorted(number[label] for label in set(members)))
        except KeyError as error:
            raise ValueError(
                f"{name} has the label {error.args[0]!r}, which is not among the labels"
            ) from None
        indptr[row + 1] = len(indices)
    names = np.empty(len(columns), dtype=object)
    names[:] = columns
    ones = np.ones(len(indices), dtype=np.uint8)
    matrix = sparse.csr_matrix(
        (ones, np.asarray(indices, dtype=np.int32), indptr), shape=(len(y), len(columns))
    )
    return matrix, names


def score_rows(scores: Any, labels: Optional[Sequence[Any]] = None, *, name: str = "scores") -> Any:
    """Scores or predictions as the compiled part takes them."""
    if sparse.issparse(scores) or is_label_sets(scores):
        csr, _ = indicator(scores, labels, name=name)
        return (
            np.ascontiguousarray(csr.data, dtype=np.float64),
            np.ascontiguousarray(csr.indices, dtype=np.int32),
            np.ascontiguousarray(csr.indptr, dtype=np.int64),
            (int(csr.shape[0]), int(csr.shape[1])),
        )
    array = np.ascontiguousarray(scores, dtype=np.float64)
    if array.ndim != 2:
        raise ValueError(
            f"{name} should be a matrix of examples x labels, got an array of shape {array.shape}"
        )
    return array
