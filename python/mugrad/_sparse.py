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
    """As CSR, the columns ascending in each row and none twice, the values side by side; itself where it is that already."""
    csr = matrix.tocsr()
    if not csr.has_canonical_format:
        csr = csr.copy()
        csr.sum_duplicates()
    if not csr.data.flags.c_contiguous:
        csr = csr.copy()
        csr.data = np.ascontiguousarray(csr.data)
    return csr


def csr_from(parts: Any, dtype: Any = None, container: Any = sp.csr_matrix) -> Any:
    """The matrix of (data, indices, indptr, shape)."""
    data, indices, indptr, shape = parts
    return container((data, indices, indptr), shape=shape, dtype=dtype)


#: What SciPy's matrices are known to consist of.
_ATTRIBUTES = {
    "data", "indices", "indptr", "maxprint", "_shape", "_has_canonical_format",
    "_has_sorted_indices",
}  # fmt: skip


@lru_cache(maxsize=None)
def _empty(container: Any) -> Any:
    matrix = container((1, 1), dtype=np.int8)
    matrix.has_canonical_format = True
    return matrix


def predicted_csr(parts: Any, dtype: Any, container: Any) -> Any:
    """As `csr_from`, of parts that the core has just made and that are canonical.

    SciPy's constructor looks at them again, which takes longer than the rest of what Python does
    in a prediction. So it is passed by, unless matrices have come to consist of something else.
    """
    attributes = vars(_empty(container))
    if attributes.keys() != _ATTRIBUTES:
        return csr_from(parts, dtype, container)
    data, indices, indptr, shape = parts
    data = data.astype(dtype, copy=False)
    matrix = container.__new__(container)
    vars(matrix).update(attributes, data=data, indices=indices, indptr=indptr, _shape=shape)
    return matrix
