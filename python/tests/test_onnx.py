# SPDX-License-Identifier: MIT
"""ONNX Runtime gives the scores that Mugrad does, for every head of a model."""
import json
import sys

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import mugrad
from conftest import learnable
from mugrad import BRClassifier, CAMELClassifier, CCClassifier, CLRClassifier, ECCClassifier
from mugrad import JFSCClassifier, LIFTClassifier, LLSFClassifier, LLSFDLClassifier, LPClassifier
from mugrad import MGDClassifier, MGDRegressor, MLkNNClassifier, RAkELClassifier

CASES = [
    MGDClassifier(),
    MGDClassifier(loss="squared"),
    MGDClassifier(scaling="none", precision="double"),
    BRClassifier(scaling="unit-row"),
    BRClassifier(representation="unit"),
    MGDClassifier(representation="tfidf", transfer="weights", sigma_ratio=1.0),
    MGDClassifier(representation="gaussian"),
    BRClassifier(representation="gaussian", centres=40, width=0.3),
    LIFTClassifier(representation="gaussian", centres=40),
    CAMELClassifier(representation="gaussian", centres=40),
    MLkNNClassifier(representation="gaussian", centres=40),
    MGDRegressor(representation="gaussian", centres=40),
    CCClassifier(),
    CCClassifier(random_order=True, scaling="unit-row"),
    ECCClassifier(n_estimators=5),
    ECCClassifier(n_estimators=4, vote="label"),
    ECCClassifier(n_estimators=11, vote="label", scaling="none"),
    LPClassifier(),
    LPClassifier(label_score="votes"),
    LPClassifier(label_score="confidence"),
    RAkELClassifier(labels_per_set=2),
    RAkELClassifier(labels_per_set=2, label_score="votes"),
    RAkELClassifier(labels_per_set=2, label_score="confidence", cover=True),
    CLRClassifier(),
    CLRClassifier(vote="probability"),
    LIFTClassifier(),
    LLSFClassifier(),
    LLSFDLClassifier(),
    LLSFDLClassifier(label_sparsity=0.1),
    JFSCClassifier(),
    CAMELClassifier(),
    MLkNNClassifier(),
    MLkNNClassifier(n_neighbors=5, scaling="none"),
    MLkNNClassifier(n_neighbors=3, laplace=0.5, scaling="unit-row"),
    MGDClassifier(rho=3.0, threshold="auto"),
    LLSFClassifier(threshold="auto"),
    LPClassifier(rho=3.0, threshold="auto"),
    CAMELClassifier(threshold="auto"),
    MGDRegressor(),
]


@pytest.mark.parametrize("estimator", CASES, ids=str)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_runtime_gives_the_same_scores(estimator, dtype, tmp_path):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    X, y = learnable(n=150, d=8, labels=5)
    X = X.astype(dtype)
    X[:, 3] = 2  # a constant feature
    y[:, 4] = y[:, 0] * y[:, 1]
    estimator.fit(X, y)
    X[7] = 0  # without length
    mugrad.export_onnx(estimator, tmp_path / "model.onnx", dtype=dtype)
    session = runtime.InferenceSession(
        str(tmp_path / "model.onnx"), providers=["CPUExecutionProvider"]
    )
    outputs = [one.name for one in session.get_outputs()]
    found = dict(zip(outputs, session.run(None, {"X": X})))
    # Both sum in double precision, in different orders.
    scores = estimator.model_.scores(X)
    scale = max(1, np.abs(scores).max()) if isinstance(estimator, MGDRegressor) else 1
    np.testing.assert_allclose(found["scores"], scores, rtol=0, atol=1e-9 * scale)
    if isinstance(estimator, MGDRegressor):
        assert outputs == ["scores"]
    else:
        np.testing.assert_array_equal(found["labels"], estimator.predict(X))


