# SPDX-License-Identifier: MIT
"""What people pass as y, as labels for the core; and predictions in the form y had."""

from __future__ import annotations

import warnings
from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import DataConversionWarning
from sklearn.preprocessing import MultiLabelBinarizer
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite

from ._validation import canonical, checked_array, is_sparse_array


@dataclass(frozen=True)
class TargetForm:
    """The form that y had, in which predictions are returned.

    `classes` are those of a one-dimensional y; None for a y with a column per label.
    """

    classes: Optional[np.ndarray] = None
    dtype: Any = np.dtype(np.int64)
    is_sparse: bool = False
    is_sparse_array: bool = False


def encoded(y: Any) -> tuple[Any, list[str], TargetForm]:
    """Labels for the core, their names (none where y has none), and the form that y had."""
    if y is None:
        raise ValueError("This estimator requires y to be passed, but the target y is None.")
    if sp.issparse(y):
        form = TargetForm(dtype=y.dtype, is_sparse=True, is_sparse_array=is_sparse_array(y))
        return canonical(y.tocsr()), [], form
    if hasattr(y, "columns"):
        return _frame(y)
    if _is_list_of_sets(y):
        return _sets(y)
    values = checked_array(y, ensure_2d=False, dtype=None, ensure_min_features=0, input_name="y")
    if values.ndim == 2 and values.shape[1] == 1 and not _is_indicator(values):
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. "
            "Please change the shape of y to (n_samples,), for example using ravel().",
            DataConversionWarning,
            stacklevel=4,
        )
        values = values.ravel()
    if values.ndim == 1:
        return _classes(values)
    return _indicator(values), [], TargetForm(dtype=_output_dtype(values.dtype))


def _frame(y: Any) -> tuple[Any, list[str], TargetForm]:
    names = [str(name) for name in y.columns]
    try:
        values = y.to_numpy(dtype=np.float64, na_value=np.nan)  # pandas, with its own NA
    except TypeError:
        values = np.asarray(y)
    dtypes = {np.dtype(dtype) for dtype in getattr(y, "dtypes", []) if isinstance(dtype, np.dtype)}
    dtype = dtypes.pop() if len(dtypes) == 1 else np.dtype(np.int64)
    return _indicator(np.asarray(values)), names, TargetForm(dtype=_output_dtype(dtype))


def _is_list_of_sets(y: Any) -> bool:
    """Rows that are sets, or lists of text: numbers in lists are a matrix, as in scikit-learn."""
    if not isinstance(y, (list, tuple)) or not y:
        return False

    def is_labels(row: Any) -> bool:
        if isinstance(row, Set):
            return True
        is_list = isinstance(row, Sequence) and not isinstance(row, (str, bytes))
        return is_list and all(isinstance(label, str) for label in row)

    return all(map(is_labels, y)) and any(isinstance(row, Set) or len(row) > 0 for row in y)


def _sets(y: Any) -> tuple[Any, list[str], TargetForm]:
    binarizer = MultiLabelBinarizer(sparse_output=True)
    matrix = canonical(binarizer.fit_transform(y).tocsr())
    if matrix.shape[1] == 0:
        raise ValueError("y has no labels: all of its sets are empty")
    return matrix, [str(label) for label in binarizer.classes_], TargetForm()


def _classes(y: np.ndarray) -> tuple[Any, list[str], TargetForm]:
    if y.dtype.kind == "f":
        assert_all_finite(y, input_name="y")
    check_classification_targets(y)
    classes, numbers = np.unique(y, return_inverse=True)
    if len(classes) == 2:
        return numbers.reshape(-1, 1), [str(classes[1])], TargetForm(classes=classes)
    rows = np.arange(len(numbers) + 1)
    one_hot = sp.csr_matrix(
        (np.ones(len(numbers), np.uint8), numbers.ravel(), rows), (len(numbers), len(classes))
    )
    return one_hot, [str(one) for one in classes], TargetForm(classes=classes)


def _is_indicator(values: np.ndarray) -> bool:
    if values.dtype.kind not in "biuf":
        return False
    return bool(np.all((values == 0) | (values == 1) | (values != values)))


def _indicator(values: np.ndarray) -> np.ndarray:
    if values.ndim != 2:
        raise ValueError(f"y must have one or two dimensions, got {values.ndim}")
    if values.shape[1] == 0:
        raise ValueError("y has no labels: it has 0 columns")
    if values.dtype.kind not in "biuf":
        try:
            values = values.astype(np.float64)
        except (TypeError, ValueError):
            raise ValueError(
                "y with a column per label must hold 0, 1, or NaN where a label is not known; "
                f"got values of type {values.dtype}"
            ) from None
    return values


def _output_dtype(dtype: Any) -> Any:
    return dtype if dtype.kind in "biuf" else np.dtype(np.int64)


def as_labels(parts: tuple[Any, ...], form: TargetForm) -> Any:
    """The labels predicted, as CSR parts, in a form with a column per label."""
    data, indices, indptr, shape = parts
    if form.is_sparse:
        container = sp.csr_array if form.is_sparse_array else sp.csr_matrix
        return container((data.astype(form.dtype), indices, indptr), shape=shape)
    labels = np.zeros(shape, dtype=form.dtype)
    labels[np.repeat(np.arange(shape[0]), np.diff(indptr)), indices] = 1
    return labels
