# SPDX-License-Identifier: MIT
"""Thresholds and calibrations that inner folds choose."""
import numpy as np

from conftest import learnable
from mugrad import BRClassifier, LLSFClassifier


def log_loss(y, p):
    return -np.mean(np.log(np.where(y == 1, p, 1 - p)))


def test_automatic_threshold_calibrates_and_chooses():
    X, y = learnable(n=400, d=6, labels=4)
    plain = BRClassifier(rho=3.0).fit(X, y)
    auto = BRClassifier(rho=3.0, threshold="auto").fit(X, y)
    assert auto.model_.calibration is not None and plain.model_.calibration is None
    np.testing.assert_array_equal(auto.model_.weights, plain.model_.weights)
    assert np.ptp(auto.thresholds_) == 0
    probability = auto.predict_proba(X)
    np.testing.assert_array_equal(auto.predict(X), probability >= auto.thresholds_)
    assert log_loss(y, probability) < 0.95 * log_loss(y, plain.predict_proba(X))


def test_log_odds_of_calibrated_probabilities_are_linear_in_x():
    X, y = learnable(n=400, d=6, labels=4)
    auto = BRClassifier(rho=3.0, threshold="auto", precision="double").fit(X, y)
    margins = auto.decision_function(X)
    np.testing.assert_allclose(1 / (1 + np.exp(-margins)), auto.predict_proba(X), atol=1e-12)
    np.testing.assert_allclose(X @ auto.coef_.T + auto.intercept_, margins, atol=1e-9)


def test_scores_become_probabilities_by_an_automatic_threshold():
    X, y = learnable(n=300, d=6, labels=3)
    assert not hasattr(LLSFClassifier().fit(X, y), "predict_proba")
    probability = LLSFClassifier(threshold="auto").fit(X, y).predict_proba(X)
    assert probability.min() >= 0 and probability.max() <= 1
    assert np.abs(probability.mean(axis=0) - y.mean(axis=0)).max() < 0.05
