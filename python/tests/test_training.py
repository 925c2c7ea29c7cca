# SPDX-License-Identifier: MIT
"""Signals, threads, progress, warm starts and weights of examples."""
import os
import signal
import sys
import threading

import numpy as np
import pytest
from joblib import Parallel, delayed
from threadpoolctl import threadpool_info, threadpool_limits

from conftest import learnable
from mugrad import BRClassifier, CAMELClassifier, CCClassifier, ECCClassifier, MGDClassifier
from mugrad import MGDRegressor, _core, _progress
from mugrad._options import thread_count


def endless(**options):
    """Would train for hours."""
    return MGDClassifier(
        solver="plain", tol=0.0, max_iter=10**9, alpha=1e-6, start="zero", n_jobs=1, **options
    )


def test_interrupt_ends_training_and_leaves_the_estimator_as_it_was():
    X, y = learnable()
    estimator = endless()
    begun = threading.Event()

    def interrupt():
        begun.wait()
        os.kill(os.getpid(), signal.SIGINT)

    # Ctrl-C once training is known to run: it tells its progress.
    def progress(share):
        begun.set()

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        _core.fit("mgd", X, y, estimator._options(X, y.shape[1]), progress=progress)
    thread.join()
    assert not hasattr(estimator, "model_")


def test_interrupt_ends_the_fit_of_an_estimator(monkeypatch):
    X, y = learnable()

    class Interrupter(_progress.PlainBar):
        def show(self, share):
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(_progress, "TqdmBar", Interrupter)
    estimator = endless(verbose=1)
    with pytest.raises(KeyboardInterrupt):
        estimator.fit(X, y)
    assert not hasattr(estimator, "model_")
    MGDClassifier().fit(X, y)  # nothing is left pending


def test_what_a_progress_callback_raises_ends_training():
    X, y = learnable()

    def progress(share):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        _core.fit("mgd", X, y, endless()._options(X, y.shape[1]), progress=progress)


def test_other_threads_run_while_one_trains():
    X, y = learnable()
    stop = threading.Event()
    ran = threading.Event()

    def progress(share):
        if stop.is_set():
            raise InterruptedError

    def train():
        try:
            _core.fit("mgd", X, y, endless()._options(X, y.shape[1]), progress=progress)
        except InterruptedError:
            ran.set()

    thread = threading.Thread(target=train)
    thread.start()
    total = sum(range(1000))  # would never be reached if training held the lock
    stop.set()
    thread.join()
    assert ran.is_set() and total == 499500


@pytest.mark.parametrize("estimator", [MGDClassifier, CCClassifier, ECCClassifier])
def test_two_threads_fit_two_estimators_at_once(estimator):
    problems = [learnable(seed=k) for k in range(2)]
    expected = [estimator().fit(*problem).model_.to_bytes() for problem in problems]
    found = [[], []]

    def work(k):
        for _ in range(5):
            fitted = estimator().fit(*problems[k])
            fitted.predict(problems[k][0])
            found[k].append(fitted.model_.to_bytes())

    threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[expected[0]] * 5, [expected[1]] * 5]


def test_threads_of_blas_are_given_back_to_numpy(data):
    X, y = data
    with threadpool_limits(3):
        before = threadpool_info()
        CAMELClassifier().fit(X, y).predict(X)
        assert threadpool_info() == before


def test_all_cores_are_used_unless_joblib_uses_them(data):
    assert thread_count(None) == 0
    assert thread_count(3) == 3
    assert thread_count(-1) == _core.thread_count()
    counts = Parallel(n_jobs=2, backend="threading")(delayed(thread_count)(None) for _ in range(2))
    assert counts == [1, 1]


def test_progress_is_shown_by_tqdm_or_by_a_plain_line(data, capsys, monkeypatch):
    X, y = data
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    MGDClassifier(verbose=1).fit(X, y)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "\rMGDClassifier: 100%" in shown.err and shown.err.endswith("\n")
    MGDClassifier().fit(X, y)
    assert capsys.readouterr().err == ""


def test_progress_is_shown_by_tqdm_where_it_is_installed(data, capsys):
    pytest.importorskip("tqdm")
    X, y = data
    MGDClassifier(verbose=1).fit(X, y)
    assert "MGDClassifier: 100%|" in capsys.readouterr().err


@pytest.mark.parametrize("estimator", [MGDClassifier, BRClassifier, MGDRegressor])
def test_warm_start_at_the_answer_ends_at_once(estimator):
    X, y = learnable()
    cold = estimator(tol=1e-6, warm_start=True).fit(X, y)
    passes = cold.n_iter_
    answer = cold.coef_
    warm = cold.fit(X, y)
    assert warm.n_iter_ < passes
    np.testing.assert_allclose(warm.coef_, answer, atol=1e-4)
    with pytest.raises(ValueError):
        cold.fit(X[:, :5], y)


def test_warm_start_of_other_labels_is_refused():
    X, y = learnable()
    fitted = MGDClassifier(warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match="label"):
        fitted.fit(X, y[:, :2])


@pytest.mark.parametrize("estimator", [MGDClassifier, BRClassifier, CCClassifier, MGDRegressor])
def test_weight_of_an_example_is_how_often_it_counts(estimator):
    X, y = learnable(n=120)
    weights = np.random.RandomState(2).randint(0, 4, len(X))
    weighted = estimator(tol=1e-10).fit(X, y, sample_weight=weights)
    repeated = estimator(tol=1e-10).fit(X.repeat(weights, axis=0), y.repeat(weights, axis=0))
    outcome = "predict" if estimator is MGDRegressor else "decision_function"
    np.testing.assert_allclose(
        getattr(weighted, outcome)(X), getattr(repeated, outcome)(X), atol=1e-6
    )
