# SPDX-License-Identifier: MIT
"""The columns of tables of pandas, polars and pyarrow, of records and of texts.

None of the three is imported: whoever has such a table has imported it.
"""

from __future__ import annotations

import datetime
import decimal
import json
import sys
import uuid
from collections.abc import Mapping
from typing import Any, NamedTuple, Optional

import numpy as np
import scipy.sparse as sp

#: The name of the only column of a list of texts.
TEXT = "text"
_LARGEST_EXACT = 2**53  # of whole numbers as doubles


class Columns(NamedTuple):
    """A table: float64 arrays, in which NaN is a missing value, or lists of any values."""

    names: list[str]
    values: list[Any]
    #: Columns whose type says that they are categories, or texts.
    roles: dict[str, str]
    #: Whether each row has keys of its own.
    are_records: bool = False


def columns_of(X: Any) -> Columns:
    """The columns of a table, of records (a list of dicts), or of texts (one column `text`)."""
    if isinstance(X, (str, bytes, Mapping)):
        raise TypeError(
            f"X is one {type(X).__name__}, expected a table, a list of records or a list of texts"
        )
    if sp.issparse(X):
        raise TypeError("X is a sparse matrix, which has no named columns; it needs no vectorizer")
    if hasattr(X, "collect_schema") and hasattr(X, "collect"):
        raise TypeError("X is a lazy frame: call X.collect() first")
    if hasattr(X, "column_names") and hasattr(X, "schema"):
        return _of_arrow(X)
    if hasattr(X, "get_columns") and hasattr(X, "schema"):
        return _of_polars(X)
    if hasattr(X, "iloc") and hasattr(X, "columns"):
        return _of_pandas(X)
    if isinstance(X, np.ndarray) and X.ndim == 2:
        names = [f"x{number}" for number in range(X.shape[1])]
        return _flat(names, [_of_array(X[:, number], name) for number, name in enumerate(names)])
    return _of_list(X)


def _of_list(X: Any) -> Columns:
    """Records, or texts in a list, a Series or an array."""
    rows = list(X.to_pylist() if hasattr(X, "to_pylist") else X)
    if not rows:
        raise ValueError("X has no rows")
    if all(isinstance(row, Mapping) for row in rows):
        return _of_records(rows)
    for number, row in enumerate(rows):
        if not isinstance(row, str) and not is_missing(row):
            raise TypeError(
                f"row {number + 1} of X is of type {type(row).__name__}, expected a text or a "
                "record (a dict) in every row"
            )
    return Columns([TEXT], [rows], {TEXT: "text"})


def _of_records(rows: list[Any]) -> Columns:
    """A column per key; keys of nested records get dotted names."""
    values: dict[str, list[Any]] = {}
    paths: dict[str, tuple[str, ...]] = {}
    has_records: dict[str, int] = {}
    has_values: dict[str, int] = {}

    def take(number: int, record: Any, path: tuple[str, ...]) -> None:
        for key, value in record.items():
            if not isinstance(key, str):
                raise TypeError(f"row {number + 1} of X has the key {key!r}, expected a text")
            here = (*path, key)
            name = ".".join(here)
            if paths.setdefault(name, here) != here:
                raise ValueError(f"X has {name!r} as a key and as a key of a nested record")
            if isinstance(value, Mapping):
                has_records.setdefault(name, number)
                take(number, value, here)
                continue
            column = values.setdefault(name, [])
            column.extend([None] * (number - len(column)))
            column.append(value)
            if not is_missing(value):
                has_values.setdefault(name, number)

    for number, record in enumerate(rows):
        take(number, record, ())
    for name in has_records.keys() & has_values.keys():
        raise ValueError(
            f"X has a record in {name!r} of row {has_records[name] + 1} and another value in row "
            f"{has_values[name] + 1}, expected the same everywhere"
        )
    names = [name for name in values if name not in has_records]
    if not names:
        raise ValueError("the records of X have no keys")
    for name in names:
        values[name].extend([None] * (len(rows) - len(values[name])))
    return Columns(names, [values[name] for name in names], {}, are_records=True)


def _flat(names: list[str], values: list[Any], roles: Optional[dict[str, str]] = None) -> Columns:
    """The columns, those of records divided into their keys."""
    found = Columns([], [], {} if roles is None else roles)
    for name, column in zip(names, values):
        if isinstance(column, list) and any(isinstance(value, Mapping) for value in column):
            nested = _of_records([{name: value} for value in column])
            found.names.extend(nested.names)
            found.values.extend(nested.values)
        else:
            found.names.append(name)
            found.values.append(column)
    return found


def _name(name: Any) -> str:
    if isinstance(name, str) or (isinstance(name, (int, np.integer)) and name is not True):
        return str(name)
    raise TypeError(f"X has a column called {name!r}, expected a text or a whole number")


