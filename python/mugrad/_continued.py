# SPDX-License-Identifier: MIT
"""Classifiers that learn from further examples."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np

from . import _core
from ._base import WeightedClassifier
from ._options import options_text, table, text_of
from ._targets import TargetForm, encoded

#: Parameters that do not change what is minimised, or that the model has chosen itself.
_FREE = {"precision", "random_state", "start", "threshold"}


class ContinuedClassifier(WeightedClassifier):
    """A classifier with `partial_fit`."""

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> "ContinuedClassifier":
        """Train further with new examples alone.

        The first call is `fit`. Later calls take the weights so far as a prior, which is as strong
        as the examples that they were trained on, so that the result is nearly that of `fit` on all
        examples. Features stay represented as in the first call; unlike ``mugrad train
        --continue``, new words of texts do not become features. After a model was loaded that does
        not keep how firmly its examples hold its weights, this is estimated, with a warning.

        Labels are matched by name if y has names (a DataFrame, or label sets), otherwise by
        position. New labels follow those so far; the earlier examples count as unknown for them. A
        label that no set of y has, and that is not among `classes`, keeps its weights; columns of
        zeros are examples without the label.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : as for `fit`
        classes : array-like, default=None
            All classes of a one-dimensional y, or labels of a y of label sets. None: those so far
            and those that occur. If the first call has examples of two classes only, and others
            are to follow, it needs all classes.
        sample_weight : array-like of shape (n_samples,), default=None
            How often each example counts.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        if not hasattr(self, "model_"):
            if classes is not None and np.ndim(classes) == 1:
                classes = np.unique(np.asarray(classes))
            self._fit(X, y, sample_weight, classes, keep_curvature=True)
        else:
            self._continue(X, y, sample_weight, classes)
        return self

    def _continue(self, X: Any, y: Any, sample_weight: Any, classes: Any) -> None:
        labels, names, form = encoded(y, self._all_classes(y, classes))
        notes: list[str] = []

        def train(X: Any, y: Any, options: Any, *, initial: Any, **others: Any) -> Any:
            model, told = _core.continue_training(
                self.model_, X, y, self._changed_options(), **others
            )
            notes.extend(told)
            return model

        self._train(
            train,
            X,
            labels,
            sample_weight,
            lambda: self._take_form(self._form_now(form)),
            reset=False,
            label_names=names,
        )
        for note in notes:
            warnings.warn(note, UserWarning, stacklevel=3)

    def _form_now(self, form: TargetForm) -> TargetForm:
        """The form of y, or the one so far if that has classes and y columns, or the reverse."""
        if (form.classes is None) != (self._form.classes is None):
            form = self._form
        return form if form.sets is None else replace(form, sets=self._names())

    def _all_classes(self, y: Any, classes: Any) -> Any:
        """The classes so far, then new ones, for a one-dimensional y."""
        known = self._form.classes
        if known is None or np.ndim(y) != 1:
            return classes
        found = np.unique(np.asarray(y)) if classes is None else np.unique(np.asarray(classes))
        more = [label for label in found.tolist() if label not in set(known.tolist())]
        if more and len(known) == 2:
            raise ValueError(
                f"y has the class {more[0]!r}, but training began with two classes: give all "
                "classes to the first partial_fit"
            )
        return np.concatenate([known, np.asarray(more, dtype=known.dtype)]) if more else known

    def _changed_options(self) -> dict[str, str]:
        """Parameters other than their defaults; the core compares them with the model's."""
        options = table(self._method)
        values = {
            name: value
            for name, value in self.get_params(deep=False).items()
            if name in options
            and name not in _FREE
            and np.ndim(value) == 0
            and text_of(options[name], value) != options[name]["default"]
        }
        if "transfer" in values and values["transfer"] not in options["transfer"]["choices"]:
            del values["transfer"]
        return options_text(self._method, values, self._arrays)
