# SPDX-License-Identifier: MIT
"""Figures with matplotlib, which is imported only when one is drawn.

Every function draws into `ax`, or into a new figure, and returns the Axes. Colours are Okabe and
Ito's, and colour maps are uniform in lightness, which suits colour-blind readers and grey prints.
"""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from ._relations import strengths, strongest_relations
from ._statistics import _table, nemenyi

__all__ = ["convergence", "critical_difference", "label_relations", "sensitivity"]

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#b0568a", "#a87400", "#3a9bd6", "#5c5c5c")
STYLES = ("-", "--", "-.", ":")
MAP = "cividis"


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as pyplot
    except ImportError as error:
        raise ImportError(
            "mugrad.plot needs matplotlib, which is not installed: pip install matplotlib"
        ) from error
    return pyplot


def _axes(ax: Any, size: Tuple[float, float]) -> Any:
    if ax is not None:
        _pyplot()
        return ax
    _, made = _pyplot().subplots(figsize=size, constrained_layout=True)
    return made


def _study(study: Any, kind: str) -> Dict[str, Any]:
    """A study of one kind: from a file of `mugrad study -o`, or a result of `mugrad.study`."""
    if isinstance(study, (str, os.PathLike)):
        with open(study, encoding="utf-8") as file:
            study = json.load(file)
    if isinstance(study, Mapping) and "mugrad-study" in study:
        if kind not in study:
            raise ValueError(f"this study has no {kind}")
        study = study[kind]
    needed = {"convergence": "curves", "sensitivity": "values"}[kind]
    if not isinstance(study, Mapping) or needed not in study:
        raise ValueError(f"this is not a study of {kind}")
    return dict(study)


def _numbers(values: Sequence[Any]) -> np.ndarray:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def convergence(study: Any, *, show: str = "metric", ax: Any = None) -> Any:
    """A metric or the loss, iteration by iteration, with and without transfer.

    Parameters
    ----------
    study : a result of `mugrad.study.convergence`, or a file of `mugrad study convergence -o`
    show : {"metric", "loss"}
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> from mugrad.datasets import make_multilabel
    >>> from mugrad import plot, study
    >>> X, Y = make_multilabel(100, 5, 4, random_state=0)
    >>> ax = plot.convergence(study.convergence(X, Y, iterations=20))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('iteration', 'average-precision')
    """
    if show not in ("metric", "loss"):
        raise ValueError(f"show must be 'metric' or 'loss', got {show!r}")
    found = _study(study, "convergence")
    ax = _axes(ax, (6, 4))
    for number, curve in enumerate(found["curves"]):
        ax.plot(
            _numbers(curve["iterations"]) + 1,
            _numbers(curve["metric" if show == "metric" else "total_loss"]),
            color=COLOURS[number % len(COLOURS)],
            linestyle=STYLES[number % len(STYLES)],
            linewidth=2,
            label=curve["name"],
        )
    ax.set_xscale("log")
    ticks = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000]
    last = max(len(curve["iterations"]) and curve["iterations"][-1] for curve in found["curves"])
    shown = [tick for tick in [0, *ticks] if tick <= last]
    ax.set_xticks([tick + 1 for tick in shown], [str(tick) for tick in shown])
    ax.minorticks_off()
    ax.set_xlabel("iteration")
    ax.set_ylabel(found["metric"] if show == "metric" else "total loss")
    ax.set_title("\n".join(filter(None, [found.get("set"), found.get("setting")])), fontsize=10)
    ax.grid(True, color="#d0d7de", linewidth=0.6)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False)
    return ax


def _ink(image: Any, value: float) -> str:
    """Black or white, whichever is legible on the colour of the value."""
    red, green, blue, _ = image.cmap(image.norm(value))
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "white"


