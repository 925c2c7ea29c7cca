# SPDX-License-Identifier: MIT
"""ONNX Runtime gives the scores that Mugrad does, for every head of a model."""
import json
import sys

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

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