@pytest.mark.parametrize(
    "estimator",
    [
        ECCClassifier(n_estimators=4, vote="label"),
        ECCClassifier(n_estimators=22, vote="label"),
        RAkELClassifier(labels_per_set=3, label_score="votes"),
        LPClassifier(label_score="votes"),
        CLRClassifier(),
    ],
    ids=str,
)
def test_votes_that_just_reach_a_threshold_do_so_in_the_runtime(estimator):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    X, y = learnable(n=150, d=8, labels=7)
    estimator.fit(X, y)
    scores = estimator.model_.scores(X)
    for threshold in np.unique(scores):
        if not 0 < threshold < 1:
            continue
        estimator.set_thresholds(threshold)
        graph = mugrad.export_onnx(estimator, dtype=np.float64)
        session = runtime.InferenceSession(
            graph.SerializeToString(), providers=["CPUExecutionProvider"]
        )
        found, labels = session.run(None, {"X": X})
        np.testing.assert_array_equal(found, scores)
        np.testing.assert_array_equal(labels, estimator.predict(X))


def test_examples_that_are_sparse_in_the_model_are_neighbours_in_the_runtime():
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    X, y = learnable(n=150, d=8, labels=5)
    X[np.random.default_rng(1).random(X.shape) < 0.5] = 0
    estimator = MLkNNClassifier().fit(sp.csr_matrix(X), y)
    assert isinstance(estimator.model_.head["rows"], tuple)
    graph = mugrad.export_onnx(estimator, dtype=np.float64)
    session = runtime.InferenceSession(
        graph.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    np.testing.assert_array_equal(session.run(["scores"], {"X": X})[0], estimator.predict_proba(X))


def with_texts(path, out, kind, texts, length, beside):
    """Writes the model with some of its features as terms of texts."""
    content = path.read_bytes()
    size = int.from_bytes(content[:8], "little")
    header, data = json.loads(content[8 : 8 + size]), content[8 + size :]
    scaling = {"kind": kind, "text_length": length, "beside_texts": beside}
    if kind == "unit":
        scaling["row_length"] = 2.5
    header["__metadata__"].update(scaling=json.dumps(scaling), format_version="3")
    weights = np.ones(header["feature_mean"]["shape"][0])
    for begin, count in texts:
        weights[begin : begin + count] = 1 + np.arange(count) / 3
    for name, numbers in ("term_weight", weights), ("term_blocks", np.array(texts, np.int64)):
        dtype = "I64" if name == "term_blocks" else "F64"
        begin, data = len(data), data + numbers.tobytes()
        offsets = [begin, len(data)]
        header[name] = {"dtype": dtype, "shape": list(numbers.shape), "data_offsets": offsets}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    out.write_bytes(len(text).to_bytes(8, "little") + text + data)


@pytest.mark.parametrize("texts", [[(0, 3), (5, 2)], [(1, 2), (3, 4)], [(0, 8)]])
@pytest.mark.parametrize("kind", ["zscore", "none", "unit"])
@pytest.mark.parametrize("estimator", [BRClassifier(), CAMELClassifier()], ids=str)
def test_terms_of_texts_have_their_length_in_the_runtime(estimator, kind, texts, tmp_path):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    X, y = learnable(n=150, d=8, labels=5)
    X[np.random.default_rng(1).random(X.shape) < 0.5] = 0
    estimator.fit(X, y).save(tmp_path / "model.mugrad")
    with_texts(tmp_path / "model.mugrad", tmp_path / "texts.mugrad", kind, texts, 1.5, 0.7)
    loaded = mugrad.load(tmp_path / "texts.mugrad")
    graph = mugrad.export_onnx(loaded, dtype=np.float64)
    session = runtime.InferenceSession(
        graph.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    scores = loaded.model_.scores(sp.csr_matrix(X))
    np.testing.assert_allclose(loaded.model_.scores(X), scores, rtol=0, atol=1e-12)
    found = session.run(["scores"], {"X": X})[0]
    np.testing.assert_allclose(found, scores, rtol=0, atol=1e-9)
    assert np.abs(scores - estimator.model_.scores(X)).max() > 1e-3


def test_coefficients_are_for_texts_divided_by_their_lengths(tmp_path):
    X, y = learnable(n=150, d=8, labels=5)
    estimator = BRClassifier().fit(X, y)
    estimator.save(tmp_path / "model.mugrad")
    with_texts(tmp_path / "model.mugrad", tmp_path / "texts.mugrad", "zscore", [(2, 3)], 1.5, 0.7)
    loaded = mugrad.load(tmp_path / "texts.mugrad")
    rows = X.copy()
    rows[:, 2:5] /= np.linalg.norm(X[:, 2:5] * [1, 4 / 3, 5 / 3], axis=1, keepdims=True)
    logits = rows @ loaded.coef_.T + loaded.intercept_
    np.testing.assert_allclose(loaded.decision_function(X), logits, rtol=0, atol=1e-9)


def test_names_of_labels_are_in_the_metadata(data):
    pytest.importorskip("onnx")
    X, y = data
    fitted = MGDClassifier().fit(X, pd.DataFrame(y, columns=list("abcde")))
    properties = {one.key: one.value for one in mugrad.export_onnx(fitted).metadata_props}
    assert json.loads(properties["label_names"]) == list("abcde")


def test_missing_package_is_named(data, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match="mugrad\\[onnx\\]"):
        mugrad.export_onnx(MGDClassifier().fit(*data))


TICKETS = [
    {"body": f"the {a} printer {b}", "age": age, "subject": f"{b} {a}"}
    for a in ("broken", "new", "broken broken")
    for b in ("refund", "Zürich again", "re-read it, please")
    for age in range(4)
]
TOPICS = [{t for t in ("broken", "refund") if t in row["body"]} for row in TICKETS]


def words_of(rows, column):
    analyzer = mugrad.TableVectorizer(max_words=1).build_analyzer()
    words = [analyzer(row[column]) for row in rows]
    widest = max(map(len, words))
    return np.array([row + [""] * (widest - len(row)) for row in words], dtype=object)


@pytest.mark.parametrize("representation", ["zscore", "unit-row"])
@pytest.mark.parametrize("options", [{}, {"sublinear": False, "min_words": 2}, {"max_words": 1}])
def test_texts_are_scored_from_counts_and_from_words(options, representation):
    runtime = pytest.importorskip("onnxruntime")
    vectorizer = mugrad.TableVectorizer(text=["body", "subject"], **options)
    pipeline = make_pipeline(vectorizer, BRClassifier(representation=representation))
    pipeline.fit(TICKETS, TOPICS)
    expected = pipeline.predict_proba(TICKETS)
    from_counts = mugrad.export_onnx(pipeline[-1], dtype=np.float64).SerializeToString()
    X = vectorizer.transform(TICKETS).toarray()
    found = runtime.InferenceSession(from_counts).run(["scores"], {"X": X})[0]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)
    graph = mugrad.export_onnx(pipeline, texts="words", dtype=np.float64)
    inputs = {name: words_of(TICKETS, name) for name in ("body", "subject")}
    inputs["X"] = np.array([[float(row["age"])] for row in TICKETS])
    assert {one.name for one in graph.graph.input} == set(inputs)
    session = runtime.InferenceSession(graph.SerializeToString())
    found = session.run(["scores"], inputs)[0]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)
    assert pipeline[-1].model_.table_features.text["max_words"] == options.get("max_words", 2)


