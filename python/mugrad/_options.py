# SPDX-License-Identifier: MIT
"""Parameters of estimators and options of the core: the same, but for names and types."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from joblib.parallel import get_active_backend
from sklearn.utils import check_random_state

from . import _core

#: Options that scikit-learn's users know by another name.
PARAMETER_OF = {
    "iterations": "max_iter",
    "tolerance": "tol",
    "seed": "random_state",
    "members": "n_estimators",
    "c": "C",
    "score": "label_score",  # score is a method of every classifier
}


@lru_cache(maxsize=None)
def table(method: str) -> dict[str, dict[str, Any]]:
    """The options of a method by the names of the parameters."""
    return {parameter_name(option["name"]): option for option in _core.options()[method]}


def parameter_name(option: str) -> str:
    return PARAMETER_OF.get(option, option.replace("-", "_"))


def value_of(option: dict[str, Any], text: str) -> Any:
    """The value of a parameter from an option's text."""
    if option["choices"] == ["true", "false"]:
        return text == "true"
    if option["choices"]:
        return text
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return None  # a word for the absence of a number


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


def options_text(method: str, values: dict[str, Any]) -> dict[str, str]:
    """Parameters as options of the core; those that are arrays are left out."""
    options = table(method)
    return {
        options[name]["name"]: text_of(options[name], value)
        for name, value in values.items()
        if name in options and np.ndim(value) == 0
    }


def seed_from(random_state: Any) -> int:
    """A number as it is; None and a RandomState give the next that they draw."""
    if isinstance(random_state, (int, np.integer)):
        if not 0 <= random_state < 2**64:
            raise ValueError(
                f"random_state must be a whole number from 0 to 2**64 - 1, got {random_state}"
            )
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def thread_count(n_jobs: Any) -> int:
    """For the core, to which 0 means all cores that this process may use.

    None is that too, unless joblib is at work in several workers already.
    """
    if n_jobs is None:
        return 1 if getattr(get_active_backend()[0], "nesting_level", 0) else 0
    if n_jobs == 0:
        raise ValueError("n_jobs == 0 has no meaning")
    if n_jobs > 0:
        return int(n_jobs)
    return max(1, _core.thread_count() + 1 + int(n_jobs))