def sensitivity(study: Any, *, ax: Any = None, digits: int = 3) -> Any:
    """A metric over a grid of rho and sigma; a frame marks the best value.

    Parameters
    ----------
    study : a result of `mugrad.study.sensitivity`, or a file of `mugrad study sensitivity -o`
    ax : Axes, optional
    digits : int
        Number of decimals.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from mugrad.datasets import make_multilabel
    >>> from mugrad import plot, study
    >>> X, Y = make_multilabel(100, 5, 4, random_state=0)
    >>> ax = plot.sensitivity(study.sensitivity(X, Y, rhos=[0.01, 0.1], sigmas=[0, 1]))
    >>> ax.get_xlabel()
    'sigma, strength of transfer'
    """
    found = _study(study, "sensitivity")
    rhos, sigmas = found["rhos"], found["sigmas"]
    values = np.array([_numbers(row) for row in found["values"]])
    larger_is_better = found.get("larger_is_better", True)
    ax = _axes(ax, (1.6 + 0.85 * len(sigmas), 1.4 + 0.5 * len(rhos)))
    # Yellow is always the better end of the colour map.
    image = ax.imshow(
        values, cmap=MAP if larger_is_better else MAP + "_r", aspect="auto", origin="lower"
    )
    for (row, column), value in np.ndenumerate(values):
        if np.isnan(value):
            continue
        colour = _ink(image, value)
        ax.text(column, row, f"{value:.{digits}f}", ha="center", va="center", color=colour)
    if not np.isnan(values).all():
        flat = np.nanargmax(values) if larger_is_better else np.nanargmin(values)
        row, column = np.unravel_index(flat, values.shape)
        ax.add_patch(
            _pyplot().Rectangle(
                (column - 0.5, row - 0.5), 1, 1, fill=False, edgecolor=COLOURS[1], linewidth=3
            )
        )
    ax.set_xticks(range(len(sigmas)), [f"{sigma:g}" for sigma in sigmas])
    ax.set_yticks(range(len(rhos)), [f"{rho:g}" for rho in rhos])
    ax.set_xlabel("sigma, strength of transfer")
    ax.set_ylabel("rho, strength of L2")
    ax.set_title(" · ".join(filter(None, [found.get("set"), found["metric"]])), fontsize=10)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return ax


def label_relations(
    relations: Any,
    *,
    names: Optional[Sequence[Any]] = None,
    kind: str = "graph",
    max_labels: int = 40,
    max_links: Optional[int] = None,
    ax: Any = None,
) -> Any:
    """Which labels learn from which: the strongest relations of a trained model.

    Parameters
    ----------
    relations : a fitted classifier of mugrad, or a matrix (L, L) of shares
        Row i has the shares that label i borrows from each label.
    names : sequence, optional
        Names of the labels; by default those of the classifier.
    kind : {"graph", "matrix"}
        A circle of labels with lines between related labels, wider for stronger relations; or a map
        of the shares, which shows which label borrows from which.
    max_labels, max_links : int
        Show only this many labels, those with the strongest relations, and this many of the
        strongest links; by default twice as many links as labels.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> from mugrad import plot
    >>> ax = plot.label_relations([[0, 0.4, 0.1], [0.5, 0, 0], [0.1, 0, 0]], names=list("abc"))
    >>> sorted(text.get_text() for text in ax.texts)
    ['a', 'b', 'c']
    """
    if kind not in ("graph", "matrix"):
        raise ValueError(f"kind must be 'graph' or 'matrix', got {kind!r}")
    shares, labels = strongest_relations(relations, names, max_labels)
    if kind == "matrix":
        return _relation_matrix(shares, labels, ax)
    return _relation_graph(strengths(shares), labels, max_links or 2 * len(labels), ax)


def _relation_matrix(shares: np.ndarray, labels: List[str], ax: Any) -> Any:
    side = 2.2 + 0.22 * len(labels)
    ax = _axes(ax, (side + 1, side))
    others = np.where(np.eye(len(labels), dtype=bool), np.nan, shares)
    image = ax.imshow(others, cmap=MAP, vmin=0, interpolation="nearest")
    ax.figure.colorbar(image, ax=ax, label="share borrowed", shrink=0.8)
    ax.set_xticks(range(len(labels)), labels, rotation=90)
    ax.set_yticks(range(len(labels)), labels)
    ax.set_xlabel("from label")
    ax.set_ylabel("label")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return ax


