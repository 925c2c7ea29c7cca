# SPDX-License-Identifier: MIT
"""Predicting ends when it is interrupted, and scores are finite numbers or an error."""
import json
import os
import signal
import struct
import sys
import threading

import numpy as np
import pytest
import scipy.sparse as sp

import mugrad
from mugrad import _core


def model_file(tensors, head, labels):
    """The bytes of a model of these tensors, as docs/model-file.md has it."""
    report = dict.fromkeys(("method", "solver", "stop"), "")
    report |= dict.fromkeys(("rows", "passes", "step", "curvature"), 0)
    report |= dict.fromkeys(("first_residual", "residual", "total_loss"), 0)
    report |= {"constant_labels": [], "warnings": []}
    texts = {"features": [], "labels": labels, "head": head, "scaling": {"kind": "none"}}
    texts |= {"options": {}, "report": report}
    header = {"__metadata__": {key: json.dumps(value) for key, value in texts.items()}}
    header["__metadata__"] |= {"format": "mugrad-model", "format_version": "2"}
    data = b""
    types = {"float64": "F64", "int64": "I64", "int32": "I32"}
    for name, tensor in tensors.items():
        begin = len(data)
        data += tensor.tobytes()
        header[name] = {"dtype": types[tensor.dtype.name], "shape": tensor.shape,
                        "data_offsets": [begin, len(data)]}
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def linear_tensors(features, columns, labels):
    return {
        "weights": np.ones((features, columns)),
        "intercepts": np.zeros(columns),
        "thresholds": np.full(labels, 0.5),
        "feature_mean": np.zeros(features),
        "feature_deviation": np.ones(features),
        "relations.row_start": np.zeros(labels + 1, np.int64),
        "relations.label": np.zeros(0, np.int32),
        "relations.strength": np.zeros(0),
    }


def slow_model():
    """One that takes a thousand examples and labels into account for every row."""
    examples = labels = 1000
    tensors = linear_tensors(1, examples, labels) | {
        "head.squared_length": np.ones(examples),
        "head.coefficients": np.ones((examples, labels)),
        "head.offset": np.zeros(labels),
    }
    names = [str(k) for k in range(labels)]
    return _core.Model.from_bytes(model_file(tensors, {"kind": "kernel", "width": 1.0}, names))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("work", ["predict", "scores", "top"])
def test_predicting_ends_when_it_is_interrupted(work, threads):
    model = slow_model()
    # Rows without entries, of which a computer does a thousand a second: it would go on for minutes, or hours.
    rows = 4_000_000 if work != "scores" else 50_000
    x = sp.csr_matrix((rows, 1))
    begun = threading.Event()
    predicts = False

    def interrupt():
        begun.wait()
        os.kill(os.getpid(), signal.SIGINT)

    def end(number, frame):
        if predicts:
            raise KeyboardInterrupt

    # No thread has to let go of the lock for others: the other one runs, and the signal comes, while
    # rows are scored without it.
    interval, handler = sys.getswitchinterval(), signal.signal(signal.SIGINT, end)
    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        sys.setswitchinterval(1000)
        begun.set()
        predicts = True
        with pytest.raises(KeyboardInterrupt):
            getattr(model, work)(x, *([3] if work == "top" else []), threads=threads)
    finally:
        predicts = False
        thread.join()
        sys.setswitchinterval(interval)
        signal.signal(signal.SIGINT, handler)


def test_a_model_that_would_guess_for_ever_is_refused():
    tensors = linear_tensors(1, 2, 1) | {"head.label_weights": np.zeros((1, 1))}
    head = {"kind": "feedback", "rounds": 2**62}
    with pytest.raises(mugrad.InputError, match="the model has 4611686018427387904 feedback rounds"):
        _core.Model.from_bytes(model_file(tensors, head, ["a"]))


def test_labels_of_one_name_are_refused():
    tensors = linear_tensors(1, 2, 2)
    head = {"kind": "independent", "link": "logistic"}
    with pytest.raises(mugrad.InputError, match="two labels of the model are called 'a'"):
        _core.Model.from_bytes(model_file(tensors, head, ["a", "a"]))


@pytest.mark.parametrize("form", [np.ascontiguousarray, sp.csr_matrix])
@pytest.mark.parametrize("work", ["predict", "scores", "linear_scores", "top"])
def test_scores_that_are_not_finite_are_an_error_that_names_row_and_label(form, work):
    tensors = linear_tensors(2, 2, 2) | {"weights": np.array([[1.0, 2.0], [1.0, 2.0]])}
    head = {"kind": "independent", "link": "identity"}
    model = _core.Model.from_bytes(model_file(tensors, head, ["a", "b"]))
    x = np.array([[1.0, 1.0], [1e308, 0.0]])
    with pytest.raises(ValueError, match="row 1: the score of label 'b' is inf"):
        getattr(model, work)(form(x), *([1] if work == "top" else []))


@pytest.mark.parametrize("estimator", mugrad._files.CLASSIFIERS)
def test_far_rows_have_the_labels_of_rows_that_are_far_enough(estimator, data):
    X, y = data
    fitted = estimator().fit(X, y)
    far = fitted.predict(X * 1e12)
    for factor in (1e200, 1.7e308 / np.abs(X).max()):
        np.testing.assert_array_equal(fitted.predict(X * factor), far)
