# SPDX-License-Identifier: MIT
"""Signals, threads, progress, warm starts and weights of examples."""
import ctypes
import os
import signal
import sys
import threading
import warnings

import numpy as np
import pandas as pd
import pytest
from joblib import Parallel, delayed
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_info, threadpool_limits

from conftest import learnable
from mugrad import BRClassifier, CAMELClassifier, CCClassifier, ECCClassifier, MGDClassifier
from mugrad import MGDRegressor, _core, _progress
from mugrad._options import thread_count


def endless(**options):
    """Would train for hours."""
    plain = {"solver": "plain", "tol": 0.0, "max_iter": 10**9, "alpha": 1e-6, "start": "zero"}
    return MGDClassifier(**{**plain, "n_jobs": 1, **options})


def lasting(**options):
    """Trains for half a minute or so, unless it is ended."""
    return endless(**{"max_iter": 10**6, **options})


class Interrupter(_progress.PlainBar):
    """Ctrl-C once training is known to run: it tells its progress."""

    def show(self, share):
        os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("kind", [MGDClassifier, ECCClassifier, MGDRegressor])
def test_interrupted_refit_leaves_the_estimator_as_it_was(kind, monkeypatch):
    X, y = learnable()
    frame = pd.DataFrame(X).add_prefix("f")
    estimator = kind().fit(frame, y)
    estimator.set_params(verbose=1)
    before, predicted = dict(vars(estimator)), estimator.predict(frame)
    monkeypatch.setattr(_progress, "TqdmBar", Interrupter)
    with pytest.raises(KeyboardInterrupt):
        estimator.fit(X[:, :5], y[:, 0])
    assert vars(estimator) == before
    np.testing.assert_array_equal(estimator.predict(frame), predicted)


def test_interrupted_first_fit_leaves_an_unfitted_estimator(monkeypatch):
    X, y = learnable()
    monkeypatch.setattr(_progress, "TqdmBar", Interrupter)
    estimator = endless(verbose=1)
    before = dict(vars(estimator))
    with pytest.raises(KeyboardInterrupt):
        estimator.fit(X, y)
    assert vars(estimator) == before
    MGDClassifier().fit(X, y)  # nothing is left pending


@pytest.mark.parametrize("kind", [MGDClassifier, MGDRegressor])
@pytest.mark.parametrize(
    "wrong",
    [{"rho": -1.0}, {"max_iter": 0}, {"warm_start": True}, {"transfer": np.eye(2)}],
    ids=str,
)
def test_failed_refit_on_other_features_leaves_the_estimator_as_it_was(kind, wrong):
    X, y = learnable()
    frame = pd.DataFrame(X).add_prefix("f")
    estimator = kind().fit(frame, y)
    estimator.set_params(**wrong)
    before, predicted = dict(vars(estimator)), estimator.predict(frame)
    with pytest.raises(ValueError):
        estimator.fit(X[:, :5], y)
    assert vars(estimator) == before
    np.testing.assert_array_equal(estimator.predict(frame), predicted)


def test_what_a_progress_callback_raises_ends_training():
    X, y = learnable()

    def progress(share):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        _core.fit("mgd", X, y, endless()._options(X), progress=progress)


def test_other_threads_run_while_one_trains():
    X, y = learnable()
    options = lasting()._options(X)
    begun = threading.Event()
    trains = False

    def interrupt():
        begun.wait()
        os.kill(os.getpid(), signal.SIGINT)

    def end_training(number, frame):
        if trains:
            raise InterruptedError

    # No thread has to let go of the lock for others: the other one runs, and the signal comes,
    # within training or not before its end.
    interval, handler = sys.getswitchinterval(), signal.signal(signal.SIGINT, end_training)
    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        sys.setswitchinterval(1000)
        begun.set()
        trains = True
        with pytest.raises(InterruptedError):
            _core.fit("mgd", X, y, options, threads=1)
    finally:
        trains = False
        thread.join()
        sys.setswitchinterval(interval)
        signal.signal(signal.SIGINT, handler)


def test_ending_early_is_one_warning_of_the_line_that_fits():
    X, y = learnable()
    for estimator in (MGDClassifier, CCClassifier, MGDRegressor):
        with pytest.warns(ConvergenceWarning, match="max_iter=1") as caught:
            estimator(max_iter=1).fit(X, y)
        assert [warning.filename for warning in caught] == [__file__]


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


def test_blas_of_numpy_keeps_its_threads(data):
    X, y = data
    with threadpool_limits(3):
        before = threadpool_info()
        CAMELClassifier().fit(X, y).predict(X)
        assert threadpool_info() == before


@pytest.mark.skipif(_core.shares_openblas, reason="built without an OpenBLAS of its own")
def test_extension_neither_shows_its_blas_nor_links_another():
    extension = ctypes.CDLL(_core.__file__)
    assert hasattr(extension, "PyInit__core")
    for name in ("cblas_dgemm", "dgemm_", "openblas_set_num_threads", "mugrad_cblas_dgemm"):
        assert not hasattr(extension, name), name


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


@pytest.mark.parametrize("has_tqdm", [False, True])
@pytest.mark.parametrize("stream", ["none", "closed", "full"])
def test_progress_that_cannot_be_shown_is_dropped(data, monkeypatch, has_tqdm, stream):
    X, y = data
    if not has_tqdm:
        monkeypatch.setitem(sys.modules, "tqdm", None)
        monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    error = None if stream == "none" else open("/dev/full", "w", buffering=1)
    if stream == "closed":
        error.close()
    monkeypatch.setattr(sys, "stderr", error)
    assert MGDClassifier(verbose=1).fit(X, y).coef_ is not None


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


def test_a_column_that_gives_a_label_away_is_warned_of():
    random = np.random.default_rng(1)
    X = random.normal(size=(200, 4))
    y = (random.random((200, 2)) < 0.4).astype(int)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        BRClassifier().fit(X, y)
    X[:, 2] = y[:, 0]
    with pytest.warns(UserWarning, match="column '2' alone tells label '0' .* leave it out"):
        classifier = BRClassifier().fit(X, y)
    assert "column '2'" in classifier.report_["warnings"][0]
