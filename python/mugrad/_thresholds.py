# SPDX-License-Identifier: MIT
"""Thresholds chosen by inner folds."""

from __future__ import annotations

import warnings
from copy import deepcopy
from numbers import Integral
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
from joblib import Parallel, delayed
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.metrics import accuracy_score
from sklearn.utils import _safe_indexing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from . import _core
from ._responses import (
    RESPONSES,
    ScoreRange,
    label_names,
    last_step,
    response_name,
    scores_of,
)
from ._splits import IterativeStratifiedKFold, Split
from ._targets import TargetForm, as_labels, comparable, encoded, in_matrix


def _has(method: str) -> Any:
    """Whether the wrapped estimator, fitted or not, has a method."""

    def check(self: Any) -> bool:
        return hasattr(getattr(self, "estimator_", self.estimator), method)

    return available_if(check)


def _fit_and_score(
    estimator: Any, X: Any, y: Any, rows: Split, sample_weight: Any, response: str
) -> Tuple[np.ndarray, ScoreRange]:
    train, test = rows
    fitted = _fit(
        estimator,
        _safe_indexing(X, train),
        _safe_indexing(y, train),
        None if sample_weight is None else np.asarray(sample_weight)[train],
    )
    return scores_of(fitted, _safe_indexing(X, test), response)


