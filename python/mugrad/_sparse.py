# SPDX-License-Identifier: MIT
"""Sparse matrices in the form that the core uses."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NoReturn

import numpy as np
import scipy.sparse as sp


def is_sparse_array(matrix: Any) -> bool:
    """Whether it is a SciPy sparse array rather than a sparse matrix."""
    return sp.issparse(matrix) and not isinstance(matrix, sp.spmatrix)


def check_parts(matrix: Any, name: str) -> None:
    """Raise ValueError for parts with which SciPy would read or write outside of the matrix.

    SciPy checks some of them when it creates a matrix, and trusts them afterwards: its compiled
    code may crash, or corrupt memory, if they were changed later.
    """
    if len(matrix.shape) != 2:
        return  # scikit-learn raises the error
    if matrix.format in ("csr", "csc", "bsr"):
        _check_compressed(matrix, name)
    elif matrix.format == "coo":
        for part, size in zip(("row", "col"), matrix.shape):
            numbers = _whole_numbers(getattr(matrix, part), part, matrix, name)
            _check_within(numbers, size, part, matrix, name)
            _check_length(len(matrix.data), len(numbers), part, matrix, name)
    elif matrix.format == "dia" and (
        np.ndim(matrix.data) != 2 or len(matrix.data) != np.size(matrix.offsets)
    ):
        _refuse(matrix, name, "it has not one row of data for each of its offsets")


def _check_compressed(matrix: Any, name: str) -> None:
    rows, cols = matrix.shape
    if matrix.format == "bsr":
        if np.ndim(matrix.data) != 3:
            _refuse(matrix, name, "its data are not blocks")
        high, wide = matrix.data.shape[1:]
        if min(high, wide) < 1 or rows % high or cols % wide:
            _refuse(matrix, name, f"blocks of {high} x {wide} do not fill it")
        rows, cols = rows // high, cols // wide
    major, minor = (cols, rows) if matrix.format == "csc" else (rows, cols)
    indptr = _whole_numbers(matrix.indptr, "indptr", matrix, name)
    indices = _whole_numbers(matrix.indices, "indices", matrix, name)
    _check_length(len(matrix.data), len(indices), "indices", matrix, name)
    if len(indptr) != major + 1:
        _refuse(matrix, name, f"its indptr has {len(indptr)} entries, expected {major + 1}")
    if indptr[0] != 0:
        _refuse(matrix, name, f"its indptr starts with {indptr[0]}, expected 0")
    falls = np.flatnonzero(indptr[1:] < indptr[:-1])
    if len(falls):
        before, after = indptr[falls[0]], indptr[falls[0] + 1]
        _refuse(matrix, name, f"its indptr falls from {before} to {after}")
    if indptr[-1] > len(indices):
        _refuse(matrix, name, f"its indptr ends with {indptr[-1]}, of {len(indices)} indices")
    _check_within(indices[: int(indptr[-1])], minor, "indices", matrix, name)


def _whole_numbers(part: Any, what: str, matrix: Any, name: str) -> np.ndarray:
    if not isinstance(part, np.ndarray) or part.ndim != 1 or part.dtype.kind not in "iu":
        _refuse(matrix, name, f"its {what} are not whole numbers in one dimension")
    return part


def _check_length(values: int, numbers: int, what: str, matrix: Any, name: str) -> None:
    if values != numbers:
        _refuse(matrix, name, f"it has {values} values, but {numbers} {what}")


def _check_within(numbers: np.ndarray, size: int, what: str, matrix: Any, name: str) -> None:
    if not len(numbers):
        return
    for number in (numbers.min(), numbers.max()):
        if not 0 <= number < size:
            _refuse(matrix, name, f"its {what} include {number}, expected 0 to {size - 1}")


def _refuse(matrix: Any, name: str, what: str) -> NoReturn:
    raise ValueError(f"{name} is a malformed sparse matrix (in {matrix.format} format): {what}")


def canonical(matrix: Any, name: str = "X") -> Any:
    """The matrix as CSR with ascending, distinct columns in each row and contiguous values.

    A canonical matrix is returned unchanged. Raises ValueError if its parts are inconsistent.
    """
    check_parts(matrix, name)
    csr = matrix.tocsr()
    if csr is not matrix:
        check_parts(csr, name)  # formats that are not checked above
    if not csr.has_canonical_format:
        csr = csr.copy()
        csr.sum_duplicates()
    if csr.nnz < len(csr.indices):  # SciPy may allocate more entries
        csr = csr.copy()
        csr.prune()
    if not csr.data.flags.c_contiguous:
        csr = csr.copy()
        csr.data = np.ascontiguousarray(csr.data)
    return csr


def csr_from(parts: Any, dtype: Any = None, container: Any = sp.csr_matrix) -> Any:
    """The matrix of (data, indices, indptr, shape)."""
    data, indices, indptr, shape = parts
    return container((data, indices, indptr), shape=shape, dtype=dtype)


#: The known attributes of SciPy's matrices.
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
    """Like `csr_from`, for canonical parts that the core has just made.

    SciPy's constructor would check them again, which takes longer than the rest of Python's part
    of a prediction. So it is bypassed, unless matrices have other attributes than expected.
    """
    attributes = vars(_empty(container))
    if attributes.keys() != _ATTRIBUTES:
        return csr_from(parts, dtype, container)
    data, indices, indptr, shape = parts
    data = data.astype(dtype, copy=False)
    matrix = container.__new__(container)
    vars(matrix).update(attributes, data=data, indices=indices, indptr=indptr, _shape=shape)
    return matrix
