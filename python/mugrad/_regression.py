# SPDX-License-Identifier: MIT
"""Real targets, many at once."""

from __future__ import annotations

from typing import Any, ClassVar, Optional

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import assert_all_finite

from . import _core
from ._fitted_model import FittedModel
from ._plain import unknown_where_masked
from ._validation import checked_array, checked_transfer


class MGDRegressor(RegressorMixin, FittedModel, BaseEstimator):
    """Multi-task gradient descent for real targets: similar targets share what they learn.

    Each target has a ridge regression. All are trained together, and each borrows weights from the
    targets that it is correlated with. ``sigma=0`` is ridge regression.

    Parameters
    ----------
    rho : float, default=0.01
        L2 strength, per example.
    sigma : float, default=0.1
        Transfer strength; 0 trains every target alone.
    transfer : str or matrix of shape (n_targets, n_targets), default="pearson"
        Which targets borrow from which, and how much: "pearson" for their positive
        correlations, "identity" for none; or a matrix, dense or sparse, whose rows sum to 1.
    neighbours : int or None, default=None
        Number of most similar targets to borrow from; None: all targets.
    l1 : float, default=0.0
        Strength of the smoothed L1 on the weights.
    l1_sharpness : float, default=100.0
        How closely the smoothed L1 follows abs(w); solving takes longer as it grows.
    representation : {"zscore", "none", "unit", "tfidf", "unit-row", "gaussian"}, default="zscore"
        How features are represented.
    scaling : str or None, default=None
        The older name of ``representation``, which it replaces if it is not None.
    centres : int, default=1500
        Number of examples that Gaussian features are centred at, at most all.
    width : float, default=1.0
        The w of Gaussian features exp(-w |x - c|^2 / D); D is the median squared distance.
    tol : float, default=1e-06
        Stop when the residual is at most this fraction of that of zero weights.
    max_iter : int, default=10000
        Maximum number of iterations.
    random_state : int, RandomState or None, default=1
        Seed of the centres of Gaussian features; None: a new seed each time.
    precision : {"float", "double"}, default="double"
        Precision of the weights.
    warm_start : bool, default=False
        Start from the weights of the previous fit.
    n_jobs : int or None, default=None
        Number of threads, at most 1024; None and -1: all cores. Never changes a result.
    verbose : int, default=0
        Above 0: show progress.

    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : ndarray
        Only if X was a DataFrame.
    target_names_ : ndarray of shape (n_targets,)
    coef_ : ndarray of shape (n_targets, n_features)
    intercept_ : ndarray of shape (n_targets,)
    target_relations_ : sparse matrix of shape (n_targets, n_targets)
    n_iter_ : int
    report_ : dict

    Examples
    --------
    >>> from sklearn.datasets import make_regression
    >>> from mugrad import MGDRegressor
    >>> X, y = make_regression(n_targets=3, random_state=1)
    >>> regressor = MGDRegressor().fit(X, y)
    >>> regressor.predict(X).shape
    (100, 3)
    """

    _method: ClassVar[str] = "mgd-regression"
    _arrays: ClassVar[frozenset[str]] = frozenset({"transfer"})
    _is_one_target: bool

    def __init__(
        self,
        *,
        rho: float = 0.01,
        sigma: float = 0.1,
        transfer: Any = "pearson",
        neighbours: Optional[int] = None,
        l1: float = 0.0,
        l1_sharpness: float = 100.0,
        representation: str = "zscore",
        scaling: Optional[str] = None,
        centres: int = 1500,
        width: float = 1.0,
        tol: float = 1e-6,
        max_iter: int = 10000,
        random_state: Any = 1,
        precision: str = "double",
        warm_start: bool = False,
        n_jobs: Optional[int] = None,
        verbose: int = 0,
    ) -> None:
        self.rho = rho
        self.sigma = sigma
        self.transfer = transfer
        self.neighbours = neighbours
        self.l1 = l1
        self.l1_sharpness = l1_sharpness
        self.representation = representation
        self.scaling = scaling
        self.centres = centres
        self.width = width
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.precision = precision
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _more_tags(self) -> dict[str, Any]:
        return {"multioutput": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.input_tags.sparse = True
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "MGDRegressor":
        """Train on examples, some of whose targets may be unknown.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            float32 and float64 in C order or CSR are read in place, without copying.
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
            With two dimensions, NaN means that a target is unknown; a DataFrame's columns are the
            targets' names.
        sample_weight : array-like of shape (n_samples,), default=None
            How often each example counts.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        return self._fit(X, y, sample_weight)

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> "MGDRegressor":
        if y is None:
            raise ValueError("This estimator requires y to be passed, but the target y is None.")
        names = [str(name) for name in getattr(y, "columns", [])]
        targets = checked_array(
            unknown_where_masked(y, "y"),
            ensure_2d=False,
            dtype=np.float64,
            order="C",
            input_name="y",
        )
        if targets.ndim == 1:
            assert_all_finite(targets, input_name="y")
        elif np.isinf(targets).any():
            raise ValueError("Input y contains infinity or a value too large for dtype('float64').")
        self._train(
            _core.fit_regression,
            X,
            targets.reshape(len(targets), -1),
            sample_weight,
            lambda: self._take_form(targets.ndim == 1),
            target_names=names,
            transfer=checked_transfer(self.transfer),
        )
        return self

    def _table_extras(self, table: _core.TableFeatures) -> dict[str, Any]:
        if table.term_blocks:
            raise ValueError(
                "MGDRegressor does not weight the terms of texts: give TableVectorizer a "
                "representation, such as 'zscore'"
            )
        return {"feature_names": table.names}

    def _take_form(self, is_one_target: bool) -> None:
        self._is_one_target = is_one_target

    def _take_model(self, model: Any) -> "MGDRegressor":
        super()._take_model(model)
        self._take_form(False)
        return self

    @property
    def target_names_(self) -> np.ndarray:
        """The names of the targets, or their indices as text if they have no names."""
        return self._names()

    @property
    def target_relations_(self) -> sp.csr_matrix:
        """Which target borrows from which; each row sums to 1 or is empty."""
        return self._relations()

    def predict(self, X: Any) -> np.ndarray:
        """Predict the targets of examples.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_targets)
            One-dimensional if the y of training was.
        """
        X = self._checked(X)
        found: np.ndarray = self.model_.scores(X, self._threads())
        return found.ravel() if self._is_one_target else found
