# SPDX-License-Identifier: MIT
"""One judge for all: whatever a contestant minimised, its weights are held against Mugrad's
objective, in double precision."""
import sys

import numpy as np

from harness.context import PEERS

sys.path.insert(0, str(PEERS))
from protocol import read_xmc, trainable  # noqa: E402  (the folder of the peers is no package)


class Judge:
    def __init__(self, path):
        self.x, y = read_xmc(path)
        self.columns = trainable(y)
        self.labels = y.shape[1]
        self.y = y[:, self.columns]

    def objective(self, weights_file, rho):
        """sum_i f_i over the labels with both classes: mean logistic loss + rho/2 |w|^2, the
        intercepts not penalised."""
        weights = np.fromfile(weights_file).reshape(self.x.shape[1] + 1, self.labels)
        weights = weights[:, self.columns]
        scores = self.x @ weights[1:] + weights[0]
        loss = np.logaddexp(0, scores).sum() - self.y.multiply(scores).sum()
        return loss / self.x.shape[0] + rho / 2 * np.square(weights[1:]).sum()


def relative_difference(first_file, second_file):
    first, second = np.fromfile(first_file), np.fromfile(second_file)
    return float(np.linalg.norm(first - second) / np.linalg.norm(first))
