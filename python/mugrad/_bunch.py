# SPDX-License-Identifier: MIT
"""Data sets that were read, as scikit-learn returns data sets."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Sequence

import numpy as np
from scipy import sparse
from sklearn.utils import Bunch

from ._frames import frames
from ._sparse import csr_from


def _target(found: Dict[str, Any]) -> sparse.csr_matrix:
    y = csr_from(found["y"])
    if found["unknown"] is None:
        return y
    unknown = csr_from(found["unknown"], np.float64)
    unknown.data[:] = np.nan
    return (y.astype(np.float64) + unknown).tocsr()


def _column_names(given: Sequence[str], count: int, prefix: str) -> List[str]:
    return list(given) if given else [f"{prefix}{number}" for number in range(count)]


def _description(found: Dict[str, Any], path: str, target: sparse.csr_matrix, kind: str) -> str:
    n, count = target.shape
    ones = int((target.data == 1).sum())
    lines = [
        f"{found['name'] or os.path.basename(path)}",
        "",
        f"file                {path}",
        f"examples            {n}",
        f"features            {found['columns']} ({kind})",
        f"labels              {count}",
        f"labels per example  {ones / n if n else 0:.3f}",
    ]
    unknown = int(np.isnan(target.data).sum()) if target.dtype.kind == "f" else 0
    if unknown:
        lines.append(f"labels not known    {unknown}")
    return "\n".join(lines + [""] + list(found["notes"])).rstrip() + "\n"


def bunch_of(found: Dict[str, Any], path: str, as_frame: bool) -> Bunch:
    """What `_core.read_dataset` found in a file; `as_frame` needs pandas."""
    is_sparse = isinstance(found["x"], tuple)
    data = csr_from(found["x"]) if is_sparse else found["x"]
    target = _target(found)
    found["columns"] = data.shape[1]
    features = _column_names(found["feature_names"], data.shape[1], "x")
    labels = _column_names(found["label_names"], target.shape[1], "y")
    bunch = Bunch(
        data=data,
        target=target,
        frame=None,
        feature_names=features,
        target_names=labels,
        target_from=found["labels_from"],
        filename=path,
        DESCR=_description(found, path, target, "sparse" if is_sparse else "dense"),
    )
    if as_frame:
        bunch.data, bunch.target, bunch.frame = frames(data, target, features, labels)
    return bunch
