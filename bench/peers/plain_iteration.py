#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The plain iteration in NumPy and SciPy, as well as one would write it: single precision, ufuncs
in place, and the halves of the rows on two threads where a library has none of its own.

W <- W - alpha (grad f(W) + sigma W (I - Mbar)'), equation (6), on z-scored features.
"""
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from protocol import read_xmc, serve
from scipy import sparse
from scipy.special import expit

THREADS = int(sys.argv[1])


def cosine_transfer(y):
    """Mbar of equation (15), dense: BLAS multiplies it faster than SciPy a sparse one."""
    together = (y.T @ y).toarray()
    lengths = np.sqrt(np.diag(together))
    lengths[lengths == 0] = 1
    similarity = together / np.outer(lengths, lengths)
    np.fill_diagonal(similarity, 1)
    return (similarity / similarity.sum(axis=1, keepdims=True)).astype(np.float32)


def statistics(x):
    """Means and reciprocal deviations; a constant feature is multiplied by 0."""
    mean = np.asarray(x.mean(axis=0)).ravel()
    variance = np.asarray(x.multiply(x).mean(axis=0)).ravel() - mean**2
    varies = variance > 1e-12 * np.maximum(mean**2, 1)
    factor = np.where(varies, 1 / np.sqrt(np.where(varies, variance, 1)), 0)
    return mean, factor


class DenseDesign:
    """Z-scores outright; NumPy's products have their own threads."""

    def __init__(self, x):
        mean, factor = statistics(x)
        self.x = np.ascontiguousarray((x.toarray() - mean) * factor, dtype=np.float32)

    def residuals(self, w, subtract_labels):
        z = self.x @ w[1:]
        z += w[0]
        expit(z, out=z)
        subtract_labels(z, slice(None))
        return z

    def gradient(self, r, out):
        np.matmul(self.x.T, r, out=out[1:])
        r.sum(axis=0, out=out[0])


class SparseDesign:
    """Values divided by the deviations; the means are subtracted where products are formed, so
    that everything stays sparse. SciPy's products use one thread but let others run meanwhile:
    each thread has a share of the rows, of X for the scores and of X' for the gradient."""

    def __init__(self, x):
        mean, factor = statistics(x)
        scaled = sparse.csr_matrix(x @ sparse.diags(factor), dtype=np.float32)
        self.shift = (mean * factor).astype(np.float32)
        self.rows = shares(scaled)
        self.parts = [scaled[rows] for rows in self.rows]
        transposed = scaled.T.tocsr()
        self.columns = shares(transposed)
        self.transposed_parts = [transposed[columns] for columns in self.columns]
        self.pool = ThreadPoolExecutor(THREADS)

    def residuals(self, w, subtract_labels):
        offset = w[0] - self.shift @ w[1:]
        r = np.empty((self.rows[-1].stop, w.shape[1]), dtype=np.float32)

        def part(k):
            z = self.parts[k] @ w[1:]
            z += offset
            expit(z, out=r[self.rows[k]])
            subtract_labels(r, self.rows[k])

        list(self.pool.map(part, range(THREADS)))
        return r

    def gradient(self, r, out):
        r.sum(axis=0, out=out[0])
        weighted = out[1:]

        def part(k):
            weighted[self.columns[k]] = self.transposed_parts[k] @ r
            weighted[self.columns[k]] -= np.outer(self.shift[self.columns[k]], out[0])

        list(self.pool.map(part, range(THREADS)))


def shares(matrix):
    """As many runs of rows as threads, with about as many non-zeros each."""
    cuts = np.searchsorted(matrix.indptr, matrix.nnz * np.arange(1, THREADS) / THREADS)
    cuts = [0, *cuts.tolist(), matrix.shape[0]]
    return [slice(begin, end) for begin, end in zip(cuts, cuts[1:])]


class Iteration:
    def prepare(self, path, sparse_features, rho, sigma, alpha):
        x, y = read_xmc(path)
        self.rho, self.sigma, self.alpha = np.float32([rho, sigma, alpha])
        self.design = (SparseDesign if sparse_features else DenseDesign)(x)
        self.shape = (x.shape[1] + 1, y.shape[1])
        self.scale = np.float32(1 / x.shape[0])
        self.positives = y.tocoo()
        self.y_start, self.y_rows, self.y_columns = y.indptr, y.tocoo().row, y.indices
        self.mbar = cosine_transfer(y)
        return {}

    def subtract_labels(self, r, rows):
        """r -= Y for these rows: at the ones only, since Y is sparse."""
        begin, end, _ = rows.indices(r.shape[0])
        ones = slice(self.y_start[begin], self.y_start[end])
        r[self.y_rows[ones], self.y_columns[ones]] -= 1

    def iterate(self, count, weights=None):
        w = np.zeros(self.shape, dtype=np.float32)
        g = np.empty_like(w)
        borrowed = np.empty_like(w[1:])
        start = time.perf_counter()
        for _ in range(count):
            self.design.gradient(self.design.residuals(w, self.subtract_labels), g)
            g *= self.scale
            g[1:] += (self.rho + self.sigma) * w[1:]
            np.matmul(w[1:], self.mbar.T, out=borrowed)
            borrowed *= self.sigma
            g[1:] -= borrowed
            g *= self.alpha
            w -= g
        seconds = (time.perf_counter() - start) / count
        if weights:
            w.astype(np.float64).tofile(weights)
        return {"seconds": seconds}


iteration = Iteration()
serve({"prepare-iteration": iteration.prepare, "iterate": iteration.iterate})
