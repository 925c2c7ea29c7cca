# SPDX-License-Identifier: MIT
"""Features of tables, with what they are made of."""

from __future__ import annotations

import sys
import warnings
from typing import Any, Optional

import numpy as np
import scipy.sparse as sp

from . import _core
from ._sparse import csr_from


_WITHIN = ("mugrad", "sklearn")


def _selects_rows(key: Any) -> bool:
    """Whether X[key] has all columns of X, in order."""
    if isinstance(key, tuple):
        return len(key) == 2 and isinstance(key[1], slice) and key[1] == slice(None)
    return True


class TableMatrix(sp.csr_matrix):
    """Sparse features of a table: a CSR matrix that knows what its columns are.

    `table_features` says which features are terms of texts, and how columns became features. It
    stays where rows are selected, as splits and searches do, and is None after anything else.
    """

    table_features: Optional[_core.TableFeatures] = None

    def __getitem__(self, key: Any) -> Any:
        rows = super().__getitem__(key)
        if isinstance(rows, TableMatrix) and _selects_rows(key) and rows.shape[1] == self.shape[1]:
            rows.table_features = self.table_features
        return rows


class TableArray(np.ndarray):
    """Dense features of a table, as `TableMatrix`."""

    table_features: Optional[_core.TableFeatures] = None

    def __getitem__(self, key: Any) -> Any:
        rows = super().__getitem__(key)
        if isinstance(rows, TableArray) and rows.ndim == 2 and _selects_rows(key):
            rows.table_features = self.table_features
        return rows

    def __reduce__(self) -> Any:
        parts: Any = super().__reduce__()
        rebuild, arguments, state = parts
        return rebuild, arguments, (state, self.table_features)

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state[0])
        self.table_features = state[1]


def table_matrix(parts: Any, features: _core.TableFeatures) -> Any:
    """What the core made of a table, with the features that it has."""
    if isinstance(parts, tuple):
        matrix = csr_from(parts, container=TableMatrix)
        matrix.has_canonical_format = True
    else:
        matrix = parts.view(TableArray)
    matrix.table_features = features
    return matrix


def plain_matrix(X: Any) -> Any:
    """The same matrix without its features."""
    if isinstance(X, TableMatrix):
        plain = sp.csr_matrix((X.data, X.indices, X.indptr), shape=X.shape, copy=False)
        plain.has_canonical_format = X.has_canonical_format
        return plain
    return X.view(np.ndarray) if isinstance(X, TableArray) else X


def features_of(X: Any) -> Optional[_core.TableFeatures]:
    """The features of a table, if X is one.

    Warns if they were lost: X came from a TableVectorizer and was changed since.
    """
    if not isinstance(X, (TableMatrix, TableArray)):
        return None
    features = X.table_features
    if features is None:
        warnings.warn(
            "X was made by TableVectorizer and changed since, so that it is not known any more "
            "which of its features are terms of texts: they are taken for plain numbers, and the "
            "model cannot read tables",
            UserWarning,
            stacklevel=callers_level(),
        )
    return features


def callers_level() -> int:
    """The level of the first frame outside of this package and scikit-learn, for a warning."""
    frame, level = sys._getframe(1), 1
    while frame.f_back and str(frame.f_globals.get("__name__")).split(".")[0] in _WITHIN:
        frame, level = frame.f_back, level + 1
    return level


def filled(X: Any, means: np.ndarray) -> Any:
    """X with the means of the training data in place of NaN."""
    values = X.data if sp.issparse(X) else X
    missing = np.isnan(values)
    if not missing.any():
        return X
    X = X.copy()
    if sp.issparse(X):
        X.data[missing] = means[X.indices[missing]]
        return X
    X[missing] = means[np.nonzero(missing)[1]]
    return X