def _of_pandas(X: Any) -> Columns:
    names = [_name(name) for name in X.columns]
    roles: dict[str, str] = {}
    values = []
    for number, name in enumerate(names):
        series = X.iloc[:, number]
        if hasattr(series.dtype, "categories") or str(series.dtype).startswith("dictionary"):
            roles[name] = "category"
            series = series.astype(object)
        values.append(_of_series(series, name))
    return _flat(names, values, roles)


def _of_series(series: Any, name: str) -> Any:
    dtype = series.dtype
    if isinstance(dtype, np.dtype):
        return _of_array(series.to_numpy(), name)
    kind = getattr(dtype, "kind", "O")
    if kind in "iuf":
        exact = _exact(series.to_numpy(dtype=np.float64, na_value=np.nan))
        return series.tolist() if exact is None else exact
    if kind == "M" and hasattr(dtype, "tz") and hasattr(series, "dt"):
        return _of_array(series.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy(), name)
    return series.tolist()


def _of_array(values: np.ndarray, name: str) -> Any:
    """A column of NumPy: numbers as float64, anything else as a list."""
    kind = values.dtype.kind
    if isinstance(values, np.ma.MaskedArray):
        return [None if value is np.ma.masked else value for value in values]
    if kind == "f":
        return np.ascontiguousarray(values, dtype=np.float64)
    if kind in "iu":
        exact = _exact(values)
        return values.tolist() if exact is None else exact
    if kind == "M":
        texts = np.datetime_as_string(values, unit="s").tolist()
        return [None if no else text for no, text in zip(np.isnat(values), texts)]
    if kind in "mcV":
        raise TypeError(f"column {name!r} holds values of type {values.dtype}, expected numbers")
    return values.tolist()


def _of_polars(X: Any) -> Columns:
    roles: dict[str, str] = {}
    values = []
    for series in X.get_columns():
        dtype = str(series.dtype)
        if dtype.startswith(("Categorical", "Enum")):
            roles[series.name] = "category"
        is_number = dtype.startswith(("Int", "UInt", "Float"))
        exact = _exact(series.to_numpy()) if is_number else None
        values.append(series.to_list() if exact is None else exact)
    return _flat([series.name for series in X.get_columns()], values, roles)


def _of_arrow(X: Any) -> Columns:
    roles: dict[str, str] = {}
    values = []
    for name, column in zip(X.column_names, X.columns):
        dtype = str(column.type)
        if dtype.startswith("dictionary"):
            roles[name] = "category"
        if dtype.startswith("timestamp[ns"):  # a datetime has no nanoseconds
            unit = sys.modules["pyarrow"].timestamp("us", column.type.tz)
            column = column.cast(unit, safe=False)
        is_number = dtype.startswith(("int", "uint", "float", "double"))
        exact = _exact(np.asarray(column)) if is_number else None
        values.append(column.to_pylist() if exact is None else exact)
    return _flat(list(X.column_names), values, roles)


def _exact(numbers: np.ndarray) -> Optional[np.ndarray]:
    """The numbers as float64; None if whole numbers may not fit into a double."""
    found = np.ascontiguousarray(numbers, dtype=np.float64)
    return None if np.any(np.abs(found) > _LARGEST_EXACT) else found


def is_missing(value: Any) -> bool:
    """Whether it is None, NaN, or what pandas has instead."""
    if value is None or (isinstance(value, (float, np.floating)) and value != value):
        return True
    pandas = sys.modules.get("pandas")
    return pandas is not None and (value is pandas.NA or value is pandas.NaT)


def converted(value: Any) -> Any:
    """None, a bool, a number or a text in place of any other value of a cell."""
    if is_missing(value) or (isinstance(value, np.datetime64) and np.isnat(value)):
        return None
    if isinstance(value, np.datetime64):
        return str(np.datetime_as_string(value, unit="s"))
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, np.floating):
        return float(value)  # of a longdouble, item() is one again
    if isinstance(value, (np.bool_, np.integer, np.str_)):
        return value.item()
    if isinstance(value, (decimal.Decimal, uuid.UUID)):
        return str(value)
    if isinstance(value, (set, frozenset)):
        return _json(sorted(value))
    if isinstance(value, (list, tuple)) or getattr(value, "ndim", None) == 1:
        return _json(value)
    raise TypeError(
        f"a value of type {type(value).__name__}, expected a number, a text, a date, a truth value "
        "or a list of these"
    )


def _json(values: Any) -> str:
    """A list as a file of JSON lines has it."""
    parts = [converted(value) if _is_foreign(value) else value for value in values]
    if any(isinstance(part, (Mapping, list, tuple)) for part in parts):
        raise TypeError("a list of records or lists, expected a list of numbers or texts")
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":"))


def _is_foreign(value: Any) -> bool:
    is_plain = value is None or type(value) in (bool, int, float, str)
    return not is_plain and not isinstance(value, (Mapping, list, tuple)) or value != value
