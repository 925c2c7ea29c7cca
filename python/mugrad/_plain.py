# SPDX-License-Identifier: MIT
"""Rejects values that NumPy and SciPy would silently convert to wrong numbers."""

from __future__ import annotations

import datetime
import warnings
from typing import Any, Optional

import numpy as np
import scipy.sparse as sp

from ._sparse import check_parts

_DATES = (np.datetime64, np.timedelta64, datetime.date, datetime.timedelta)


def plain(values: Any, name: str) -> Any:
    """Return the values if they are plain numbers or a consistent sparse matrix.

    NumPy drops the mask of a masked array, converts dates to days or nanoseconds and takes the
    only field of a record; scikit-learn allows this. Here they raise TypeError, or ValueError for
    a mask. A masked array without masked entries is returned as an array.
    """
    if sp.issparse(values):
        check_parts(values, name)
        _check_type(values.data if hasattr(values, "data") else values, values.dtype, name)
        return values
    if isinstance(values, np.ma.MaskedArray):
        masked = int(np.count_nonzero(np.ma.getmaskarray(values)))
        if masked:
            raise ValueError(
                f"{name} is a masked array, and {masked} of its entries are masked: "
                "say what they are first, for instance with np.ma.filled"
            )
        return plain(np.asarray(values), name)
    if isinstance(values, (list, tuple)):
        for row in values:
            if isinstance(row, np.ma.MaskedArray):
                plain(row, name)
        array = _array_of(values)
        if array is not None:
            _check_type(array, array.dtype, name)
        return values
    if hasattr(values, "dtypes"):  # a table: each column has a type
        for dtype in set(np.atleast_1d(np.asarray(values.dtypes, dtype=object))):
            _check_type(values, dtype, name)
    elif hasattr(values, "dtype"):
        _check_type(values, values.dtype, name)
    return values


def unknown_where_masked(y: Any, name: str) -> Any:
    """Targets with NaN, which means unknown, for each masked entry.

    A mask in one dimension would hide whole examples, and raises ValueError.
    """
    if not isinstance(y, np.ma.MaskedArray) or y.ndim < 2 or not np.ma.is_masked(y):
        return plain(y, name)
    _check_type(y.data, y.dtype, name)
    return np.ma.filled(y.astype(np.float64), np.nan)


def _array_of(rows: Any) -> Optional[np.ndarray]:
    """The values as an array; None for rows of different lengths, which the caller reports."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # NumPy before 1.24 only warns about it
        try:
            return np.asarray(rows)
        except (ValueError, Warning):
            return None


def _check_type(values: Any, dtype: Any, name: str) -> None:
    kind = getattr(dtype, "kind", "")
    if kind == "O" and any(isinstance(one, _DATES) for one in np.ravel(np.asarray(values))):
        raise TypeError(f"{name} holds dates or times, expected numbers")
    if kind and kind in "mM":
        raise TypeError(
            f"{name} holds values of type {dtype}, expected numbers: say in which unit and since "
            "when, for instance as seconds since the first"
        )
    if kind == "V":
        raise TypeError(f"{name} holds records of type {dtype}, expected numbers")
    if kind == "c":
        raise ValueError(f"Complex data not supported\n{name} holds values of type {dtype}")
