# SPDX-License-Identifier: MIT
"""Targets of polars and pyarrow."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import numpy as np


def native(y: Any) -> Any:
    """Targets of polars and pyarrow in the forms of Python, NumPy and pandas; others as they are."""
    if hasattr(y, "column_names") and hasattr(y, "to_pydict"):  # a table of pyarrow
        columns = y.to_pydict()
    elif hasattr(y, "get_columns") and hasattr(y, "to_dict"):  # a frame of polars
        columns = y.to_dict(as_series=False)
    elif hasattr(y, "to_pylist"):
        values = y.to_pylist()
        return values if _has_lists(values) else np.asarray(y)
    elif type(y).__module__.startswith("polars") and hasattr(y, "to_list"):
        return y.to_list() if str(y.dtype).startswith(("List", "Array")) else y.to_numpy()
    else:
        return y
    if len(columns) == 1:
        (values,) = columns.values()
        if _has_lists(values):
            return values
    return _Columns(columns)


def _has_lists(values: Any) -> bool:
    return any(isinstance(value, (list, tuple, Set)) for value in values)


class _Columns:
    """A table whose columns name the labels."""

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self.columns = list(columns)
        parts = [np.asarray(values) for values in columns.values()]
        is_number = all(part.dtype.kind in "biuf" for part in parts)
        array = np.column_stack(parts if is_number else [part.astype(object) for part in parts])
        self.array = array
        self.dtypes = [array.dtype]

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self.array if dtype is None else self.array.astype(dtype)
