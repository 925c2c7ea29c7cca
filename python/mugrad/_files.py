# SPDX-License-Identifier: MIT
"""Models from files."""

from __future__ import annotations

import json
import os
from typing import Any

from . import _core
from ._base import MugradClassifier
from ._camel import CAMELClassifier
from ._chains import CCClassifier, ECCClassifier
from ._fitted_model import Path
from ._labelsets import CLRClassifier, LPClassifier, RAkELClassifier
from ._lift import LIFTClassifier
from ._mgd import BRClassifier, MGDClassifier
from ._neighbours import MLkNNClassifier
from ._options import table, value_of
from ._regression import MGDRegressor
from ._sparse import csr_from
from ._specific import JFSCClassifier, LLSFClassifier, LLSFDLClassifier

CLASSIFIERS: tuple[type[MugradClassifier], ...] = (
    MGDClassifier,
    BRClassifier,
    CCClassifier,
    ECCClassifier,
    LPClassifier,
    RAkELClassifier,
    CLRClassifier,
    LIFTClassifier,
    LLSFClassifier,
    LLSFDLClassifier,
    JFSCClassifier,
    CAMELClassifier,
    MLkNNClassifier,
)


def load(path: Path) -> Any:
    """Read a model file that Python, the program or C++ wrote.

    Parameters
    ----------
    path : str or path-like
        A model file.

    Returns
    -------
    estimator : object
        A fitted estimator of the method that trained the model, with its options as parameters. It
        predicts a column per label, even if it was trained on a one-dimensional y.

    Examples
    --------
    >>> import os, tempfile
    >>> from sklearn.datasets import make_multilabel_classification
    >>> import mugrad
    >>> X, y = make_multilabel_classification(random_state=1)
    >>> path = os.path.join(tempfile.mkdtemp(), "model.mugrad")
    >>> mugrad.BRClassifier(rho=0.1).fit(X, y).save(path)
    >>> mugrad.load(path).rho
    0.1
    """
    with open(path, "rb"):
        pass  # raises OSError if the file cannot be opened
    model = _core.Model.load(os.fspath(path))
    method = json.loads(model.report_json)["method"]
    estimators: tuple[Any, ...] = (*CLASSIFIERS, MGDRegressor)
    for estimator in estimators:
        if estimator._method == method:
            return estimator(**_parameters(method, model))._take_model(model)
    raise _core.InputError(f"{os.fspath(path)}: there is no estimator for the method '{method}'")


def _parameters(method: str, model: _core.Model) -> dict[str, Any]:
    known = table(method)
    older = {option["was"]: name for name, option in known.items() if option["was"]}
    values: dict[str, Any] = {}
    for option, text in model.options.items():
        name = older.get(option, _core.parameter_name(option))
        if name in known and text != "given":
            values[name] = value_of(known[name], text)
    if model.options.get("transfer") == "given":
        values["transfer"] = csr_from(model.relations)
    return values
