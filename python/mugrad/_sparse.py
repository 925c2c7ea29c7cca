# SPDX-License-Identifier: MIT
"""Sparse matrices in the one form that the core takes and gives."""

from __future__ import annotations

from typing import Any

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
