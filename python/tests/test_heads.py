# SPDX-License-Identifier: MIT
"""What the package says of scores is what the head of the model declares."""
import numpy as np
import pytest
from sklearn.base import clone

from conftest import learnable
from mugrad import MGDRegressor, _core
from mugrad._onnx import HEADS
from test_onnx import CASES

CLASSIFIERS = [case for case in CASES if not isinstance(case, MGDRegressor)]


@pytest.fixture(scope="module")
def fitted():
    X, y = learnable(n=120, d=6, labels=4)
    return X, [clone(case).fit(X, y) for case in CLASSIFIERS]


def test_every_kind_of_head_can_be_exported():
    assert list(HEADS) == _core.head_kinds()


def test_the_cases_of_the_export_have_every_kind_of_head(fitted):
    assert {one.model_.head_kind for one in fitted[1]} == set(_core.head_kinds())


def test_predict_proba_is_there_where_scores_are_probabilities(fitted):
    found = set()
    for one in fitted[1]:
        are_probabilities = one.model_.score_range.are_probabilities
        found.add(are_probabilities)
        assert hasattr(one, "predict_proba") == are_probabilities, one
        assert hasattr(clone(one), "predict_proba") == are_probabilities, one
    assert found == {True, False}


def test_scores_keep_their_range_and_confidence_is_above_zero_from_the_middle_on(fitted):
    X, estimators = fitted
    for one in estimators:
        scores, declared = one.model_.scores(X), one.model_.score_range
        assert declared.low < declared.middle < declared.high
        if declared.is_limit:
            assert scores.min() >= declared.low - 1e-14, one
            assert scores.max() <= declared.high + 1e-14, one
        apart = np.abs(scores - declared.middle) > 1e-12
        above = one.decision_function(X) > 0
        np.testing.assert_array_equal(above[apart], (scores > declared.middle)[apart], str(one))


def test_coefficients_are_there_where_labels_have_linear_scores(fitted):
    for one in fitted[1]:
        is_linear = one.model_.has_linear_scores and one.representation != "gaussian"
        assert hasattr(one, "coef_") == is_linear, one
