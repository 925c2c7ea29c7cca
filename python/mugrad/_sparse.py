# SPDX-License-Identifier: MIT
"""Sparse matrices in the one form that the core takes and gives."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import scipy.sparse as sp


def is_sparse_array(matrix: Any) -> bool:
    """Whether it is of the newer of SciPy's two kinds of sparse matrices."""
    return sp.issparse(matrix) and not isinstance(matrix, sp.spmatrix)


def canonical(matrix: Any) -> Any:
    """As CSR, the columns ascending in each row and none twice; itself where it is that already."""
    csr = matrix.tocsr()
    if not csr.has_canonical_format:
        csr = csr.copy()
        csr.sum_duplicates()
    return csr


def csr_from(parts: Any, dtype: Any = None, container: Any = sp.csr_matrix) -> Any:
    """The matrix of (data, indices, indptr, shape)."""
    data, indices, indptr, shape = parts
    return container((data, indices, indptr), shape=shape, dtype=dtype)


@lru_cache(maxsize=None)
def _attributes(container: Any) -> dict[str, Any]:
    """What a matrix of this kind consists of beside its shape and its numbers."""
    matrix = container((1, 1), dtype=np.int8)
    matrix.has_canonical_format = True
    return vars(matrix)


def predicted_csr(parts: Any, dtype: Any, container: Any) -> Any:
    """As `csr_from`, of parts that the core has just made.

    SciPy's constructor looks at them for longer than a few hundred rows take to be predicted, so
    it is passed by, unless it has come to keep a shape elsewhere.
    """
    data, indices, indptr, shape = parts
    matrix = container.__new__(container)
    vars(matrix).update(_attributes(container), _shape=shape)
    if matrix.shape != shape:
        return csr_from(parts, dtype, container)
    matrix.data, matrix.indices, matrix.indptr = data.astype(dtype, copy=False), indices, indptr
    return matrix
