# SPDX-License-Identifier: MIT
"""Training that needs more memory than it may have is refused before it begins."""
import pytest

import mugrad
from conftest import learnable


@pytest.fixture(autouse=True)
def limit_is_lifted():
    yield
    mugrad.set_memory_limit("available")


@pytest.mark.parametrize("limit", ["1kB", 1000, 1000.0])
def test_training_beyond_the_limit_raises_memory_error(limit):
    X, y = learnable()
    mugrad.set_memory_limit(limit)
    with pytest.raises(MemoryError, match="would take about .* would help; mugrad.set_memory_limit"):
        mugrad.MGDClassifier().fit(X, y)
    mugrad.set_memory_limit("unlimited")
    mugrad.MGDClassifier().fit(X, y)


def test_limit_that_is_none_is_refused():
    with pytest.raises(ValueError, match="not an amount of memory"):
        mugrad.set_memory_limit("much")
