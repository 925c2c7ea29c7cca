#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""scikit-learn's one-vs-rest logistic regression, with liblinear or lbfgs, at Mugrad's objective:
C = 1 / (n rho). liblinear also penalises the intercept; lbfgs does not."""
import sys
import time
import warnings

import numpy as np
from protocol import read_xmc, serve, trainable, write_weights
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

THREADS = int(sys.argv[1])


class OneVsRest:
    def load(self, path):
        self.x, y = read_xmc(path)
        self.columns, self.labels = trainable(y), y.shape[1]
        self.y = y[:, self.columns].toarray().astype(int)
        return {"trainable": len(self.columns)}

    def fit(self, solver, rho, weights=None):
        # The default tolerance; more iterations than the default, so that lbfgs gets there.
        one = LogisticRegression(solver=solver, C=1 / (self.x.shape[0] * rho), max_iter=1000)
        model = OneVsRestClassifier(one, n_jobs=THREADS)
        start = time.perf_counter()
        model.fit(self.x, self.y)
        seconds = time.perf_counter() - start
        if weights:
            ones = model.estimators_
            write_weights(weights, self.columns, self.labels,
                          np.array([one.intercept_[0] for one in ones]),
                          np.array([one.coef_[0] for one in ones]).T)
        return {"seconds": seconds}


warnings.filterwarnings("ignore", category=ConvergenceWarning)
peer = OneVsRest()
serve({"load": peer.load, "fit": peer.fit})
