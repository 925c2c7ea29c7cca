# SPDX-License-Identifier: MIT
"""Base classes of all estimators."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Optional, Union

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from . import _core
from ._options import method_unnamed, options_text, seed_from, thread_count
from ._plain import plain
from ._progress import Progress
from ._targets import TargetForm, as_labels, comparable, encoded
from ._validation import checked_weights, checked_x

#: A path, as `open` accepts it.
Path = Union[str, "os.PathLike[str]"]


class FittedModel:
    """Trains a model with the core, stores it, and gives access to its contents."""

    _method: ClassVar[str]
    #: Parameters that may be arrays; arrays are not passed as options of the core.
    _arrays: ClassVar[frozenset[str]] = frozenset()
    model_: Any
    n_features_in_: int

    def _options(self, X: Any) -> dict[str, str]:
        """Options for the core; X is the training data."""
        values = dict(self.get_params(deep=False))  # type: ignore[attr-defined]
        if "random_state" in values:
            values["random_state"] = seed_from(values["random_state"])
        if values.get("precision") == "auto":
            values["precision"] = "float" if X.dtype == np.float32 else "double"
        return options_text(self._method, values, self._arrays)

    def _threads(self) -> int:
        return thread_count(getattr(self, "n_jobs", None))

    def _train(
        self,
        train: Callable[..., Any],
        X: Any,
        y: Any,
        sample_weight: Any,
        take_form: Callable[[], None],
        **extras: Any,
    ) -> None:
        """Set all attributes of a fit, or none of them if it fails.

        `train` calls the core; `take_form` stores the form of y.
        """
        before = dict(vars(self))
        initial = getattr(self, "model_", None) if getattr(self, "warm_start", False) else None
        try:
            X = checked_x(self, X, reset=True)
            check_consistent_length(X, y)
            with Progress(type(self).__name__, getattr(self, "verbose", 0)) as progress:
                with method_unnamed(self._method):
                    self.model_ = train(
                        X,
                        y,
                        self._options(X),
                        feature_names=list(getattr(self, "feature_names_in_", [])),
                        row_weights=checked_weights(sample_weight, X),
                        initial=initial,
                        threads=self._threads(),
                        progress=progress,
                        **extras,
                    )
            take_form()
        except BaseException:
            self.__dict__ = before
            raise
        self._warn_of("Training")

    def _take_model(self, model: Any) -> Any:
        """Take a model that was read from a file, as if it had been fitted."""
        self.model_ = model
        self.n_features_in_ = model.n_features
        if model.feature_names:
            self.feature_names_in_ = np.array(model.feature_names, dtype=object)
        return self

    def _names(self) -> np.ndarray:
        check_is_fitted(self)
        names = self.model_.label_names or map(str, range(self.model_.n_labels))
        return np.array(list(names), dtype=object)

    def _report(self) -> dict[str, Any]:
        check_is_fitted(self)
        report: dict[str, Any] = json.loads(self.model_.report_json)
        return report

    @property
    def report_(self) -> dict[str, Any]:
        """Training report: solver, reason for stopping, passes, residuals, warnings.

        Values of a solve are None if there was none.
        """
        return self._report()

    @property
    def n_iter_(self) -> int:
        """Passes over the data, or iterations, at least 1; only where training solves something."""
        passes = self._report()["passes"]
        if passes is None and not hasattr(self, "max_iter"):
            raise AttributeError(f"{type(self).__name__} has no n_iter_: its training solves nothing")
        return max(1, int(passes or 0))

    def _linear_weights(self) -> tuple[np.ndarray, np.ndarray]:
        check_is_fitted(self)
        if not self.model_.has_linear_scores:
            raise AttributeError(
                f"{type(self).__name__} has no coef_ and intercept_: its labels are not linear in X"
            )
        weights = self.model_.weights.T.astype(np.float64)
        intercepts = self.model_.intercepts
        scaling = self.model_.scaling
        if scaling["kind"] == "zscore":
            deviation = scaling["deviation"]
            weights = np.divide(weights, deviation, out=np.zeros_like(weights), where=deviation > 0)
            intercepts = intercepts - weights @ scaling["mean"]
        return weights, intercepts

    @property
    def coef_(self) -> np.ndarray:
        """Weights for the features as they are in X, labels by features.

        With ``scaling="unit-row"``, they apply to rows divided by their lengths.
        """
        return self._linear_weights()[0]

    @property
    def intercept_(self) -> np.ndarray:
        """One per label."""
        return self._linear_weights()[1]

    def save(self, path: Path) -> None:
        """Write the model to a file that the program, C++ and :func:`mugrad.load` read.

        Parameters
        ----------
        path : str or path-like
            The file appears complete or not at all.
        """
        check_is_fitted(self)
        self.model_.save(os.fspath(path))

    def _warn_of(self, what_is_tried: str) -> None:
        report = self._report()
        has_ended_early = report["stop"] == "iteration-limit"
        if has_ended_early:
            warnings.warn(
                f"{what_is_tried} ended at max_iter={getattr(self, 'max_iter', None)} before it "
                "had converged. Increase max_iter, or tol.",
                ConvergenceWarning,
                stacklevel=5,
            )
        for warning in report["warnings"]:
            if not (has_ended_early and warning.startswith("not converged")):  # already reported
                warnings.warn(warning, UserWarning, stacklevel=5)


class MugradClassifier(ClassifierMixin, FittedModel, BaseEstimator):
    """Base class of classifiers; trains with one of the core's methods."""

    classes_: np.ndarray
    _form: TargetForm

    def _more_tags(self) -> dict[str, Any]:
        return {"multilabel": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.input_tags.sparse = True
        return tags

    def _extras(self, labels: int) -> dict[str, Any]:
        """Arguments of _core.fit that are neither numbers nor text, by name."""
        return {}

    def fit(self, X: Any, y: Any) -> "MugradClassifier":
        """Train on examples, some of whose labels may be unknown.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            float32 and float64 in C order or CSR are read in place, without copying.
        y : array-like, sparse matrix or list of sets, of shape (n_samples, n_labels)
            0 and 1, or NaN if a label is unknown; a DataFrame's columns are the labels'
            names. A list of sets (or of lists of text) names the labels that each example has.
            A one-dimensional y has the class of each example, from two or more classes.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        return self._fit(X, y, None)

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> "MugradClassifier":
        labels, names, form = encoded(y)
        self._train(
            partial(_core.fit, self._method),
            X,
            labels,
            sample_weight,
            lambda: self._take_form(form),
            label_names=names,
            **self._extras(labels.shape[1]),
        )
        return self

    def _take_form(self, form: TargetForm) -> None:
        self._form = form
        classes = form.classes
        self.classes_ = np.arange(self.model_.n_labels) if classes is None else classes

    def _take_model(self, model: Any) -> "MugradClassifier":
        super()._take_model(model)
        self._take_form(TargetForm())
        return self

    @property
    def label_names_(self) -> np.ndarray:
        """The names of the labels, or their indices as text if they have no names."""
        return self._names()

    @property
    def thresholds_(self) -> np.ndarray:
        """The score from which each label is predicted."""
        check_is_fitted(self)
        thresholds: np.ndarray = self.model_.thresholds
        return thresholds

    def set_thresholds(self, thresholds: Any) -> "MugradClassifier":
        """Set the thresholds of the labels.

        Parameters
        ----------
        thresholds : float or array-like of shape (n_labels,)
            One threshold for all labels, or one per label.

        Returns
        -------
        self : object
        """
        check_is_fitted(self)
        thresholds = np.asarray(plain(thresholds, "thresholds"), np.float64)
        values = np.broadcast_to(thresholds, (self.model_.n_labels,))
        self.model_ = self.model_.with_thresholds(values)
        return self

    def _checked(self, X: Any) -> Any:
        check_is_fitted(self)
        return checked_x(self, X, reset=False)

    def _scores(self, X: Any) -> np.ndarray:
        scores: np.ndarray = self.model_.scores(X, self._threads())
        return scores

    def _margins(self, X: Any) -> np.ndarray:
        """Margins, a column per label; above 0 if a label is more likely present than absent."""
        middle = self._middle()
        if middle is None:
            margins: np.ndarray = self.model_.linear_scores(X, self._threads())
            return margins
        return self._scores(X) - middle

    def _middle(self) -> Optional[float]:
        """The score at which a label is as likely there as not; None where margins are log-odds."""
        scores = self.model_.score_range
        is_log_odds = self.model_.has_linear_scores and scores.are_probabilities
        return None if is_log_odds else float(scores.middle)

    def decision_function(self, X: Any) -> np.ndarray:
        """Confidence in each label: above 0 if it is more likely present than absent.

        Log-odds, linear in X, for linear models; otherwise the score minus its middle value.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        confidence : ndarray of shape (n_samples, n_labels)
            Of shape (n_samples,) for a one-dimensional y of two classes.
        """
        margins = self._margins(self._checked(X))
        classes = self._form.classes
        return margins.ravel() if classes is not None and margins.shape[1] == 1 else margins

    def predict(self, X: Any) -> Any:
        """Predict the labels whose scores are at least their thresholds.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray or sparse matrix of shape (n_samples, n_labels)
            Sparse if the y of training was. If that was one-dimensional, the most likely
            classes, of shape (n_samples,).
        """
        X = self._checked(X)
        classes = self._form.classes
        if classes is not None and len(classes) != 2:
            return classes[np.argmax(self._margins(X), axis=1)]
        labels = as_labels(self.model_.predict(X, self._threads()), self._form)
        return labels if classes is None else classes[labels.ravel()]

    def predict_top_k(self, X: Any, k: int = 5) -> np.ndarray:
        """The k labels with the highest scores, best first.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        k : int, default=5
            All labels if there are fewer than k.

        Returns
        -------
        labels : ndarray of shape (n_samples, k)
            Columns of y; ``label_names_[labels]`` are their names.
        """
        labels: np.ndarray = self.model_.top(self._checked(X), k, self._threads())
        return labels

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of the examples whose labels are all predicted correctly.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : as for `fit`
            A label that did not occur in training counts as predicted wrongly.
        sample_weight : array-like of shape (n_samples,), default=None
            How often each example counts.

        Returns
        -------
        score : float
        """
        truth, predicted = comparable(y, self.predict(X), self.label_names_)
        return float(accuracy_score(truth, predicted, sample_weight=sample_weight))

    def _gives_probabilities(self) -> bool:
        """Whether the scores of the method are probabilities."""
        return True

    @available_if(lambda self: self._gives_probabilities())
    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each label.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_labels)
            For a one-dimensional y, of shape (n_samples, n_classes), each row summing to 1.
        """
        scores = self._scores(self._checked(X))
        classes = self._form.classes
        if classes is None:
            return scores
        if len(classes) == 2:
            return np.hstack([1 - scores, scores])
        totals = scores.sum(axis=1, keepdims=True)
        even = np.full_like(scores, 1 / len(classes))
        return np.divide(scores, totals, out=even, where=totals > 0)


class WeightedClassifier(MugradClassifier):
    """A classifier that accepts sample weights."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "WeightedClassifier":
        """Train on examples, some of whose labels may be unknown.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            float32 and float64 in C order or CSR are read in place, without copying.
        y : array-like, sparse matrix or list of sets, of shape (n_samples, n_labels)
            0 and 1, or NaN if a label is unknown; a DataFrame's columns are the labels'
            names. A list of sets (or of lists of text) names the labels that each example has.
            A one-dimensional y has the class of each example, from two or more classes.
        sample_weight : array-like of shape (n_samples,), default=None
            How often each example counts.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        self._fit(X, y, sample_weight)
        return self
