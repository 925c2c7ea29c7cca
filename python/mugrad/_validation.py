# SPDX-License-Identifier: MIT
"""What scikit-learn checks of X, in all its versions."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import _check_sample_weight, check_array

from . import _core
from ._sparse import canonical

try:
    from sklearn.utils.validation import validate_data as _validate_data

    _ANY_NUMBERS = {"ensure_all_finite": False}
except ImportError:  # before scikit-learn 1.6: a method, and another name
    _ANY_NUMBERS = {"force_all_finite": False}

    def _validate_data(estimator: Any, X: Any, **options: Any) -> Any:
        return estimator._validate_data(X, **options)


_REALS = (np.dtype(np.float64), np.dtype(np.float32))
_CSR = tuple(getattr(sp, name) for name in ("csr_matrix", "csr_array") if hasattr(sp, name))


def checked_x(estimator: Any, X: Any, *, reset: bool) -> Any:
    """X as the core takes it: C order or canonical CSR, float32 or float64, all finite.

    What is that already is returned as it is.
    """
    if not reset and _is_ready(estimator, X):
        return X
    validate = partial(
        _validate_data,
        estimator,
        X,
        reset=reset,
        accept_sparse="csr",
        dtype=list(_REALS),
        order="C",
    )
    checked = validate(**_ANY_NUMBERS)
    is_sparse = sp.issparse(checked)
    if not _core.all_finite(checked.data if is_sparse else checked):
        validate()  # looks for the same at a fourth of the pace, but has the words for it
    return canonical(checked) if is_sparse else checked


def _is_ready(estimator: Any, X: Any) -> bool:
    """Whether there is nothing to find for scikit-learn's checks, which take their time."""
    if hasattr(estimator, "feature_names_in_"):
        return False
    if type(X) is np.ndarray:
        is_packed, numbers = X.ndim == 2 and X.flags.c_contiguous, X
    elif type(X) in _CSR:
        is_packed, numbers = X.has_canonical_format, X.data
    else:
        return False
    return (
        is_packed
        and numbers.dtype in _REALS
        and X.shape[0] > 0
        and X.shape[1] == estimator.n_features_in_
        and _core.all_finite(numbers)
    )


def checked_array(y: Any, **options: Any) -> Any:
    """`check_array` for targets, which may hold NaN."""
    return check_array(y, **_ANY_NUMBERS, **options)


def checked_weights(sample_weight: Any, X: Any) -> Any:
    """One weight per row, float64 and not negative; None where all are 1."""
    if sample_weight is None:
        return None
    weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
    if np.any(weights < 0):
        raise ValueError("Negative values in data passed to `sample_weight`")
    if not np.any(weights):
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return None if np.all(weights == 1) else weights


def checked_transfer(transfer: Any) -> Any:
    """A matrix as the core takes it; None for the name of one."""
    if isinstance(transfer, str):
        return None
    if sp.issparse(transfer):
        return canonical(sp.csr_matrix(transfer, dtype=np.float64))
    return checked_array(transfer, dtype=np.float64, order="C")
