# SPDX-License-Identifier: MIT
"""What scikit-learn checks of X, in all its versions."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import _check_sample_weight, check_array

from ._sparse import canonical

try:
    from sklearn.utils.validation import validate_data as _validate_data
except ImportError:  # before scikit-learn 1.6 it was a method

    def _validate_data(estimator: Any, X: Any, **options: Any) -> Any:
        return estimator._validate_data(X, **options)


def checked_x(estimator: Any, X: Any, *, reset: bool) -> Any:
    """X as the core takes it: C order or canonical CSR, float32 or float64.

    What is that already is returned as it is.
    """
    X = _validate_data(
        estimator,
        X,
        reset=reset,
        accept_sparse="csr",
        dtype=[np.float64, np.float32],
        order="C",
    )
    return canonical(X) if sp.issparse(X) else X


def checked_array(y: Any, **options: Any) -> Any:
    """`check_array` for targets, which may hold NaN."""
    with warnings.catch_warnings():
        # Renamed in scikit-learn 1.6; the old name warns until it is gone.
        warnings.simplefilter("ignore", FutureWarning)
        try:
            return check_array(y, ensure_all_finite=False, **options)
        except TypeError as error:
            if "ensure_all_finite" not in str(error):
                raise
            return check_array(y, force_all_finite=False, **options)


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
