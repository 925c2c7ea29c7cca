# SPDX-License-Identifier: MIT
"""Terms of texts in ONNX graphs, from words."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._onnx_graph import Graph
from ._table import TableVectorizer


def last_of_table(pipeline: Any, texts: str) -> Any:
    """The classifier behind a TableVectorizer."""
    steps = [step for _, step in pipeline.steps if step is not None and step != "passthrough"]
    if len(steps) != 2 or not isinstance(steps[0], TableVectorizer):
        raise ValueError("of pipelines, only a TableVectorizer and a classifier can be exported")
    if steps[0].representation is not None:
        raise ValueError(
            "a TableVectorizer with a representation cannot be exported: leave representation=None, "
            "and give the classifier this representation"
        )
    if texts == "words":
        return steps[1]
    raise ValueError(
        "ONNX has no operator that splits texts at the word boundaries of Unicode: export "
        "pipeline[-1], which takes the features that pipeline[:-1] makes, or give texts='words' for "
        "inputs of words"
    )


def features_of_words(graph: Graph, model: Any, dtype: Any) -> tuple[str, dict[str, Any]]:
    """The features from the words of each text and the other features; and the inputs for both."""
    table = model.table_features
    columns = [] if table is None else [c for c in table.columns if c[1] == "text" and c[3] > 0]
    if not columns:
        raise ValueError("texts='words' is for models of tables with texts, and this model has none")
    if table.text["hash_bits"] > 0 or table.text["max_characters"] > 0:
        kind = "hashed terms" if table.text["hash_bits"] > 0 else "n-grams of characters"
        raise ValueError(
            f"ONNX has no operator that makes {kind} of words: export with texts='counts'"
        )
    inputs: dict[str, Any] = {}
    pieces: list[str] = []
    beside = 0  # other features so far

    def take_beside(count: int) -> None:
        nonlocal beside
        if count > 0:
            piece = graph.columns("X", beside, beside + count)
            pieces.append(graph.cast(piece, np.float64))
            beside += count

    end = 0
    for name, _, first, width, *_ in sorted(columns, key=lambda column: column[2]):
        if name == "X":
            raise ValueError("a text called 'X' would have the name of the other features' input")
        take_beside(first - end)
        end = first + width
        terms = [term[len(name) + 1 :] for term in table.names[first:end]]
        pieces.append(_counts(graph, name, terms, table.text))
        inputs[name] = (np.dtype(object), f"words of {name}")
    take_beside(model.n_features - end)
    if beside:
        inputs["X"] = (dtype, beside)
    return graph.node("Concat", *pieces, axis=1), inputs


def _counts(graph: Graph, words: str, terms: list[str], options: dict[str, Any]) -> str:
    """How often each term occurs, as a model counts it."""
    longest = options["max_words"]
    pools: list[list[int]] = [[] for _ in range(longest)]  # terms by their number of words
    for place, term in enumerate(terms):
        pools[term.count(" ")].append(place)
    starts: list[int] = []
    places: list[int] = []
    strings: list[str] = []
    for pool in pools:
        starts.append(len(strings))
        for place in pool:
            places.append(place)
            strings.extend(terms[place].split(" "))
    counts = graph.node(
        "TfIdfVectorizer",
        words,
        mode="TF",
        min_gram_length=options["min_words"],
        max_gram_length=longest,
        max_skip_count=0,
        ngram_counts=starts,
        ngram_indexes=places,
        pool_strings=strings,
    )
    counts = graph.cast(counts, np.float64)
    if not options["sublinear"]:
        return counts
    # 1 + ln c of c > 0, and 0 of 0.
    is_there = graph.cast(graph.cast(counts, np.bool_), np.float64)
    return graph.add(is_there, graph.node("Log", graph.node("Max", counts, np.float64(1))))
