# SPDX-License-Identifier: MIT
import importlib
import os
import signal

import numpy as np
import pytest
from sklearn.datasets import make_multilabel_classification

# A shell starts background jobs with SIGINT ignored, and the tests of Ctrl-C need it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def made():
    return make_multilabel_classification(n_samples=100, n_features=20, random_state=1)


@pytest.fixture
def data(made):
    """A hundred examples with five labels, none of them constant."""
    X, y = made
    return X.copy(), y.copy()


@pytest.fixture
def program():
    """The program that was built beside the package."""
    path = os.environ.get("MUGRAD_PROGRAM")
    if not path:
        pytest.skip("MUGRAD_PROGRAM does not say where the program is")
    return path


def package(name):
    """A package that the test needs; without it, the test is skipped.

    It fails instead for the packages that MUGRAD_TEST_NEEDS names, which must be there.
    """
    if name in os.environ.get("MUGRAD_TEST_NEEDS", "").split():
        return importlib.import_module(name)
    return pytest.importorskip(name, reason=f"{name} is not installed")


def learnable(n=400, d=12, labels=4, seed=0):
    """Labels that follow from linear scores, with some noise."""
    random = np.random.RandomState(seed)
    X = random.normal(size=(n, d))
    scores = X @ random.normal(size=(d, labels)) + random.normal(size=(n, labels))
    return X, (scores > 0).astype(int)
