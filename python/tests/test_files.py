# SPDX-License-Identifier: MIT
"""Model files that Python and the program exchange."""
import csv
import subprocess

import numpy as np
import pandas as pd
import pytest

import mugrad
from mugrad._files import CLASSIFIERS


def csv_of(path, X, y=None):
    """A file of data that the program reads, each number with all its digits."""
    frame = pd.DataFrame(X).add_prefix("f")
    if y is not None:
        frame = pd.concat([frame, pd.DataFrame(y).add_prefix("label")], axis=1)
    frame.to_csv(path, index=False, float_format="%.17g")
    return path


def run(program, *arguments):
    result = subprocess.run(
        [program, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.fixture
def frames(data):
    X, y = data
    X = X + np.random.RandomState(0).normal(size=X.shape)
    return pd.DataFrame(X).add_prefix("f"), pd.DataFrame(y).add_prefix("label")


@pytest.mark.parametrize("estimator", [*CLASSIFIERS, mugrad.MGDRegressor])
def test_loaded_estimators_are_what_was_saved(estimator, frames, tmp_path):
    X, y = frames
    saved = estimator(n_jobs=1).fit(X, y)
    saved.save(tmp_path / "model.mugrad")
    loaded = mugrad.load(tmp_path / "model.mugrad")
    assert type(loaded) is estimator
    np.testing.assert_array_equal(loaded.predict(X), saved.predict(X))
    assert list(loaded.feature_names_in_) == list(X.columns)
    names = "target_names_" if estimator is mugrad.MGDRegressor else "label_names_"
    assert list(getattr(loaded, names)) == list(y.columns)
    assert loaded.n_features_in_ == 20
    assert loaded.report_ == saved.report_
    given = saved.get_params()
    own = {"n_jobs": given["n_jobs"], "precision": given.get("precision")}
    assert {**loaded.get_params(), **own} == {**given, **own}


def test_values_per_label_come_back(frames, tmp_path):
    X, y = frames
    each = {"sigma": [0.5, 0.0, 0.25, 1e-9, 2.0], "positive_weight": [1.0, 2.0, 0.5, 1.0, 3.0]}
    saved = mugrad.MGDClassifier(**each).fit(X, y)
    saved.save(tmp_path / "model.mugrad")
    loaded = mugrad.load(tmp_path / "model.mugrad")
    assert {name: loaded.get_params()[name] for name in each} == each
    again = loaded.set_params(precision="auto").fit(X, y)
    assert again.model_.to_bytes() == saved.model_.to_bytes()


@pytest.mark.parametrize("estimator", CLASSIFIERS)
def test_program_predicts_with_a_model_of_python_what_python_does(
    estimator, frames, tmp_path, program
):
    X, y = frames
    fitted = estimator().fit(X, y)
    fitted.save(tmp_path / "model.mugrad")
    data = csv_of(tmp_path / "data.csv", X.to_numpy(), y.to_numpy())
    out = tmp_path / "scores.csv"
    run(program, "predict", tmp_path / "model.mugrad", data, "--label-columns", "label*",
        "--scores", "-o", out)
    with open(out, newline="") as file:
        rows = list(csv.DictReader(file))
    scores = np.array([[float(row[name]) for name in y.columns] for row in rows])
    np.testing.assert_array_equal(scores, fitted.model_.scores(np.ascontiguousarray(X)))


@pytest.mark.parametrize("estimator", CLASSIFIERS)
def test_python_predicts_with_a_model_of_the_program_what_its_own_does(
    estimator, frames, tmp_path, program
):
    X, y = frames
    data = csv_of(tmp_path / "data.csv", X.to_numpy(), y.to_numpy())
    run(program, "train", data, "--label-columns", "label*", "--method", estimator._method,
        "-o", tmp_path / "model.mugrad")
    loaded = mugrad.load(tmp_path / "model.mugrad")
    assert type(loaded) is estimator
    own = {"precision": "float"} if "precision" in loaded.get_params() else {}
    fitted = estimator(**own).fit(X, y)
    np.testing.assert_array_equal(loaded.decision_function(X), fitted.decision_function(X))
    assert loaded.model_.to_bytes() == fitted.model_.to_bytes()
