# SPDX-License-Identifier: MIT
"""Base classes of all classifiers."""

from __future__ import annotations

from functools import partial
from typing import Any, Optional

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._fitted_model import FittedModel
from ._options import chooses_threshold
from ._plain import plain
from ._sparse import csr_from
from ._targets import TargetForm, as_labels, comparable, encoded


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

    def _fit(
        self, X: Any, y: Any, sample_weight: Any, classes: Any = None, **further: Any
    ) -> "MugradClassifier":
        """`classes` as in `encoded`; `further` are arguments of _core.fit."""
        labels, names, form = encoded(y, classes)
        self._train(
            partial(_core.fit, self._method, by_inner_folds=chooses_threshold(self), **further),
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

    def _scores(self, X: Any) -> np.ndarray:
        scores: np.ndarray = self.model_.scores(X, self._threads())
        return scores

    def _margins(self, X: Any) -> np.ndarray:
        """Margins, a column per label; above 0 if a label is more likely present than absent."""
        middle = self._middle()
        if middle is None:
            margins: np.ndarray = self.model_.linear_scores(X, self._threads())
            if self.model_.calibration is not None:
                slope, shift = self.model_.calibration
                margins = margins * slope + shift
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
            Sparse if the y of training was. If that was label sets, the sets of predicted labels,
            of the same type: a list for a list, otherwise an array of objects. If it was
            one-dimensional, the most likely classes, of shape (n_samples,). For a one-dimensional
            y of two classes, the first class is predicted if both are equally likely.
        """
        X = self._checked(X)
        classes = self._form.classes
        if classes is not None and len(classes) != 2:
            return classes[np.argmax(self._margins(X), axis=1)]
        if classes is not None and self.model_.thresholds[0] == self.model_.score_range.middle:
            # Both classes may be equally likely; scikit-learn then expects the first.
            return classes[(self._margins(X).ravel() > 0).astype(int)]
        labels = as_labels(self.model_.predict(X, self._threads()), self._form)
        return labels if classes is None else classes[labels.ravel()]

    def predict_indicator(self, X: Any) -> Any:
        """The labels that `predict` finds, as a matrix, whatever the form of y.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        y : sparse matrix of shape (n_samples, n_labels)
            Ones where a label is predicted; the columns are `label_names_`.
        """
        return csr_from(self.model_.predict(self._checked(X), self._threads()), np.int64)

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


class ScoreClassifier(MugradClassifier):
    """A classifier whose scores are not probabilities, unless they are calibrated."""

    def _gives_probabilities(self) -> bool:
        model = getattr(self, "model_", None)
        return chooses_threshold(self) if model is None else model.score_range.are_probabilities


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
