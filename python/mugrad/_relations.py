# SPDX-License-Identifier: MIT
"""The strongest relations between labels, with related labels close to each other."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple

import numpy as np
from scipy import sparse

from ._plain import plain


def strongest_relations(
    relations: Any, names: Optional[Sequence[Any]], max_labels: int
) -> Tuple[np.ndarray, List[str]]:
    """Shares without the diagonal, and the names, of the labels with the strongest relations."""
    shares, labels = _relations(relations, names)
    count = min(len(labels), max_labels)
    kept = np.sort(np.argsort(-strengths(shares).max(axis=1), kind="stable")[:count])
    shown = kept[_order(strengths(shares[np.ix_(kept, kept)]))]
    return shares[np.ix_(shown, shown)], [labels[label] for label in shown]


def strengths(shares: np.ndarray) -> np.ndarray:
    """How strongly two labels are related: the larger share that one borrows from the other."""
    return np.maximum(shares, shares.T)


def _relations(of: Any, names: Optional[Sequence[Any]]) -> Tuple[np.ndarray, List[str]]:
    """Shares without the diagonal, and the names of labels."""
    matrix = of
    for kind in ("label", "target"):
        if hasattr(of, f"{kind}_relations_"):
            matrix = getattr(of, f"{kind}_relations_")
            names = getattr(of, f"{kind}_names_") if names is None else names
            break
    matrix = plain(matrix, "relations")
    dense = matrix.toarray() if sparse.issparse(matrix) else np.asarray(matrix, dtype=np.float64)
    if dense.ndim != 2 or dense.shape[0] != dense.shape[1] or len(dense) == 0:
        raise ValueError(
            "relations should be a fitted MGDClassifier or MGDRegressor, or a matrix of labels "
            f"x labels; got shape {dense.shape}"
        )
    if names is None:
        names = [str(number) for number in range(len(dense))]
    if len(names) != len(dense):
        raise ValueError(f"{len(names)} names for {len(dense)} labels")
    dense = np.array(dense, dtype=np.float64)
    np.fill_diagonal(dense, 0)
    return dense, [str(name) for name in names]


def _order(strength: np.ndarray) -> np.ndarray:
    """Order of labels in which related labels are close."""
    from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
    from scipy.spatial.distance import squareform

    if len(strength) < 3:
        return np.arange(len(strength))
    distance = 1 - strength / max(strength.max(), np.finfo(float).tiny)
    np.fill_diagonal(distance, 0)
    condensed = squareform(distance, checks=False)
    return np.asarray(leaves_list(optimal_leaf_ordering(linkage(condensed, "average"), condensed)))
