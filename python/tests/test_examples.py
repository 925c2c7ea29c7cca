# SPDX-License-Identifier: MIT
"""The examples of the docstrings, and that all that is public has one."""
import doctest
import importlib
import inspect
import pkgutil

import pytest

import mugrad

NEEDS = {"mugrad._onnx": "onnx", "mugrad.plot": "matplotlib"}
MODULES = ["mugrad", *(f"mugrad.{one.name}" for one in pkgutil.iter_modules(mugrad.__path__))]


@pytest.mark.parametrize("name", [name for name in MODULES if name != "mugrad._core"])
def test_examples_give_what_they_say(name):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


@pytest.mark.parametrize("name", mugrad.__all__)
def test_what_is_public_has_an_example(name):
    thing = getattr(mugrad, name)
    is_error = inspect.isclass(thing) and issubclass(thing, Exception)
    if (inspect.isclass(thing) or inspect.isfunction(thing)) and not is_error:
        assert ">>>" in thing.__doc__
