# SPDX-License-Identifier: MIT
"""The examples of the docstrings, and that all that is public has one."""
import doctest
import importlib
import inspect
import pkgutil

import pytest

import mugrad

NEEDS = {"mugrad._onnx": "onnx", "mugrad.plot": "matplotlib"}
PUBLIC = ["datasets", "metrics", "model_selection", "plot", "study"]
MODULES = ["mugrad", *(f"mugrad.{one.name}" for one in pkgutil.iter_modules(mugrad.__path__))]


@pytest.mark.parametrize("name", [name for name in MODULES if name != "mugrad._core"])
def test_examples_give_what_they_say(name):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


def public():
    modules = [mugrad, *(importlib.import_module(f"mugrad.{name}") for name in PUBLIC)]
    for module in modules:
        for name in module.__all__:
            thing = getattr(module, name)
            # Errors and the tuples that functions return are not made by people.
            is_made = not inspect.isclass(thing) or not issubclass(thing, (Exception, tuple))
            if is_made and (inspect.isclass(thing) or inspect.isfunction(thing)):
                yield pytest.param(thing, id=f"{module.__name__}.{name}")


def test_every_public_module_is_looked_at():
    found = {name.partition(".")[2] for name in MODULES if "._" not in name} - {""}
    assert found == set(PUBLIC)


@pytest.mark.parametrize("thing", list(public()))
def test_what_is_public_has_an_example(thing):
    assert ">>>" in thing.__doc__
