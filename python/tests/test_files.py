# SPDX-License-Identifier: MIT
"""Model files that Python and the program exchange."""
import csv
import json
import subprocess
from pathlib import Path

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
        "--thresholds", "keep",
        "-o", tmp_path / "model.mugrad")
    loaded = mugrad.load(tmp_path / "model.mugrad")
    assert type(loaded) is estimator
    own = {"precision": "float"} if "precision" in loaded.get_params() else {}
    fitted = estimator(**own).fit(X, y)
    np.testing.assert_array_equal(loaded.decision_function(X), fitted.decision_function(X))
    assert loaded.model_.to_bytes() == fitted.model_.to_bytes()


RELEASED = Path(__file__).parents[2] / "tests" / "model" / "data" / "format-2"


@pytest.mark.parametrize("name", ["lift", "llsf", "llsf-dl", "jfsc"])
def test_options_of_released_models_are_parameters_by_whatever_name_they_had(name):
    model = mugrad.load(RELEASED / f"{name}.mugrad")
    options = model.model_.options
    assert model.max_iter == int(options["iterations"])
    if name != "lift":
        assert model.tol == float(options["tolerance"])


def test_renamed_options_come_back(frames, tmp_path):
    X, y = frames
    path = tmp_path / "model.mugrad"
    mugrad.LIFTClassifier(max_iter=7).fit(X, y).save(path)
    assert mugrad.load(path).max_iter == 7
    mugrad.LLSFClassifier(tol=0.25, max_iter=900).fit(X, y).save(path)
    assert (mugrad.load(path).tol, mugrad.load(path).max_iter) == (0.25, 900)
    with pytest.raises(ValueError, match=r"^tol must be in \[0, 1\), got 2"):
        mugrad.LLSFClassifier(tol=2.0).fit(X, y)


def without_solve(path):
    """Rewrites the report of a model file as that of a method that solves nothing."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    report = json.loads(header["__metadata__"]["report"])
    report.update(dict.fromkeys(["solver", "stop"], ""))
    facts = ["passes", "step", "curvature", "first_residual", "residual", "total_loss"]
    report.update(dict.fromkeys(facts, 0))
    header["__metadata__"]["report"] = json.dumps(report)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + data[8 + length :])


def test_a_model_that_was_not_solved_for_says_so(frames, tmp_path):
    X, y = frames
    path = tmp_path / "model.mugrad"
    saved = mugrad.CAMELClassifier().fit(X, y)
    saved.save(path)
    assert saved.n_iter_ > 1
    without_solve(path)
    loaded = mugrad.load(path)
    np.testing.assert_array_equal(loaded.predict(X), saved.predict(X))
    assert loaded.report_["rows"] == len(X)
    for fact in ["solver", "stop", "passes", "step", "residual", "total_loss"]:
        assert loaded.report_[fact] is None
    assert not hasattr(loaded, "n_iter_")


def test_training_without_a_label_of_both_classes_has_no_solve(frames):
    X, _ = frames
    with pytest.warns(UserWarning, match="only one class"):
        model = mugrad.BRClassifier().fit(X, np.zeros((len(X), 3), dtype=int))
    assert model.report_["passes"] is None
    assert model.n_iter_ == 1  # as scikit-learn wants of an estimator with max_iter
