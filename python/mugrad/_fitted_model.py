# SPDX-License-Identifier: MIT
"""Training with the core, and what every fitted estimator gives access to."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable
from typing import Any, ClassVar, Union

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from . import _core
from ._options import chooses_threshold, method_unnamed, options_text, seed_from, thread_count
from ._progress import Progress
from ._sparse import csr_from
from ._table_features import TableArray, TableMatrix, features_of, filled, plain_matrix
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
        scaling = values.pop("scaling", None)
        if scaling is not None:
            values["representation"] = scaling
        if "random_state" in values:
            values["random_state"] = seed_from(values["random_state"])
        if chooses_threshold(self):
            del values["threshold"]
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
            table = features_of(X)
            X = checked_x(self, plain_matrix(X), reset=True)
            names = {"feature_names": list(getattr(self, "feature_names_in_", []))}
            extras.update(names if table is None else self._table_extras(table))
            check_consistent_length(X, y)
            with Progress(type(self).__name__, getattr(self, "verbose", 0)) as progress:
                with method_unnamed(self._method):
                    self.model_ = train(
                        X,
                        y,
                        self._options(X),
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

    def _table_extras(self, table: _core.TableFeatures) -> dict[str, Any]:
        """Arguments of the core's training for features of a table."""
        return {"table": table}

    def _take_model(self, model: Any) -> Any:
        """Take a model that was read from a file, as if it had been fitted."""
        self.model_ = model
        self.n_features_in_ = model.n_features
        if model.feature_names and model.table_features is None:
            self.feature_names_in_ = np.array(model.feature_names, dtype=object)
        return self

    def _checked(self, X: Any) -> Any:
        check_is_fitted(self)
        if isinstance(X, (TableMatrix, TableArray)):
            is_known = X.table_features is not None and X.shape[1] == self.n_features_in_
            X = plain_matrix(X)
            if is_known:
                X = filled(X, self.model_.feature_means)
        return checked_x(self, X, reset=False)

    def _names(self) -> np.ndarray:
        check_is_fitted(self)
        names = self.model_.label_names or map(str, range(self.model_.n_labels))
        return np.array(list(names), dtype=object)

    def _relations(self) -> sp.csr_matrix:
        check_is_fitted(self)
        found: sp.csr_matrix = csr_from(self.model_.relations)
        return found

    def _report(self) -> dict[str, Any]:
        check_is_fitted(self)
        report: dict[str, Any] = json.loads(self.model_.report_json)
        return report

    @property
    def report_(self) -> dict[str, Any]:
        """Training report: solver, reason for stopping, passes, residuals, warnings.

        The residuals and the loss are those of the training data. Values of a solve are None if
        there was none.
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
        transform = self.model_.feature_transform
        if not self.model_.has_linear_scores or transform["gaussian"] is not None:
            raise AttributeError(
                f"{type(self).__name__} has no coef_ and intercept_: its labels are not linear in X"
            )
        weights = self.model_.weights.T.astype(np.float64)
        intercepts = self.model_.intercepts
        if self.model_.calibration is not None:
            slope, shift = self.model_.calibration
            weights, intercepts = weights * slope[:, None], intercepts * slope + shift
        if transform["factor"] is not None:
            weights = weights * transform["factor"]
        if transform["shift"] is not None:
            intercepts = intercepts - weights @ transform["shift"]
        for length, columns in transform["parts"]:
            for begin, end in columns:
                weights[:, begin:end] *= length
        return weights, intercepts

    @property
    def coef_(self) -> np.ndarray:
        """Weights for the features as they are in X, labels by features.

        With the representations "unit", "tfidf" and "unit-row", scores are not linear in X: these
        weights apply to rows divided by their lengths, where "tfidf" measures the length after
        the weights of terms. Terms of texts are always represented like this, each text by itself.
        With "gaussian", there are no weights of features in X, and this attribute does not exist.
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