def test_texts_that_a_graph_cannot_take_are_refused():
    pytest.importorskip("onnx")
    texts = [row["body"] for row in TICKETS]
    pipeline = make_pipeline(mugrad.TableVectorizer(), BRClassifier()).fit(texts, TOPICS)
    with pytest.raises(ValueError, match="no operator that splits texts at the word boundaries"):
        mugrad.export_onnx(pipeline)
    assert [one.name for one in mugrad.export_onnx(pipeline, texts="words").graph.input] == ["text"]
    with pytest.raises(ValueError, match="texts must be 'counts' or 'words', got 'raw'"):
        mugrad.export_onnx(pipeline, texts="raw")
    for options, what in (({"hash_bits": 4}, "hashed terms"), ({"min_characters": 2, "max_characters": 3}, "n-grams of characters")):  # fmt: skip
        other = make_pipeline(mugrad.TableVectorizer(**options), BRClassifier()).fit(texts, TOPICS)
        with pytest.raises(ValueError, match=f"no operator that makes {what} of words"):
            mugrad.export_onnx(other, texts="words")
    X, y = learnable()
    with pytest.raises(ValueError, match="this model has none"):
        mugrad.export_onnx(BRClassifier().fit(X, y), texts="words")
    with pytest.raises(ValueError, match="only a TableVectorizer and a classifier"):
        mugrad.export_onnx(make_pipeline(StandardScaler(), BRClassifier()).fit(X, y))
    ready = make_pipeline(mugrad.TableVectorizer(representation="unit"), BRClassifier())
    with pytest.raises(ValueError, match="leave representation=None"):
        mugrad.export_onnx(ready.fit(texts, TOPICS), texts="words")