def _fit(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Any:
    if sample_weight is None:
        return clone(estimator).fit(X, y)
    return clone(estimator).fit(X, y, sample_weight=sample_weight)


def _with_thresholds(fitted: Any, name: str, thresholds: np.ndarray, is_lent: bool) -> Any:
    """A classifier of this package that has adopted the thresholds; None for any other.

    The thresholds apply to the named response. Scores equal that response, or differ from it by a
    constant; for log-odds neither holds, and the classifier cannot adopt them.
    """
    last = last_step(fitted)
    if not hasattr(last, "set_thresholds") or last._form.classes is not None:
        return None
    middle = 0.0 if name == "predict_proba" else last._middle()
    if middle is None:
        return None
    own = deepcopy(fitted) if is_lent else fitted
    last_step(own).set_thresholds(thresholds + middle)
    return own


def _counts_in(scores: ScoreRange, n_labels: int) -> Any:
    """Candidates in the range of the scores."""
    return _core.ThresholdCounts(n_labels, scores.low, scores.high, scores.middle)


class ThresholdClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Predicts labels by thresholds that were chosen by inner folds.

    The estimator may be any multi-label classifier with `predict_proba` or `decision_function`. It
    is trained on the train part of each inner fold, and its scores of the test parts are evaluated
    at about a hundred thresholds (from 0.001 to 0.99 for probabilities, -0.98 to 0.98 for others).
    Then it is trained on all of the data. A classifier of this package adopts the thresholds, so
    that `estimator_.save` writes them too.

    If y has one dimension, each example has one class: the most likely class is predicted, as by
    the classifier itself, and no thresholds are chosen.

    Parameters
    ----------
    estimator : classifier
    rule : {"per-label", "one", "cardinality", "keep"}
        One threshold per label (labels with fewer than ten positives use the common one); one for
        all; the one at which as many labels are predicted as there are; or the default.
    metric : {"f1", "micro-f1", "macro-f1", "hamming-loss"}
        Metric that thresholds are chosen by; "f1" is the mean of micro-F1 and macro-F1.
    convention : {"sklearn", "mulan", "lamda"}
        How the metric counts labels without positives.
    cv : int, splitter, iterable of (train, test), or "prefit"
        A number means iteratively stratified folds. With "prefit", `estimator` is already fitted
        and its thresholds are chosen on the data that is passed to `fit`.
    response_method : {"auto", "predict_proba", "decision_function"}
    n_jobs : int, optional
        Number of folds trained in parallel.
    random_state : int, RandomState or None
        Seed of the folds.

    Attributes
    ----------
    thresholds_ : (L,) array
        One per column of the scores, in their scale.
    estimator_ : the classifier, trained on everything
    threshold_score_ : float
        The metric of the thresholds on the inner folds; NaN where none were chosen.
    n_labels_ : int
    label_names_ : (L,) array or None
        The columns of a DataFrame, or the labels of the sets that `y` was.
    classes_ : those of the classifier within
    n_features_in_, feature_names_in_ : those of the classifier within, where it has them

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.multiclass import OneVsRestClassifier
    >>> from mugrad.datasets import make_multilabel
    >>> from mugrad.metrics import micro_f1
    >>> from mugrad.model_selection import ThresholdClassifier, train_test_split
    >>> X, Y = make_multilabel(600, 20, 8, noise=2, cardinality=1.5, random_state=0)
    >>> X_train, X_test, Y_train, Y_test = train_test_split(X, Y, random_state=0)
    >>> plain = OneVsRestClassifier(LogisticRegression()).fit(X_train, Y_train)
    >>> tuned = ThresholdClassifier(plain, random_state=0).fit(X_train, Y_train)
    >>> micro_f1(Y_test, tuned.predict(X_test)) > micro_f1(Y_test, plain.predict(X_test))
    True
    """

    _form: TargetForm
    _is_told: bool  # whether the wrapped classifier has adopted the thresholds

    def __init__(
        self,
        estimator: Any,
        *,
        rule: str = "per-label",
        metric: str = "f1",
        convention: str = "sklearn",
        cv: Any = 5,
        response_method: str = "auto",
        n_jobs: Optional[int] = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.rule = rule
        self.metric = metric
        self.convention = convention
        self.cv = cv
        self.response_method = response_method
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "ThresholdClassifier":
        """Chooses the thresholds and trains on all of the data.

        Parameters
        ----------
        X : matrix (n, d), as the classifier accepts it
        y : matrix (n, L) of 0 and 1, dense or sparse; label sets; or classes (n,)
            NaN means unknown, if the classifier accepts it.
        sample_weight : (n,) array, optional
            Passed to the classifier; thresholds are chosen without it.
        """
        self._check_options()
        labels, names, form = encoded(y)
        check_consistent_length(X, labels)
        if form.classes is None:
            chosen = self._choose(X, y, labels, sample_weight)
            own_forms = hasattr(last_step(self.estimator), "set_thresholds")
            target = y if own_forms else labels
        else:
            chosen, target = None, np.asarray(y).ravel()
            if self.rule != "keep":
                warnings.warn(
                    "y has one class per example: the most likely is predicted, and no thresholds "
                    "are chosen. Give y as a column of 0 and 1 to choose the one of a label.",
                    UserWarning,
                    stacklevel=2,
                )
        fitted = (
            self.estimator if self._is_prefit() else _fit(self.estimator, X, target, sample_weight)
        )
        self._take(fitted, chosen, labels.shape[1])
        self._form = form
        self.label_names_ = np.array(names, dtype=object) if names else None
        return self

    def _is_prefit(self) -> bool:
        return isinstance(self.cv, str) and self.cv == "prefit"

    def _check_options(self) -> None:
        _core.check_threshold_rule(self.rule)
        _core.check_convention(self.convention)
        _core.check_threshold_metric(self.metric)
        if isinstance(self.cv, str) and self.cv != "prefit":
            raise ValueError(
                f"cv must be a number, a splitter, splits or 'prefit', got {self.cv!r}"
            )
        response_name(self.estimator, self.response_method)

    def _choose(self, X: Any, y: Any, labels: Any, sample_weight: Any) -> Tuple[np.ndarray, float]:
        """The thresholds, and the metric at them."""
        counts = self._count(X, y, labels, sample_weight)
        thresholds = counts.choose(self.rule, self.metric, self.convention)
        if self.rule == "keep":
            return np.asarray(thresholds), float("nan")
        return np.asarray(thresholds), counts.value(thresholds, self.metric, self.convention)

    def _folds(self, X: Any, y: Any, labels: Any) -> List[Split]:
        if isinstance(self.cv, Integral):
            folds = IterativeStratifiedKFold(int(self.cv), random_state=self.random_state)
            return list(folds.split(X, labels))
        if hasattr(self.cv, "split"):
            return list(self.cv.split(X, y))
        return list(self.cv)

    def _count(self, X: Any, y: Any, labels: Any, sample_weight: Any) -> Any:
        """Counts of the predictions of every threshold on held-out examples."""
        n_labels = int(labels.shape[1])
        if self._is_prefit():
            scores, where = scores_of(self.estimator, X, self.response_method)
            counts = _counts_in(where, n_labels)
            counts.add(scores, labels)
            return counts
        folds = self._folds(X, y, labels)
        scored = Parallel(n_jobs=self.n_jobs)(
            delayed(_fit_and_score)(
                self.estimator, X, labels, rows, sample_weight, self.response_method
            )
            for rows in folds
        )
        counts = _counts_in(scored[0][1], n_labels)
        for (_, test), (scores, _) in zip(folds, scored):
            counts.add(scores, _safe_indexing(labels, test))
        return counts

    def _take(self, fitted: Any, chosen: Optional[Tuple[np.ndarray, float]], n_labels: int) -> None:
        """The classifier trained on all of the data, with the thresholds if it can adopt them."""
        name = response_name(fitted, self.response_method)
        own = None
        if chosen is None:
            chosen = np.full(n_labels, RESPONSES[name].middle), float("nan")
        elif self.rule != "keep":
            own = _with_thresholds(fitted, name, chosen[0], self._is_prefit())
        self.estimator_ = fitted if own is None else own
        self._is_told = own is not None
        self.thresholds_, self.threshold_score_ = chosen
        self.n_labels_ = n_labels
        for attribute in ("n_features_in_", "feature_names_in_"):
            if hasattr(fitted, attribute):
                setattr(self, attribute, getattr(fitted, attribute))
            elif hasattr(self, attribute):
                delattr(self, attribute)

    @property
    def classes_(self) -> Any:
        """The classes of the wrapped classifier."""
        check_is_fitted(self, "estimator_")
        return self.estimator_.classes_

    def predict(self, X: Any) -> Any:
        """Labels (n, L) with scores of at least the thresholds, in the form and type of `y`.

        The most likely classes (n,) if `y` had one dimension.
        """
        check_is_fitted(self, "estimator_")
        if self._form.classes is not None:
            return self.estimator_.predict(X)
        found = self.predict_indicator(X)
        return as_labels((found.data, found.indices, found.indptr, found.shape), self._form)

    def predict_indicator(self, X: Any) -> Any:
        """The labels with scores of at least the thresholds, as a sparse matrix (n, L)."""
        check_is_fitted(self, "estimator_")
        if self._is_told:
            predicted = self.estimator_.predict(X)
            reached = sparse.csr_matrix(in_matrix(predicted, lambda: label_names(self.estimator_)))
        else:
            scores, _ = scores_of(self.estimator_, X, self.response_method)
            reached = sparse.csr_matrix(scores >= self.thresholds_)
        return reached.astype(np.int64)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of the examples whose labels are all predicted correctly."""
        predicted = self.predict(X)
        names = range(self.n_labels_) if self.label_names_ is None else self.label_names_
        truth, predicted = comparable(y, predicted, names)
        return float(accuracy_score(truth, predicted, sample_weight=sample_weight))

    @_has("predict_proba")
    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities (n, L) of the wrapped classifier; unchanged if `y` had one dimension."""
        return self._response(X, "predict_proba")

    @_has("decision_function")
    def decision_function(self, X: Any) -> np.ndarray:
        """Scores (n, L) of the wrapped classifier; unchanged if `y` had one dimension."""
        return self._response(X, "decision_function")

    def _response(self, X: Any, name: str) -> np.ndarray:
        check_is_fitted(self, "estimator_")
        if self._form.classes is None:
            return scores_of(self.estimator_, X, name)[0]
        found: np.ndarray = getattr(self.estimator_, name)(X)
        return found

    def _more_tags(self) -> Dict[str, Any]:
        from sklearn.utils._tags import _safe_tags

        return {tag: _safe_tags(self.estimator, tag) for tag in ("multilabel", "allow_nan")}

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import get_tags

        tags, within = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.classifier_tags = within.classifier_tags
        tags.input_tags = within.input_tags
        return tags
