# SPDX-License-Identifier: MIT
"""Models as ONNX graphs. All sums are in double precision, as in the core."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any, NamedTuple, Optional

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._fitted_model import Path
from ._onnx_graph import Graph
from ._onnx_texts import features_of_words, last_of_table
from ._sparse import csr_from


def export_onnx(
    estimator: Any,
    path: Optional[Path] = None,
    *,
    dtype: Any = np.float32,
    texts: str = "counts",
) -> Any:
    """Convert a fitted estimator to an ONNX graph, for example for ONNX Runtime.

    Parameters
    ----------
    estimator : object
        A fitted estimator of this package; with ``texts="words"`` also a pipeline of a
        `TableVectorizer` and a classifier.
    path : str or path-like, default=None
        File to write, if any.
    dtype : float32 or float64, default=float32
        Type of the graph's input ``X``, of shape (n_samples, n_features).
    texts : {"counts", "words"}, default="counts"
        What the graph takes for the texts of a table. "counts": their features in ``X``, as
        `TableVectorizer` makes them. "words": an input per text, called like its column, of the
        words of each row, padded with empty texts; ``X`` then has the other features, in order, and
        does not exist if there are none. ONNX has no operator that splits texts at the word
        boundaries of Unicode, and none that makes lower case of many rows alike on all machines:
        ``TableVectorizer(max_words=1).build_analyzer()`` does both. A graph does not know words
        with capital letters.

    Returns
    -------
    model : onnx.ModelProto
        Its outputs have a column per label: ``scores``, double, those of ``predict_proba`` if they
        are probabilities; and, for a classifier, ``labels``, int64, 1 if the score is at least the
        threshold. The labels' names are in the metadata, as JSON.

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> import mugrad
    >>> X, y = make_multilabel_classification(random_state=1)
    >>> classifier = mugrad.MGDClassifier().fit(X, y)
    >>> graph = mugrad.export_onnx(classifier)
    >>> [output.name for output in graph.graph.output]
    ['scores', 'labels']
    """
    try:
        import onnx
    except ImportError:
        raise ImportError("export_onnx needs the package onnx: pip install mugrad[onnx]") from None
    if texts not in ("counts", "words"):
        raise ValueError(f"texts must be 'counts' or 'words', got {texts!r}")
    if hasattr(estimator, "steps"):
        estimator = last_of_table(estimator, texts)
    check_is_fitted(estimator)
    model = estimator.model_
    graph = Graph(onnx)
    features, inputs = "X", {"X": (np.dtype(dtype), model.n_features)}
    if texts == "words":
        features, inputs = features_of_words(graph, model, np.dtype(dtype))
    rows = represented_rows(graph, features, model.feature_transform, model.n_features)
    linear = ""
    if len(model.intercepts) > 0:
        linear = graph.add(graph.matmul(rows, model.weights.astype(np.float64)), model.intercepts)
    scores = HEADS[model.head["kind"]](graph, Scores(rows, linear, model.n_labels), model.head)
    if model.calibration is not None:
        scores = calibrated(graph, scores, linear, model)
    graph.node("Identity", scores, output="scores")
    outputs: dict[str, Any] = {"scores": np.float64}
    if hasattr(estimator, "thresholds_"):
        reached = graph.node("GreaterOrEqual", scores, model.thresholds)
        graph.cast(reached, np.int64, output="labels")
        outputs["labels"] = np.int64
    proto = graph.finish(inputs, model, outputs)
    if path is not None:
        onnx.save(proto, os.fspath(path))
    return proto


class Scores(NamedTuple):
    """The inputs of a head."""

    rows: str  # scaled
    linear: str  # empty if the weights have no columns
    labels: int


def gaussian_features(
    graph: Graph,
    rows: str,
    mean: np.ndarray,
    deviation: np.ndarray,
    centres: np.ndarray,
    projection: np.ndarray,
    decay: float,
) -> str:
    """Similarities to the centres, projected."""
    factor = np.divide(1.0, deviation, out=np.zeros_like(deviation), where=deviation > 0)
    z = graph.mul(graph.sub(rows, mean), factor)
    length = graph.node("ReduceSumSquare", z, axes=[1], keepdims=1)
    # The matrix is doubled, not the product: runtimes round a constant factor of a product.
    product = graph.matmul(z, np.ascontiguousarray(2 * centres.T))
    apart = graph.add(graph.sub(length, product), (centres**2).sum(axis=1))
    apart = graph.node("Max", apart, np.float64(0))
    return graph.matmul(graph.node("Exp", graph.mul(apart, np.float64(-decay))), projection)


def represented_rows(graph: Graph, x: str, transform: dict[str, Any], features: int) -> str:
    """The rows of x in the representation of the model."""
    rows = graph.cast(x, np.float64)
    if transform["gaussian"] is not None:
        appended = gaussian_features(graph, rows, **transform["gaussian"])
        rows = graph.node("Concat", rows, appended, axis=1)
    if transform["shift"] is not None:
        rows = graph.sub(rows, transform["shift"])
    if transform["factor"] is not None:
        rows = graph.mul(rows, transform["factor"])
    return with_lengths(graph, rows, transform["parts"], features)


def with_lengths(graph: Graph, rows: str, parts: list[Any], features: int) -> str:
    """The rows with each part, some ranges of columns, scaled to its length."""
    pieces: list[tuple[int, int, str]] = []
    for wanted, columns in parts:
        if columns == [(0, features)]:
            slices = [rows]
        else:
            slices = [graph.columns(rows, begin, end) for begin, end in columns]
        # Not ReduceL2, which some runtimes lack for doubles.
        squares = [graph.node("ReduceSumSquare", one, axes=[1], keepdims=1) for one in slices]
        length = graph.node("Sqrt", functools.reduce(graph.add, squares))
        is_zero = graph.node("Equal", length, np.float64(0))
        length = graph.node("Where", is_zero, np.float64(1), length)
        # A constant factor of its own would be rounded to a float where runtimes fuse it with the
        # product that follows.
        factor = graph.div(np.float64(wanted), length)
        scaled = [graph.mul(one, factor) for one in slices]
        pieces += [(begin, end, one) for (begin, end), one in zip(columns, scaled)]
    if not pieces:
        return rows
    pieces.sort()
    ends = [0, *(end for _, end, _ in pieces)]
    begins = [*(begin for begin, _, _ in pieces), features]
    gaps = [(end, begin) for end, begin in zip(ends, begins) if end < begin]
    pieces += [(end, begin, graph.columns(rows, end, begin)) for end, begin in gaps]
    return graph.node("Concat", *(one for _, _, one in sorted(pieces)), axis=1)


def calibrated(graph: Graph, scores: str, linear: str, model: Any) -> str:
    """Probabilities by the calibration of the model."""
    slope, shift = model.calibration
    u = linear if model.has_linear_scores else scores
    if u is scores and model.head_range.are_probabilities:
        p = graph.node("Min", graph.node("Max", scores, np.float64(1e-9)), np.float64(1 - 1e-9))
        u = graph.node("Log", graph.div(p, graph.sub(np.float64(1), p)))
    return graph.node("Sigmoid", graph.add(graph.mul(u, slope), shift))


def independent(graph: Graph, given: Scores, head: dict[str, Any]) -> str:
    return graph.node("Sigmoid", given.linear) if head["link"] == "logistic" else given.linear


def chain_step(onnx: Any, kind: str, members: int, labels: int) -> Any:
    """One step along the chains."""
    step = Graph(onnx, "step")
    z = step.add("step_z", step.sum(step.mul("step_predicted", "step_gains"), 2))
    is_there = step.at_least_zero(z)
    vote = is_there if kind == "label" else step.node("Sigmoid", z)

    def at_labels(values: str) -> str:
        return step.mul(step.node("Unsqueeze", values, np.array([2])), "step_here")

    step.node("Add", "step_predicted", at_labels(is_there), output="step_predicted_next")
    step.node("Add", "step_scores", step.sum(at_labels(vote), 1), output="step_scores_next")
    every = ["n", members, labels]
    inputs = [
        step.tensor("step_predicted", np.float64, every),
        step.tensor("step_scores", np.float64, ["n", labels]),
        step.tensor("step_z", np.float64, ["n", members]),
        step.tensor("step_gains", np.float64, every[1:]),
        step.tensor("step_here", np.float64, every[1:]),
    ]
    outputs = [
        step.tensor("step_predicted_next", np.float64, every),
        step.tensor("step_scores_next", np.float64, ["n", labels]),
    ]
    return onnx.helper.make_graph(step.nodes, "step", inputs, outputs, step.constants)


def chains(graph: Graph, given: Scores, head: dict[str, Any]) -> str:
    """All members advance along their chains together, one position at a time."""
    order = head["order"].reshape(-1, given.labels).T  # position by member
    places, members = order.shape
    columns = order + given.labels * np.arange(members)
    here = np.zeros((places, members, given.labels))
    np.put_along_axis(here, order[:, :, None].astype(np.int64), 1.0, axis=2)
    gains = head["history"][columns]

    linear = graph.node("Gather", given.linear, columns.ravel().astype(np.int64), axis=1)
    linear = graph.node("Reshape", linear, np.array([-1, places, members]))
    linear = graph.node("Transpose", linear, perm=[1, 0, 2])
    zero = graph.mul(graph.columns(given.linear, 0, 1), np.float64(0))
    predicted = graph.add(graph.node("Unsqueeze", zero, np.array([2])), np.zeros(here.shape[1:]))
    scores = graph.add(zero, np.zeros(given.labels))

    body = chain_step(graph.onnx, head["vote"], members, given.labels)
    last = [graph.name(), graph.name()]
    names = [predicted, scores, linear, graph.constant(gains), graph.constant(here)]
    graph.nodes.append(
        graph.onnx.helper.make_node("Scan", names, last, body=body, num_scan_inputs=3)
    )
    return graph.div(last[1], np.float64(members))


def ones_matrix(parts: tuple[Any, ...]) -> np.ndarray:
    found: np.ndarray = csr_from(parts, np.float64).toarray()
    return found


def dense_matrix(array_or_parts: Any) -> np.ndarray:
    if not isinstance(array_or_parts, tuple):
        return np.asarray(array_or_parts)
    found: np.ndarray = csr_from(array_or_parts).toarray()
    return found


def labelsets(graph: Graph, given: Scores, head: dict[str, Any]) -> str:
    """One row per set, padded with classes of zero probability."""
    sets, classes = ones_matrix(head["sets"]), ones_matrix(head["classes"])
    start = head["class_start"]
    widest = int(np.diff(start).max())
    place = start[:-1, None] + np.arange(widest)
    is_class = place < start[1:, None]
    place = np.where(is_class, place, 0)
    share = np.divide(1.0, sets.sum(axis=0), out=np.zeros(given.labels), where=sets.any(axis=0))
    has_label = (classes[place] * is_class[:, :, None]).reshape(-1, given.labels)

    z = graph.node("Gather", given.linear, place.ravel().astype(np.int64), axis=1)
    z = graph.node("Reshape", z, np.array([-1, *place.shape]))
    z = graph.add(z, np.where(is_class, 0.0, -np.inf))
    largest = graph.node("ReduceMax", z, axes=[2], keepdims=1)
    weights = graph.node("Exp", graph.sub(z, largest))
    total = graph.node("ReduceSum", weights, np.array([2]), keepdims=1)
    confidence = graph.div(np.float64(1), total)
    if head["score"] == "marginal":
        likely = graph.mul(weights, confidence)
    else:
        winner = graph.node("ArgMax", z, axis=2, keepdims=1)
        likely = graph.cast(graph.node("Equal", winner, np.arange(widest)), np.float64)
    if head["score"] == "confidence":
        likely = graph.mul(likely, confidence)
    scores = graph.matmul(
        graph.node("Reshape", likely, np.array([-1, place.size])), np.ascontiguousarray(has_label)
    )
    if head["score"] == "confidence":
        doubt = graph.node("Squeeze", graph.sub(np.float64(1), confidence), np.array([2]))
        scores = graph.add(scores, graph.matmul(doubt, sets / 2))
    return graph.mul(scores, share)


def pairs(graph: Graph, given: Scores, head: dict[str, Any]) -> str:
    labels = given.labels
    count = len(head["first"])
    is_label = head["vote"] == "label"
    z = given.linear
    votes = graph.at_least_zero(z) if is_label else graph.node("Sigmoid", z)
    alone = graph.columns(votes, 0, labels)
    against = graph.node("ReduceSum", graph.sub(np.float64(1), alone), np.array([1]), keepdims=1)
    scores = graph.sub(alone, against)
    if count > 0:
        first, second = np.zeros((count, labels)), np.zeros((count, labels))
        first[np.arange(count), head["first"]] = 1
        second[np.arange(count), head["second"]] = 1
        preferred = graph.columns(votes, labels, labels + count)
        scores = graph.add(scores, graph.matmul(preferred, first - second))
        scores = graph.add(scores, second.sum(axis=0))
    return graph.add(graph.div(scores, np.float64(2 * labels)), np.float64(0.5))


def squared_distances(graph: Graph, given: Scores, squared_length: np.ndarray) -> str:
    length = graph.node("ReduceSumSquare", given.rows, axes=[1], keepdims=1)
    product = graph.mul(given.linear, np.float64(2))
    return graph.node(
        "Max", graph.add(graph.sub(length, product), squared_length), np.float64(0)
    )


def distances(graph: Graph, given: Scores, head: dict[str, Any]) -> str:
    start = head["centre_start"]
    weights = np.zeros((len(head["weight"]), given.labels))
    label = np.repeat(np.arange(given.labels), np.diff(start))
    weights[np.arange(len(label)), label] = head["weight"]
    apart = graph.node("Sqrt", squared_distances(graph, given, head["squared_length"]))
    f = graph.add(graph.matmul(apart, weights), head["offset"])
    return graph.node("Sigmoid", graph.sub(graph.mul(f, -head["slope"]), head["shift"]))


def feedback(graph: Graph, given: Scores, head: dict[str, Any]) -> str:
    labels = given.labels
    scores = graph.columns(given.linear, 0, labels)
    base = graph.columns(given.linear, labels, 2 * labels)
    for _ in range(head["rounds"]):
        is_there = graph.at_least_zero(graph.sub(scores, np.float64(0.5)))
        scores = graph.add(base, graph.matmul(is_there, head["label_weights"]))
    return scores


def kernel(graph: Graph, given: Scores, head: dict[str, Any]) -> str:
    factor = np.float64(-1 / (2 * head["width"] ** 2))
    apart = squared_distances(graph, given, head["squared_length"])
    likeness = graph.node("Exp", graph.mul(apart, factor))
    return graph.add(graph.matmul(likeness, head["coefficients"]), head["offset"])


def neighbours(graph: Graph, given: Scores, head: dict[str, Any]) -> str:
    """The nearest examples have the largest x.e - |e|^2 / 2; the first of equal ones is nearer."""
    examples, probability = dense_matrix(head["rows"]), head["probability"]
    outcomes = probability.shape[1]
    has_label = ones_matrix(head["labels"]).astype(np.int64)
    x = graph.add(given.rows, head["shift"]) if len(head["shift"]) else given.rows
    half_length = (examples**2).sum(axis=1) / 2
    is_zero = half_length == 0
    common = half_length.max(initial=0.0)
    if np.all(is_zero | (common - half_length <= 2.0**-40 * common)):  # one length, as in the core
        half_length = np.where(is_zero, 0.0, common)
    closeness = graph.sub(graph.matmul(x, np.ascontiguousarray(examples.T)), half_length)
    values, nearest = graph.name(), graph.name()
    names = [closeness, graph.constant(np.array([outcomes - 1]))]
    graph.nodes.append(graph.onnx.helper.make_node("TopK", names, [values, nearest], axis=1))
    count = graph.sum(graph.node("Gather", has_label, nearest, axis=0), 1)
    place = graph.add(count, outcomes * np.arange(given.labels))
    return graph.node("Gather", probability.ravel(), place, axis=0)


HEADS: dict[str, Callable[[Graph, Scores, dict[str, Any]], str]] = {
    "independent": independent,
    "chains": chains,
    "labelsets": labelsets,
    "pairs": pairs,
    "distances": distances,
    "feedback": feedback,
    "kernel": kernel,
    "neighbours": neighbours,
}