def _relation_graph(strength: np.ndarray, labels: List[str], max_links: int, ax: Any) -> Any:
    ax = _axes(ax, (6.5, 6.5))
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    count = len(labels)
    angles = np.pi / 2 - 2 * np.pi * np.arange(count) / count
    points = np.column_stack([np.cos(angles), np.sin(angles)])
    rows, columns = np.triu_indices(count, 1)
    values = strength[rows, columns]
    strongest = np.argsort(-values, kind="stable")[:max_links]
    strongest = strongest[values[strongest] > 0]
    largest, least = (values[strongest[0]], values[strongest[-1]]) if len(strongest) else (1, 0)
    for link in strongest[::-1]:
        a, b = points[rows[link]], points[columns[link]]
        # Lines curve inwards, longer lines more strongly, to stay clear of other labels.
        middle = (a + b) / 2 * (1 - 0.45 * np.linalg.norm(a - b))
        weight = (values[link] - least) / (largest - least) if largest > least else 1.0
        ax.add_patch(
            PathPatch(
                Path([a, middle, b], [Path.MOVETO, Path.CURVE3, Path.CURVE3]),
                fill=False,
                edgecolor=COLOURS[0],
                linewidth=0.6 + 4.4 * weight,
                alpha=0.25 + 0.6 * weight,
                capstyle="round",
            )
        )
    ax.scatter(points[:, 0], points[:, 1], s=36, color=COLOURS[1], zorder=3)
    size = 10 if count <= 24 else 8
    for (x, y), angle, name in zip(points, angles, labels):
        degrees = np.degrees(angle) % 360
        is_left = 90 < degrees < 270
        ax.text(
            1.06 * x,
            1.06 * y,
            name,
            rotation=degrees - 180 if is_left else degrees,
            rotation_mode="anchor",
            ha="right" if is_left else "left",
            va="center",
            fontsize=size,
        )
    longest = max(len(name) for name in labels)
    reach = 1.1 + min(1.2, 0.011 * size * longest * 0.5)
    ax.set_xlim(-reach, reach)
    ax.set_ylim(-reach, reach)
    ax.set_aspect("equal")
    ax.axis("off")
    return ax


def critical_difference(
    values: Any,
    *,
    names: Optional[Sequence[Any]] = None,
    larger_is_better: bool = True,
    alpha: float = 0.05,
    ax: Any = None,
) -> Any:
    """Mean ranks of methods over data sets; a bar joins methods that do not differ (Nemenyi).

    Parameters
    ----------
    values : matrix of data sets x methods, or DataFrame
    names : sequence, optional
        Names of the methods; by default the columns of the DataFrame.
    larger_is_better : bool
    alpha : float
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import numpy as np
    >>> from mugrad import plot
    >>> values = np.random.default_rng(0).normal(size=(12, 3)) + [0, 0, 3]
    >>> ax = plot.critical_difference(values, names=["BR", "CC", "MGD"])
    >>> ax.get_title()
    'Mean rank over 12 data sets'
    """
    array, methods = _table(values)
    shown = [str(name) for name in (methods if names is None else names)]
    if len(shown) != len(methods):
        raise ValueError(f"{len(shown)} names for {len(methods)} methods")
    found = nemenyi(array, larger_is_better=larger_is_better, alpha=alpha)
    order = np.argsort(found.mean_ranks, kind="stable")
    groups = [group for group in found.groups if len(group) > 1]
    half = (len(order) + 1) // 2
    depth = 0.35 * len(groups) + 0.55
    ax = _axes(ax, (7.5, 1.7 + 0.3 * len(groups) + 0.32 * half))
    count = len(order)
    text = {"va": "center", "fontsize": 10}

    ax.plot([1, count], [0, 0], color="black", linewidth=1.2)
    for rank in range(1, count + 1):
        ax.plot([rank, rank], [0, 0.15], color="black", linewidth=1.2)
        ax.text(rank, 0.32, str(rank), ha="center", **text)
    for line, group in enumerate(groups):
        ends = found.mean_ranks[group]
        y = -0.4 - 0.35 * line
        ax.plot([ends.min() - 0.03, ends.max() + 0.03], [y, y], color=COLOURS[1], linewidth=4)
    left, right = 1 - 0.12 * (count - 1), count + 0.12 * (count - 1)
    for place, method in enumerate(order):
        is_left = place < half
        row = place if is_left else count - 1 - place
        y, x = -depth - 0.45 * row, found.mean_ranks[method]
        edge = left if is_left else right
        ax.plot([x, x, edge], [0, y, y], color=COLOURS[0], linewidth=1.2)
        label = f"{shown[method]}  {x:.2f}" if is_left else f"{x:.2f}  {shown[method]}"
        ax.text(edge, y, f" {label} ", ha="right" if is_left else "left", **text)
    distance = found.critical_distance
    ax.plot([1, 1 + distance], [1.0, 1.0], color="black", linewidth=2, marker="|", clip_on=False)
    ax.text(1 + distance / 2, 1.28, f"critical distance {distance:.2f}", ha="center", **text)
    ax.set_xlim(left - 0.3 * (count - 1), max(right, 1 + distance) + 0.3 * (count - 1))
    ax.set_ylim(-depth - 0.45 * (half - 1) - 0.4, 1.6)
    ax.set_title(f"Mean rank over {len(array)} data sets", fontsize=10)
    ax.axis("off")
    return ax
