# SPDX-License-Identifier: MIT
"""Ctrl-C ends whatever the compiled part is doing."""
import ctypes
from collections import deque
from functools import partial
from operator import methodcaller

import numpy as np
import pytest
import scipy.sparse as sp

from mugrad import _core
from mugrad.datasets import dump, load, make_multilabel


def expect_interruption(call):
    """Raises KeyboardInterrupt within the call, which it comes before.

    The interpreter looks after signals between its own instructions. There are none here: what is
    called one after the other is compiled, from the interruption to what follows the call.
    """
    after = []
    steps = (ctypes.pythonapi.PyErr_SetInterrupt, call, partial(after.append, "went on"))
    with pytest.raises(KeyboardInterrupt):
        deque(map(methodcaller("__call__"), steps), maxlen=0)
    assert not after


@pytest.fixture(scope="module")
def large():
    """More than a mebibyte in every format."""
    X, y = make_multilabel(2000, 60, 5, random_state=1)
    return np.ascontiguousarray(X), sp.csr_matrix(y)


@pytest.mark.parametrize("ending", ["arff", "csv", "svm", "xmc", "jsonl"])
def test_reading_and_writing_end(ending, large, tmp_path):
    X, y = large
    path = tmp_path / f"data.{ending}"
    dump(path, X, y)
    count = -5 if ending in ("csv", "jsonl") else None
    options = dict(format=None, labels_xml="", label_columns=[], labels_optional=True, drop=[],
                   keep_ids=False, tags="", tag_separator=None, min_count=1, roles={},
                   missing="refuse", delimiter=None, label_count=count)  # fmt: skip
    expect_interruption(partial(_core.read_dataset, path=str(path), **options))
    written = tmp_path / f"written.{ending}"
    names = dict(name="data", feature_names=[], label_names=[], format=None)
    expect_interruption(partial(_core.write_dataset, path=str(written), x=X, y=y, **names))
    assert not written.exists()
    # Nothing is left pending.
    kept = load(path, n_labels=count)
    assert kept.data.shape == X.shape


def test_generating_ends():
    options = dict(rows=100_000, features=100, labels=10, group_size=2, relatedness=0.9,
                   cardinality=None, noise=0.3, seed=1)  # fmt: skip
    for density in (1.0, 0.2):
        expect_interruption(partial(_core.generate, density=density, **options))


def test_stratification_ends(large):
    y = sp.csr_matrix(sp.vstack([large[1]] * 2), dtype=float)
    for call in (
        partial(_core.stratified_k_fold, y, 1000, 1),
        partial(_core.iterative_stratification, y, [1.0] * 1000, 1),
    ):
        expect_interruption(call)


def test_evaluation_ends(large):
    X, y = large
    scores = np.random.RandomState(0).uniform(size=y.shape)
    expect_interruption(
        partial(_core.evaluate, scores=scores, truth=y, thresholds=[0.5], convention="sklearn",
                at=[])
    )  # fmt: skip
    counts = _core.ThresholdCounts(labels=5, low=0.0, high=1.0, usual=0.5)
    expect_interruption(partial(counts.add, scores, y))
