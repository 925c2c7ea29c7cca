# SPDX-License-Identifier: MIT
"""Whatever the core lists has its place in the package and in its documentation."""
import inspect
import re
from pathlib import Path

import pytest

import mugrad
from mugrad import MGDRegressor, _core, datasets, metrics
from mugrad._files import CLASSIFIERS

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "python.md"


def test_every_method_has_an_estimator():
    assert {one._method for one in (*CLASSIFIERS, MGDRegressor)} == set(_core.options())


def test_every_estimator_is_public_and_in_the_table_of_the_guide():
    names = [one.__name__ for one in (*CLASSIFIERS, MGDRegressor)]
    assert set(names) <= set(mugrad.__all__)
    assert re.findall(r"^\| `(\w+(?:Classifier|Regressor))` \|", GUIDE.read_text(), re.M) == names


def function_of(measure):
    """The name of the function that computes a metric: precision_at_k of "precision@"."""
    return measure["name"].replace("-", "_").replace("@", "_at_k")


@pytest.mark.parametrize("measure", _core.measures(), ids=lambda measure: measure["name"])
def test_every_metric_has_a_function_and_a_scorer(measure):
    y, scores = [[1, 0, 1], [0, 1, 0]], [[0.9, 0.6, 0.2], [0.1, 0.8, 0.3]]
    name = function_of(measure)
    assert name in metrics.__all__
    function = getattr(metrics, name)
    k = {"k": 2} if measure["has_k"] else {}
    full_name = measure["name"] + ("2" if measure["has_k"] else "")
    assert function(y, scores, **k) == metrics.evaluate(y, scores, at=(2,))[full_name]
    assert metrics.make_scorer(full_name).metric == full_name
    documented = measure["name"] + ("K" if measure["has_k"] else "")
    assert re.search(rf"\b{documented}[,. ]", inspect.getdoc(metrics.make_scorer)), documented


def test_scorers_have_every_metric_of_any_scores_without_a_k():
    assert set(metrics.scorers()) == {
        measure["name"]
        for measure in _core.measures()
        if not measure["has_k"] and not measure["needs_probabilities"]
    }


@pytest.mark.parametrize("kind", _core.file_formats(), ids=lambda kind: kind["name"])
def test_every_format_is_documented_and_is_read_as_it_was_written(kind, tmp_path):
    for function in (datasets.load, datasets.dump):
        assert f'"{kind["name"]}"' in inspect.getdoc(function), function
    assert kind["title"] in inspect.getdoc(datasets.load)
    for ending in kind["endings"]:
        assert ending in inspect.getdoc(datasets.dump), ending
    X, Y = datasets.make_multilabel(20, 3, 2, random_state=0)
    path = tmp_path / f"data{kind['endings'][0]}"
    datasets.dump(path, X, Y)
    found = datasets.load(path, n_labels=None if kind["declares_labels"] else -2)
    assert found.data.shape == X.shape and found.target.shape == Y.shape
