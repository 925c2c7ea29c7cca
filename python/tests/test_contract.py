# SPDX-License-Identifier: MIT
"""The scikit-learn contract, every estimator with its defaults."""
import inspect
import unittest

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.utils import estimator_checks

from mugrad import MGDClassifier, MGDRegressor
from mugrad._files import CLASSIFIERS
from mugrad._options import table, value_of
from mugrad.model_selection import ThresholdClassifier

ESTIMATORS = [*CLASSIFIERS, MGDRegressor]
#: What has a default of its own in Python, with the reason.
OWN_DEFAULTS = {"precision": "follows the type of X, as estimators of scikit-learn do"}


#: Around one of these estimators, and around one that takes no more than classes.
AROUND = [ThresholdClassifier(MGDClassifier()), ThresholdClassifier(LogisticRegression())]


#: Some checks train on 20 rows in two groups of 10. With 10 neighbours, counts at prediction, which include the row
#: itself, then never occurred in training, and by the published formula both classes are equally likely.
CHECKED_WITH = {"MLkNNClassifier": {"n_neighbors": 3}}


def all_checks():
    generate = getattr(estimator_checks, "estimator_checks_generator", None)
    checked = (one(**CHECKED_WITH.get(one.__name__, {})) for one in ESTIMATORS)
    for instance in [*checked, *AROUND]:
        label = type(instance).__name__
        if hasattr(instance, "estimator"):
            label += f"({type(instance.estimator).__name__})"
        found = (
            generate(instance)
            if generate
            else estimator_checks.check_estimator(instance, generate_only=True)
        )
        for one, check in found:
            name = getattr(check, "func", check).__name__
            words = "-".join(map(str, getattr(check, "keywords", {}).values()))
            yield pytest.param(one, check, id=f"{label}-{name}-{words}")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("estimator, check", list(all_checks()))
def test_scikit_learn_check_passes(estimator, check):
    try:
        check(estimator)
    except unittest.SkipTest as skip:
        # No probabilities, or a check that is about something else than these estimators have.
        pytest.skip(str(skip))


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_no_failure_is_expected(estimator):
    tags = estimator()._more_tags()
    assert "_xfail_checks" not in tags and "_skip_test" not in tags


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_parameters_and_defaults_are_those_of_the_table(estimator):
    parameters = inspect.signature(estimator).parameters
    assert all(one.kind is one.KEYWORD_ONLY for one in parameters.values())
    options = table(estimator._method)
    assert set(options) <= set(parameters)
    older = {option["was"] for option in options.values()}
    assert set(parameters) - set(options) <= {"n_jobs", "verbose", "warm_start"} | older
    for name, option in options.items():
        if name not in OWN_DEFAULTS or estimator is MGDRegressor:
            assert parameters[name].default == value_of(option, option["default"]), name


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_every_parameter_is_documented(estimator):
    for name in inspect.signature(estimator).parameters:
        assert f"\n{name} : " in inspect.getdoc(estimator), name


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_choices_of_the_core_are_accepted_and_others_refused(estimator, data):
    X, y = data
    for name, option in table(estimator._method).items():
        for choice in option["choices"]:
            fitted = estimator(**{name: value_of(option, choice)}).fit(X, y)
            assert fitted.model_.options[option["name"]] == choice
        if option["choices"] and option["choices"] != ["true", "false"]:
            with pytest.raises(ValueError, match="there is no .* 'nonsense': choose one of"):
                estimator(**{name: "nonsense"}).fit(X, y)


@pytest.mark.parametrize("estimator", CLASSIFIERS)
def test_same_answer_with_one_thread_and_with_two(estimator, data):
    X, y = data
    one = estimator(n_jobs=1).fit(X, y)
    two = clone(one).set_params(n_jobs=2).fit(X, y)
    assert one.model_.to_bytes() == two.model_.to_bytes()
    np.testing.assert_array_equal(one.decision_function(X), two.decision_function(X))
