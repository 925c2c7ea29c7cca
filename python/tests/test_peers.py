# SPDX-License-Identifier: MIT
"""The same models as scikit-learn's, at the same penalty."""
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import ClassifierChain
from sklearn.preprocessing import StandardScaler

from conftest import learnable
from mugrad import BRClassifier, CCClassifier

RHO = 0.02


def peer(rows):
    return LogisticRegression(C=1 / (rows * RHO), tol=1e-10, max_iter=10000)


def test_br_equals_one_vs_rest_of_logistic_regressions():
    X, y = learnable()
    ours = BRClassifier(rho=RHO, scaling="none", tol=1e-8).fit(X, y)
    theirs = OneVsRestClassifier(peer(len(X))).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-3)
    np.testing.assert_allclose(ours.coef_, [one.coef_[0] for one in theirs.estimators_], atol=1e-3)


def test_br_on_z_scores_equals_one_vs_rest_after_a_standard_scaler():
    X, y = learnable()
    X = X * np.arange(1, X.shape[1] + 1) + 5
    scaled = StandardScaler().fit_transform(X)
    ours = BRClassifier(rho=RHO, tol=1e-8).fit(X, y)
    theirs = OneVsRestClassifier(peer(len(X))).fit(scaled, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(scaled), atol=1e-3)


def test_cc_equals_classifier_chain():
    X, y = learnable()
    ours = CCClassifier(rho=RHO, scaling="none", tol=1e-8).fit(X, y)
    theirs = ClassifierChain(peer(len(X))).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-3)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_weighted_br_equals_weighted_one_vs_rest():
    X, y = learnable()
    weights = np.random.RandomState(1).randint(0, 4, len(X)).astype(float)
    ours = BRClassifier(rho=RHO, scaling="none", tol=1e-8).fit(X, y, sample_weight=weights)
    for label in range(y.shape[1]):
        theirs = peer(weights.sum()).fit(X, y[:, label], sample_weight=weights)
        np.testing.assert_allclose(
            ours.predict_proba(X)[:, label], theirs.predict_proba(X)[:, 1], atol=1e-3
        )
