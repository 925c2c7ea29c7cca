#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""LIBLINEAR's own program, label by label, as many at once as there are threads.

The program reads a file per label. What that takes is measured by runs that stop at once, and
subtracted: the other contestants have their data in memory.
"""
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from protocol import read_xmc, serve, trainable, write_weights

THREADS = int(sys.argv[1])


class LiblinearProgram:
    def load(self, path):
        x, y = read_xmc(path)
        self.rows, self.features = x.shape
        self.columns, self.labels = trainable(y), y.shape[1]
        self.folder = tempfile.TemporaryDirectory()
        lines = []
        for row in range(self.rows):
            entries = slice(x.indptr[row], x.indptr[row + 1])
            lines.append("".join(f" {column + 1}:{value!r}" for column, value in
                                 zip(x.indices[entries].tolist(), x.data[entries].tolist())))
        dense = y.toarray()
        for column in self.columns:
            with open(self.file(column), "w", encoding="utf-8") as file:
                file.writelines(f"{'+1' if one else '-1'}{line}\n"
                                for one, line in zip(dense[:, column], lines))
        return {"trainable": len(self.columns)}

    def file(self, column):
        return os.path.join(self.folder.name, str(column))

    def train_all(self, rho, options):
        def train(column):
            subprocess.run(
                ["liblinear-train", "-q", "-s", "0", "-c", repr(1 / (self.rows * rho)), "-B", "1",
                 *options, self.file(column), self.file(column) + ".model"], check=True)

        start = time.perf_counter()
        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(train, self.columns))
        return time.perf_counter() - start

    def fit(self, rho, weights=None):
        reading = self.train_all(rho, ["-e", "1e9"])
        total = self.train_all(rho, [])
        if weights:
            models = np.array([self.model(column) for column in self.columns])
            write_weights(weights, self.columns, self.labels, models[:, -1], models[:, :-1].T)
        return {"seconds": total - reading, "with_reading": total}

    def model(self, column):
        """Weights and then the intercept, for the positive class."""
        values, sign = [], 1
        with open(self.file(column) + ".model", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("label"):
                    sign = int(line.split()[1])
                if line.startswith("w"):
                    break
            values = [sign * float(line) for line in lines]
        # The file's features end at the last that occurs.
        return values[:-1] + [0.0] * (self.features + 1 - len(values)) + values[-1:]


peer = LiblinearProgram()
serve({"load": peer.load, "fit": peer.fit})
