#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Mugrad itself, through its Python package: what the way there and back costs."""
import sys
import time
from pathlib import Path

import numpy as np
from protocol import read_xmc, serve

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "build" / "bench" / "python"))
from mugrad import MGDClassifier  # noqa: E402

THREADS = int(sys.argv[1])


class Package:
    def load(self, path):
        x, y = read_xmc(path)
        self.x, self.y = x.astype(np.float32), y.astype(np.int8)
        return {"rows": x.shape[0]}

    def fit(self, rho, sigma, scaling, tolerance):
        classifier = MGDClassifier(rho=rho, sigma=sigma, scaling=scaling, tol=tolerance,
                                   n_jobs=THREADS)
        start = time.perf_counter()
        classifier.fit(self.x, self.y)
        seconds = time.perf_counter() - start
        self.classifier = classifier
        return {"seconds": seconds, "passes": classifier.n_iter_}

    def score(self, times):
        start = time.perf_counter()
        for _ in range(times):
            scores = self.classifier.predict_proba(self.x)
        return {"seconds": (time.perf_counter() - start) / times, "sum": float(scores.sum())}

    def predict(self, times):
        start = time.perf_counter()
        for _ in range(times):
            labels = self.classifier.predict(self.x)
        return {"seconds": (time.perf_counter() - start) / times, "sum": labels.nnz}


peer = Package()
serve({"load": peer.load, "fit": peer.fit, "score": peer.score, "predict": peer.predict})
