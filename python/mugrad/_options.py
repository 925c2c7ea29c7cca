# SPDX-License-Identifier: MIT
"""Converts between parameters of estimators and options of the core."""

from __future__ import annotations

from collections.abc import Iterator, Set
from contextlib import contextmanager
from functools import lru_cache
from numbers import Integral
from typing import Any

import numpy as np
from joblib.parallel import get_active_backend
from sklearn.utils import check_random_state

from . import _core


@lru_cache(maxsize=None)
def table(method: str) -> dict[str, dict[str, Any]]:
    """The options of a method by the names of the parameters."""
    return {_core.parameter_name(option["name"]): option for option in _core.options()[method]}


def value_of(option: dict[str, Any], text: str) -> Any:
    """The value of a parameter from an option's text."""
    if option["choices"] == ["true", "false"]:
        return text == "true"
    if option["choices"]:
        return text
    if "," in text:
        return [float(number) for number in text.split(",")]  # one per label
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return None  # a word that means no number


def text_of(option: dict[str, Any], value: Any) -> str:
    """The text of an option from a parameter's value."""
    if value is None:
        return str(option["default"])
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value)).lower()
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


def options_text(method: str, values: dict[str, Any], arrays: Set[str]) -> dict[str, str]:
    """Parameters as options of the core; `arrays` are left out if they are arrays."""
    options = table(method)
    texts = {}
    for name, value in values.items():
        if name not in options:
            continue
        if np.ndim(value) == 0:
            texts[options[name]["name"]] = text_of(options[name], value)
        elif name not in arrays:
            raise ValueError(f"{name} must be a single value, got {value!r}")
    return texts


def chooses_threshold(estimator: Any) -> bool:
    """Whether inner folds choose the threshold and calibrate the scores."""
    threshold = getattr(estimator, "threshold", None)
    return isinstance(threshold, str) and threshold == "auto"


@contextmanager
def method_unnamed(method: str) -> Iterator[None]:
    """Leaves out the method, which the core names in front of what it says of options."""
    prefix = f"method {method}: "
    try:
        yield
    except ValueError as error:
        if type(error) is not ValueError or not str(error).startswith(prefix):
            raise
        raise ValueError(str(error)[len(prefix) :]) from None


def seed_from(random_state: Any) -> int:
    """The seed itself; None and a RandomState draw a new seed."""
    if isinstance(random_state, (int, np.integer)):
        if not 0 <= random_state < 2**64:
            raise ValueError(
                f"random_state must be a whole number from 0 to 2**64 - 1, got {random_state}"
            )
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def thread_count(n_jobs: Any) -> int:
    """Number of threads for the core; 0 means all cores that this process may use.

    None is 0, or 1 inside one of several workers of joblib.
    """
    if n_jobs is None:
        return 1 if getattr(get_active_backend()[0], "nesting_level", 0) else 0
    if not isinstance(n_jobs, Integral):
        raise ValueError(f"n_jobs must be None or a whole number, got {n_jobs!r}")
    jobs = int(n_jobs)
    if jobs == 0:
        raise ValueError("n_jobs == 0 has no meaning")
    if jobs > _core.MOST_THREADS:
        raise ValueError(f"n_jobs must be at most {_core.MOST_THREADS}, got {jobs}")
    return jobs if jobs > 0 else max(1, _core.thread_count() + 1 + jobs)
