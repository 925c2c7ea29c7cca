# SPDX-License-Identifier: MIT
"""What the program writes is what the package makes, given the same options."""

import json
import subprocess

import numpy as np
import pytest

import mugrad
from mugrad import study
from mugrad.datasets import load, make_multilabel
from mugrad.metrics import evaluate
from mugrad.model_selection import IterativeStratifiedKFold, train_test_split


@pytest.fixture
def run(program):
    def call(*arguments):
        done = subprocess.run(
            [program, *map(str, arguments)], capture_output=True, text=True, check=True
        )
        return done.stdout

    return call


@pytest.fixture
def generated(run, tmp_path):
    path = tmp_path / "made.arff"
    run("generate", "-o", path, "--rows", 120, "--features", 6, "--labels", 5, "--seed", 7)
    return path


def test_generated_data_is_that_of_the_program(generated):
    X, Y = make_multilabel(120, 6, 5, random_state=7)
    bunch = load(generated)
    np.testing.assert_array_equal(bunch.data, X)
    np.testing.assert_array_equal(bunch.target.toarray(), Y)


def test_defaults_of_the_generator_are_those_of_the_program(run, tmp_path):
    run("generate", "-o", tmp_path / "made.arff")
    X, Y = make_multilabel()
    bunch = load(tmp_path / "made.arff")
    np.testing.assert_array_equal(bunch.data, X)
    np.testing.assert_array_equal(bunch.target.toarray(), Y)


def test_folds_and_splits_are_those_of_the_program(run, generated, tmp_path):
    X, Y = make_multilabel(120, 6, 5, random_state=7)
    folds = tmp_path / "folds"
    run("split", generated, "-o", folds, "--folds", 3, "--stratified", "--seed", 4)
    ours = IterativeStratifiedKFold(3, random_state=4).split(X, Y)
    for number, (_, test) in enumerate(ours, start=1):
        np.testing.assert_array_equal(load(folds / f"fold-{number}" / "test.arff").data, X[test])
    parts = tmp_path / "parts"
    run("split", generated, "-o", parts, "--train", 0.7, "--stratified", "--seed", 4)
    X_train, X_test, _, _ = train_test_split(X, Y, train_size=0.7, random_state=4)
    np.testing.assert_array_equal(load(parts / "train.arff").data, X_train)
    np.testing.assert_array_equal(load(parts / "test.arff").data, X_test)


def test_studies_have_the_defaults_and_the_form_of_the_program(run, generated, tmp_path):
    X, Y = make_multilabel(120, 6, 5, random_state=7)
    split = train_test_split(X, Y, np.arange(120), train_size=0.8, random_state=1)[-2:]
    path = tmp_path / "study.json"
    run("study", "sensitivity", generated, "-o", path)
    theirs = json.loads(path.read_text())["sensitivity"]
    ours = study.sensitivity(X, Y, cv=[split])["sensitivity"]
    assert ours.keys() == theirs.keys()
    assert (ours["rhos"], ours["sigmas"]) == (theirs["rhos"], theirs["sigmas"])
    run("study", "convergence", generated, "-o", path)
    theirs = json.loads(path.read_text())["convergence"]
    ours = study.convergence(X, Y, cv=[split])["convergence"]
    assert ours["setting"] == theirs["setting"]
    assert [c["iterations"] for c in ours["curves"]] == [c["iterations"] for c in theirs["curves"]]


def test_evaluation_is_that_of_the_program(run, generated, tmp_path):
    pytest.importorskip("pandas")
    run("train", generated, "-o", tmp_path / "model")
    found = json.loads(run("evaluate", tmp_path / "model", generated, "--json", "--quiet"))
    model = mugrad.load(tmp_path / "model")
    bunch = load(generated, as_frame=True)
    ours = evaluate(bunch.target, model.predict_proba(bunch.data), threshold=model.thresholds_)
    assert found["metrics"] == pytest.approx(dict(ours), abs=1e-12)
