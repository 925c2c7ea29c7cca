# SPDX-License-Identifier: MIT
"""What all estimators have in common."""

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
from ._options import options_text, parameters_named, seed_from, thread_count
from ._plain import plain
from ._progress import Progress
from ._targets import TargetForm, as_labels, comparable, encoded
from ._validation import checked_weights, checked_x

#: A path, as `open` takes it.
Path = Union[str, "os.PathLike[str]"]


class FittedModel:
    """What estimators do with the core: train a model, keep it, tell what is in it."""

    _method: ClassVar[str]
    #: Parameters that may be arrays, and are then none of the core's options.
    _arrays: ClassVar[frozenset[str]] = frozenset()
    model_: Any
    n_features_in_: int

    def _options(self, X: Any) -> dict[str, str]:
        """For the core; X is what the model is trained on."""
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
        """Set all that a fit does, or, when it fails, nothing.

        `train` is the core's; `take_form` keeps what there is to know of y.
        """
        before = dict(vars(self))
        initial = getattr(self, "model_", None) if getattr(self, "warm_start", False) else None
        try:
            X = checked_x(self, X, reset=True)
            check_consistent_length(X, y)
            with Progress(type(self).__name__, getattr(self, "verbose", 0)) as progress:
                with parameters_named(self._method):
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
        """As if it had been fitted: the model comes from a file."""
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
        """How training went: solver, why it stopped, passes, residuals, warnings."""
        return self._report()

    @property
    def n_iter_(self) -> int:
        """Passes over the data, at least 1."""
        return max(1, int(self._report()["passes"]))

    def _linear_weights(self) -> tuple[np.ndarray, np.ndarray]:
        check_is_fitted(self)
        if self.model_.link is None:
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
        """Weights of the features as they are in X, labels by features.

        With ``scaling="unit-row"``: of the features of rows divided by their lengths.
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
            The file appears whole or not at all.
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
            if not (has_ended_early and warning.startswith("not converged")):  # said already
                warnings.warn(warning, UserWarning, stacklevel=5)


class MugradClassifier(ClassifierMixin, FittedModel, BaseEstimator):
    """Trains by one of the core's methods."""

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
        """What is no number or word; by the names that _core.fit has for it."""
        return {}

    def fit(self, X: Any, y: Any) -> "MugradClassifier":
        """Train on examples whose labels are known, wholly or in part.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            float32 and float64 in C order or CSR are used in place.
        y : array-like, sparse matrix or list of sets, of shape (n_samples, n_labels)
            0 and 1, or NaN where a label is not known; a DataFrame's columns are the labels'
            names. A list of sets (or of lists of text) names the labels that each example has.
            One-dimensional: the class of each example, out of two or more.

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
        """The names of labels; their numbers, as text, where there are none."""
        return self._names()

    @property
    def thresholds_(self) -> np.ndarray:
        """The score at which each label is predicted."""
        check_is_fitted(self)
        thresholds: np.ndarray = self.model_.thresholds
        return thresholds

    def set_thresholds(self, thresholds: Any) -> "MugradClassifier":
        """Predict labels at other scores.

        Parameters
        ----------
        thresholds : float or array-like of shape (n_labels,)
            Of all labels, or one each.

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
        """Labels by columns; above 0 where a label is likelier there than not."""
        middle = self._middle()
        if middle is None:
            margins: np.ndarray = self.model_.linear_scores(X, self._threads())
            return margins
        return self._scores(X) - middle

    def _middle(self) -> Optional[float]:
        """The score at which a label is as likely there as not; None where margins are log-odds."""
        if self.model_.link == "logistic":
            return None
        low, high = self.model_.score_range
        return (low + high) / 2

    def decision_function(self, X: Any) -> np.ndarray:
        """Confidence in each label: above 0 where it is likelier there than not.

        Log-odds, linear in X, where the model is; else the score less the one in the middle.

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
        """The labels whose scores reach their thresholds.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray or sparse matrix of shape (n_samples, n_labels)
            Sparse when the y of training was. Of shape (n_samples,), the likeliest classes, when
            that was one-dimensional.
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
            All labels where there are fewer.

        Returns
        -------
        labels : ndarray of shape (n_samples, k)
            Columns of y; ``label_names_[labels]`` are their names.
        """
        labels: np.ndarray = self.model_.top(self._checked(X), k, self._threads())
        return labels

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of the examples all of whose labels are predicted rightly.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : as for `fit`
            A label of a set that was not there in training is predicted wrongly.
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
    """A classifier whose examples may count more or less often than once."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "WeightedClassifier":
        """Train on examples whose labels are known, wholly or in part.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            float32 and float64 in C order or CSR are used in place.
        y : array-like, sparse matrix or list of sets, of shape (n_samples, n_labels)
            0 and 1, or NaN where a label is not known; a DataFrame's columns are the labels'
            names. A list of sets (or of lists of text) names the labels that each example has.
            One-dimensional: the class of each example, out of two or more.
        sample_weight : array-like of shape (n_samples,), default=None
            How often each example counts.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        self._fit(X, y, sample_weight)
        return self
