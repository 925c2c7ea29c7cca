# SPDX-License-Identifier: MIT
"""Converts y to labels for the core, and predictions to the form of y."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite

from . import _core
from ._native_targets import native
from ._plain import plain, unknown_where_masked
from ._sparse import canonical, csr_from, is_sparse_array, predicted_csr
from ._table_columns import converted, is_missing
from ._validation import checked_array


@dataclass(frozen=True)
class TargetForm:
    """The form of y, in which predictions are returned.

    `classes` are those of a one-dimensional y; None for a y with a column per label. `sets` has the
    labels of label sets, `row_type` the type of one set, and `is_list` whether they were in a list.
    """

    classes: Optional[np.ndarray] = None
    dtype: Any = np.dtype(np.int64)
    is_sparse: bool = False
    is_sparse_array: bool = False
    sets: Optional[np.ndarray] = None
    row_type: Any = list
    is_list: bool = True


def is_label_sets(y: Any) -> bool:
    """Whether y lists the labels of each example, rather than being a matrix or classes.

    Rows that are sets, or lists of text: numbers in lists are a matrix, as in scikit-learn.
    """
    return sets_of(y) is not None


def encoded(y: Any, classes: Any = None) -> tuple[Any, list[str], TargetForm]:
    """Labels for the core, their names (none if y has none), and the form of y.

    `classes` are those of a one-dimensional y, or names of labels that there are besides those of a
    y of label sets; None: those that occur.
    """
    if y is None:
        raise ValueError("This estimator requires y to be passed, but the target y is None.")
    y = unknown_where_masked(native(y), "y")
    values = _as_array(y)
    if values is not None and values.ndim == 2 and values.shape[1] == 1:
        if not _is_indicator(values):
            warnings.warn(
                "A column-vector y was passed when a 1d array was expected. "
                "Please change the shape of y to (n_samples,), for example using ravel().",
                DataConversionWarning,
                stacklevel=4,
            )
            return _classes(values.ravel(), classes)
    if values is not None and values.ndim == 1:
        return _classes(values, classes)
    among = None
    if classes is not None and values is None and not sp.issparse(y):
        among = sorted(set().union(classes, *(sets_of(y) or ())))
    labels, names, form = _matrix(y, values, among, "y")
    if labels.shape[1] == 0:
        is_sets = values is None and not sp.issparse(y)
        raise ValueError(
            f"y has no labels: {'all of its sets are empty' if is_sets else 'it has 0 columns'}"
        )
    return labels, [] if names is None else [str(name) for name in names], form


def indicator(
    y: Any, labels: Optional[Sequence[Any]] = None, *, name: str = "y"
) -> tuple[Any, Optional[np.ndarray]]:
    """The matrix of examples x labels, dense or CSR, and the labels of its columns.

    Label sets become a CSR matrix whose columns are `labels`, or all that occur, sorted. The labels
    of a matrix are the columns of a DataFrame, otherwise None.
    """
    y = unknown_where_masked(native(y), name)
    return _matrix(y, _as_array(y), labels, name)[:2]


def _matrix(
    y: Any, values: Optional[np.ndarray], labels: Optional[Sequence[Any]], name: str
) -> tuple[Any, Optional[np.ndarray], TargetForm]:
    """y with a column per label; `values` are those of `_as_array`."""
    if sp.issparse(y):
        form = TargetForm(dtype=y.dtype, is_sparse=True, is_sparse_array=is_sparse_array(y))
        return canonical(y, name), None, form
    if values is None:
        rows = sets_of(y) or ()
        matrix, found = _from_sets(rows, labels, name)
        return matrix, found, _form_of_sets(y, rows, found)
    if values.ndim != 2:
        raise ValueError(
            f"{name} should be a matrix of examples x labels, or one set of labels per example; "
            f"got an array of shape {values.shape}"
        )
    columns = getattr(y, "columns", None)
    names = None if columns is None else np.asarray(columns, dtype=object)
    return _numbers(values, name), names, TargetForm(dtype=_output_dtype(y, values))


def _as_array(y: Any) -> Optional[np.ndarray]:
    """y as an array; None if it is sparse or label sets."""
    if sp.issparse(y) or is_label_sets(y):
        return None
    if hasattr(y, "columns"):
        return np.asarray(y)
    options: dict[str, Any] = {"ensure_min_samples": 0, "ensure_min_features": 0}
    found: np.ndarray = checked_array(
        y, ensure_2d=False, dtype=None, input_name="y", allow_nd=True, **options
    )
    return found


def sets_of(y: Any) -> Optional[Sequence[Any]]:
    """The label sets, one per example, in a list, an object array, a Series or a column of sets.

    A row that is missing has no labels, as an empty cell of a file.
    """
    y = native(y)
    if str(getattr(y, "dtype", "")).startswith(("list", "large_list")):  # of Arrow, in pandas
        y = np.array([None, *y.tolist()], dtype=object)[1:]
    if hasattr(y, "columns") and len(y.columns) == 1:
        y = np.asarray(y).ravel()
    if isinstance(y, (list, tuple)):
        rows: Sequence[Any] = y
    elif getattr(y, "ndim", 0) == 1 and getattr(y, "dtype", None) == object:
        rows = list(y)
    else:
        return None
    if len(rows) == 0 or _is_set(rows[0]) is False and not is_missing(rows[0]):
        return None
    rows = [() if is_missing(row) else row for row in rows]
    if not all(map(_is_set, rows)):
        return None
    return rows if any(isinstance(row, Set) or len(row) > 0 for row in rows) else None


def _is_set(row: Any) -> bool:
    if isinstance(row, Set):
        return True
    is_list = isinstance(row, (list, tuple)) or getattr(row, "ndim", 0) == 1
    return is_list and all(isinstance(label, str) for label in row)


def label_sets(y: Any, separator: Optional[str] = None) -> list[set[str]]:
    """The labels of each example from texts that list them, such as "billing;refund".

    Parameters
    ----------
    y : list, array or Series of str
        None and the empty text have no labels.
    separator : str, default=None
        Between two labels: one character, or "" for JSON arrays. None: recognised as in columns of
        tags of files (docs/formats.md).

    Returns
    -------
    sets : list of sets of str
        For the y of `fit`.

    Examples
    --------
    >>> from mugrad import label_sets
    >>> [sorted(row) for row in label_sets(["billing;refund", "", "billing"])]
    [['billing', 'refund'], [], ['billing']]
    """
    rows = list(native(y))
    if not rows:
        return []
    (_, indices, starts, _), names, _ = _core.read_tags("y", rows, converted, separator)
    labels = [names[index] for index in indices]
    return [set(labels[begin:end]) for begin, end in zip(starts[:-1], starts[1:])]


def _check_classes(y: np.ndarray, classes: np.ndarray) -> None:
    """Raise ValueError if texts are lists of labels rather than classes."""
    if not all(isinstance(one, str) for one in classes):
        return
    if not any(character in one for one in classes for character in ";|,["):
        return
    (_, _, starts, _), names, separator = _core.read_tags("y", y.tolist(), converted, None)
    several = int(np.sum(np.diff(starts) > 1))
    if separator == " " or not (2 * several >= len(y) or 0 < several and len(names) < len(classes)):
        return
    example = next(text for text, count in zip(y, np.diff(starts)) if count > 1)
    raise ValueError(
        f"y has texts that list labels, such as {str(example)!r}: give "
        f"y=mugrad.label_sets(y, separator={separator!r}) if they are, or the classes as numbers "
        "(numpy.unique(y, return_inverse=True)[1]) if each text is one class"
    )


def _form_of_sets(y: Any, rows: Sequence[Any], labels: np.ndarray) -> TargetForm:
    first = next(row for row in rows if not (isinstance(row, tuple) and not row))
    kinds: tuple[Any, ...] = (frozenset, Set, tuple)
    row_type = next((kind for kind in kinds if isinstance(first, kind)), list)
    return TargetForm(
        sets=labels,
        row_type=set if row_type is Set else row_type,
        is_list=isinstance(y, (list, tuple)),
    )


def _in_sets(parts: tuple[Any, ...], form: TargetForm) -> Any:
    """The labels predicted, as CSR parts, as label sets."""
    _, indices, starts, _ = parts
    assert form.sets is not None
    labels = form.sets[indices].tolist()
    rows = [form.row_type(labels[a:b]) for a, b in zip(starts[:-1].tolist(), starts[1:].tolist())]
    if form.is_list:
        return rows
    array = np.empty(len(rows), dtype=object)
    array[:] = rows
    return array


def _from_sets(
    y: Any, labels: Optional[Sequence[Any]], name: str
) -> tuple[sp.csr_matrix, np.ndarray]:
    columns = sorted(set().union(*y)) if labels is None else list(labels)
    number = {label: column for column, label in enumerate(columns)}
    indptr = np.zeros(len(y) + 1, dtype=np.int64)
    indices: list[int] = []
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
    shape = (len(y), len(columns))
    return csr_from((ones, np.asarray(indices, dtype=np.int32), indptr, shape)), names


def _classes(y: np.ndarray, among: Any = None) -> tuple[Any, list[str], TargetForm]:
    """`among`, unless it is None, are the classes, in this order."""
    if y.dtype.kind == "f":
        assert_all_finite(y, input_name="y")
    check_classification_targets(y)
    classes, numbers = np.unique(y, return_inverse=True)
    if among is not None:
        among = np.asarray(among)
        position = {label: at for at, label in enumerate(among.tolist())}
        strange = [label for label in classes.tolist() if label not in position]
        if strange:
            raise ValueError(f"y has the class {strange[0]!r}, which is not among the classes")
        numbers = np.array([position[label] for label in classes.tolist()])[numbers]
        classes = among
    _check_classes(y, classes)
    if len(classes) == 2:
        return numbers.reshape(-1, 1), [str(classes[1])], TargetForm(classes=classes)
    ones, rows = np.ones(len(y), np.uint8), np.arange(len(y) + 1)
    one_hot = csr_from((ones, numbers.ravel(), rows, (len(y), len(classes))))
    return one_hot, [str(one) for one in classes], TargetForm(classes=classes)


def _is_indicator(values: np.ndarray) -> bool:
    """Whether all values are 0, 1 or unknown; text never is."""
    if values.dtype.kind == "U" or any(isinstance(value, str) for value in values.flat):
        return False
    try:
        numbers = _numbers(values, "y")
    except ValueError:
        return False
    return bool(np.all((numbers == 0) | (numbers == 1) | (numbers != numbers)))


def _numbers(values: np.ndarray, name: str) -> np.ndarray:
    """The values as numbers; missing values of any kind become NaN."""
    if values.dtype.kind in "biuf":
        return values
    pandas = sys.modules.get("pandas")  # NA exists only if pandas is loaded
    if values.dtype == object and pandas is not None:
        values = np.where(pandas.isna(values), np.nan, values)
    try:
        if values.dtype.kind in "OU":
            return values.astype(np.float64)
    except (TypeError, ValueError):
        pass
    raise ValueError(
        f"{name} with a column per label must hold 0, 1, or NaN where a label is not known; "
        f"got values of type {values.dtype}"
    )


def _output_dtype(y: Any, values: np.ndarray) -> Any:
    """The type of y if it is numeric."""
    dtypes = {dtype for dtype in getattr(y, "dtypes", [values.dtype])}
    dtype = dtypes.pop() if len(dtypes) == 1 else None
    is_number = isinstance(dtype, np.dtype) and dtype.kind in "biuf"
    return dtype if is_number else np.dtype(np.int64)


def as_labels(parts: tuple[Any, ...], form: TargetForm) -> Any:
    """The labels predicted, as CSR parts, in a form with a column per label."""
    if form.sets is not None:
        return _in_sets(parts, form)
    data, indices, indptr, shape = parts
    if form.is_sparse:
        container = sp.csr_array if form.is_sparse_array else sp.csr_matrix
        return predicted_csr(parts, form.dtype, container)
    labels = np.zeros(shape, dtype=form.dtype)
    labels[np.repeat(np.arange(shape[0]), np.diff(indptr)), indices] = 1
    return labels


def in_columns(y: Any, names: Any) -> Any:
    """Label sets as a matrix whose columns are the names; any other y as it is."""
    if not is_label_sets(y):
        return y
    return indicator([set(map(str, row)) for row in sets_of(y) or ()], list(map(str, names)))[0]


def in_matrix(predicted: Any, names: Any) -> Any:
    """Predicted label sets as a matrix whose columns are the names; others as they are."""
    is_array = getattr(predicted, "dtype", None) == object and predicted.ndim == 1
    if not isinstance(predicted, list) and not is_array:
        return predicted
    if not all(isinstance(row, (Set, list, tuple)) for row in predicted):
        return predicted
    rows = [set(map(str, row)) for row in predicted]
    return _from_sets(rows, list(map(str, names() if callable(names) else names)), "y")[0]


def comparable(y: Any, predicted: Any, names: Any) -> tuple[Any, Any]:
    """y and its predictions; if y is label sets, as matrices with the same columns.

    Labels of y that are not among the names get their own columns: they are not predicted.
    """
    predicted = in_matrix(predicted, names)
    if not is_label_sets(y):
        return plain(native(y), "y"), predicted
    rows = [set(map(str, row)) for row in sets_of(y) or ()]
    known = list(map(str, names))
    truth, _ = indicator(rows, known + sorted(set().union(*rows).difference(known)))
    wide = sp.csr_matrix(predicted)
    wide.resize(truth.shape)
    return truth, wide


def score_rows(scores: Any, labels: Optional[Sequence[Any]] = None, *, name: str = "scores") -> Any:
    """Scores or predictions in the form that the core accepts."""
    if sp.issparse(scores) or is_label_sets(scores):
        csr, _ = indicator(scores, labels, name=name)
        return (
            np.ascontiguousarray(csr.data, dtype=np.float64),
            np.ascontiguousarray(csr.indices, dtype=np.int32),
            np.ascontiguousarray(csr.indptr, dtype=np.int64),
            (int(csr.shape[0]), int(csr.shape[1])),
        )
    array = np.ascontiguousarray(plain(scores, name), dtype=np.float64)
    if array.ndim != 2:
        raise ValueError(
            f"{name} should be a matrix of examples x labels, got an array of shape {array.shape}"
        )
    return array
