# SPDX-License-Identifier: MIT
"""Models from files."""

from __future__ import annotations

import json
import os
from typing import Any

from sklearn.pipeline import make_pipeline

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
from ._table import TableVectorizer

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
        predicts a column per label, even if it was trained on a one-dimensional y or label sets.
        A model that knows how columns of a table become features, because it was trained behind
        a `TableVectorizer` or by the program on a table with texts, dates or missing values, is
        a pipeline of both: it takes tables and records.

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
            fitted = estimator(**_parameters(method, model))._take_model(model)
            table = model.table_features
            return fitted if table is None else make_pipeline(_vectorizer_of(table), fitted)
    raise _core.InputError(f"{os.fspath(path)}: there is no estimator for the method '{method}'")


def save(estimator: Any, path: Path) -> None:
    """Write a fitted estimator to one model file that the program, C++ and `load` read.

    Parameters
    ----------
    estimator : object
        An estimator of this package, a pipeline of a `TableVectorizer` with ``representation=None``
        and one of its classifiers, or a search over one of these. The program predicts raw records
        with the model of a pipeline: ``mugrad predict tickets.mugrad tickets.jsonl``.
    path : str or path-like
        The file appears complete or not at all.

    Examples
    --------
    >>> import os, tempfile
    >>> from sklearn.pipeline import make_pipeline
    >>> import mugrad
    >>> texts = ["a broken printer", "refund me", "refund the printer", "me again"]
    >>> topics = [{"hardware"}, {"billing"}, {"billing", "hardware"}, {"billing"}]
    >>> pipeline = make_pipeline(mugrad.TableVectorizer(), mugrad.BRClassifier())
    >>> path = os.path.join(tempfile.mkdtemp(), "tickets.mugrad")
    >>> mugrad.save(pipeline.fit(texts, topics), path)
    >>> mugrad.load(path).predict(["refund"]).shape
    (1, 2)
    """
    estimator = getattr(estimator, "best_estimator_", estimator)
    if not hasattr(estimator, "steps"):
        if not hasattr(estimator, "save"):
            raise TypeError(f"a {type(estimator).__name__} cannot be saved as a model file")
        estimator.save(path)
        return
    steps = [step for _, step in estimator.steps if step is not None and step != "passthrough"]
    last = getattr(steps[-1], "best_estimator_", steps[-1])
    before = steps[:-1]
    for step in before:
        if not isinstance(step, TableVectorizer) or len(before) > 1:
            raise ValueError(
                f"a model file cannot hold the step {type(step).__name__}: it holds an estimator "
                "of this package and a TableVectorizer before it"
            )
        if step.representation is not None:
            raise ValueError(
                f"a model file cannot hold TableVectorizer(representation={step.representation!r}):"
                " leave it None, and give the classifier this representation"
            )
    save(last, path)


def _vectorizer_of(table: _core.TableFeatures) -> TableVectorizer:
    names: dict[str, list[str]] = {}
    for name, role, *_ in table.columns:
        names.setdefault(role, []).append(name)
    vectorizer = TableVectorizer(
        text=names.get("text", ()),
        category=names.get("category", ()),
        number=names.get("number", ()),
        date=names.get("date", ()),
        id=names.get("identifier", ()),
        **table.text,
    )
    return vectorizer._take_features(table)


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
