# SPDX-License-Identifier: MIT
"""What the peers share: how they are asked, and the data that all contestants are given."""
import json
import sys

import numpy as np
from scipy import sparse


def serve(answers):
    """Answers requests, a JSON object a line, by the function named in "do"."""
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(answers[request.pop("do")](**request)), flush=True)


def read_xmc(path):
    """Features and labels of a file in XMC format, as CSR matrices of doubles."""
    with open(path, encoding="utf-8") as lines:
        rows, features, labels = (int(word) for word in next(lines).split())
        x_start, x_columns, x_values = [0], [], []
        y_start, y_columns = [0], []
        for line in lines:
            names, _, entries = line.rstrip("\n").partition(" ")
            y_columns += [int(name) for name in names.split(",") if name]
            y_start.append(len(y_columns))
            for entry in entries.split():
                column, _, value = entry.partition(":")
                x_columns.append(int(column))
                x_values.append(float(value))
            x_start.append(len(x_columns))
    x = sparse.csr_matrix((x_values, x_columns, x_start), shape=(rows, features))
    ones = np.ones(len(y_columns))
    y = sparse.csr_matrix((ones, y_columns, y_start), shape=(rows, labels))
    return x, y


def trainable(y):
    """The columns of labels that have both classes: only those have a minimiser."""
    counts = np.asarray(y.sum(axis=0)).ravel()
    return np.flatnonzero((counts > 0) & (counts < y.shape[0]))


def write_weights(path, columns, labels, intercepts, weights):
    """(features + 1) x labels doubles, the intercepts first; zeros where a label was not trained."""
    whole = np.zeros((weights.shape[0] + 1, labels))
    whole[0, columns] = intercepts
    whole[1:, columns] = weights
    whole.tofile(path)
