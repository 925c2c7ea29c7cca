# SPDX-License-Identifier: MIT
"""scikit-learn's checks of X, for all its versions."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import _check_sample_weight, assert_all_finite, check_array

from . import _core
from ._plain import plain
from ._sparse import canonical

try:
    from sklearn.utils.validation import validate_data as _validate_data

    _ANY_NUMBERS = {"ensure_all_finite": False}
except ImportError:  # before scikit-learn 1.6: a method with another name
    _ANY_NUMBERS = {"force_all_finite": False}

    def _validate_data(estimator: Any, X: Any, **options: Any) -> Any:
        return estimator._validate_data(X, **options)


_REALS = (np.dtype(np.float64), np.dtype(np.float32))


def checked_x(estimator: Any, X: Any, *, reset: bool) -> Any:
    """X as the core accepts it: C order or canonical CSR, float32 or float64, all finite.

    An X that already has this form is returned unchanged.
    """
    if not reset and _is_ready(estimator, X):
        return X
    X = _validate_data(
        estimator,
        plain(X, "X"),
        reset=reset,
        accept_sparse="csr",
        dtype=list(_REALS),
        order="C",
        **_ANY_NUMBERS,
    )
    if sp.issparse(X):
        X = canonical(X)
    numbers = X.data if sp.issparse(X) else X
    if not _core.all_finite(numbers):
        # Raises the error, unless scikit-learn is configured to assume finite values.
        assert_all_finite(numbers, estimator_name=type(estimator).__name__, input_name="X")
    return X


def _is_ready(estimator: Any, X: Any) -> bool:
    """Whether scikit-learn's checks would find nothing.

    They are cheap for thousands of rows, but cost several times as much as predicting one row.
    """
    if hasattr(estimator, "feature_names_in_"):
        return False
    if type(X) is np.ndarray:
        numbers, is_packed = X, X.flags.c_contiguous
    elif type(X) in (sp.csr_matrix, sp.csr_array):
        if not _core.is_csr(X):  # SciPy would read outside the arrays
            return False
        numbers, is_packed = X.data, X.has_canonical_format and X.data.flags.c_contiguous
    else:
        return False
    return (
        is_packed
        and X.ndim == 2
        and X.shape[0] > 0
        and X.shape[1] == estimator.n_features_in_
        and numbers.dtype in _REALS
        and _core.all_finite(numbers)
    )


def checked_array(y: Any, **options: Any) -> Any:
    """`check_array` for targets, which may contain NaN."""
    return check_array(y, **_ANY_NUMBERS, **options)


def checked_weights(sample_weight: Any, X: Any) -> Any:
    """One weight per row, float64 and not negative; None if all are 1."""
    if sample_weight is None:
        return None
    weights = _check_sample_weight(plain(sample_weight, "sample_weight"), X, dtype=np.float64)
    if np.any(weights < 0):
        raise ValueError("Negative values in data passed to `sample_weight`")
    if not np.any(weights):
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return None if np.all(weights == 1) else weights


def checked_transfer(transfer: Any) -> Any:
    """A matrix as the core accepts it; None if `transfer` is a name."""
    if isinstance(transfer, str):
        return None
    if sp.issparse(transfer):
        csr = canonical(plain(transfer, "transfer"), "transfer")
        return csr.astype(np.float64, copy=False)
    return checked_array(plain(transfer, "transfer"), dtype=np.float64, order="C")
