# SPDX-License-Identifier: MIT
"""Data sets as DataFrames of pandas."""

from __future__ import annotations

from typing import Any

from scipy import sparse


def _sparse_frame(pd: Any, data: Any, features: list[str]) -> Any:
    """A column at a time: `from_spmatrix` takes what is not stored for NaN from pandas 3 on."""
    columns = data.tocsc()
    frame = pd.DataFrame(
        {
            j: pd.arrays.SparseArray(columns[:, [j]].toarray().ravel(), fill_value=0.0)
            for j in range(columns.shape[1])
        }
    )
    frame.columns = features
    return frame


def frames(data: Any, target: Any, features: list[str], labels: list[str]) -> tuple[Any, Any, Any]:
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("as_frame=True needs pandas: pip install pandas") from error
    if sparse.issparse(data):
        X = _sparse_frame(pd, data, features)
    else:
        X = pd.DataFrame(data, columns=features)
    y = pd.DataFrame(target.toarray(), columns=labels)
    return X, y, pd.concat([X, y], axis=1)
