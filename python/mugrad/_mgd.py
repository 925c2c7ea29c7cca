# SPDX-License-Identifier: MIT
"""Multi-task gradient descent, and binary relevance."""

from __future__ import annotations

from typing import Any, ClassVar, Optional, Union

import numpy as np
import scipy.sparse as sp

from ._continued import ContinuedClassifier
from ._plain import plain
from ._validation import checked_transfer


def per_label(name: str, value: Any, labels: int) -> Optional[np.ndarray]:
    """One number per label; None if a single number applies to all labels."""
    if np.ndim(value) == 0:
        return None
    if np.shape(value) != (labels,):
        raise ValueError(
            f"{name} must be a number, or one for each of {labels} labels; "
            f"got an array of shape {np.shape(value)}"
        )
    return np.asarray(plain(value, name), np.float64)


class MGDClassifier(ContinuedClassifier):
    """Multi-task gradient descent: labels that occur together learn from each other.

    Each label is a linear task. All tasks are trained together, and each borrows weights from the
    labels it is related to (Bai, Ong, He and Gupta). ``sigma=0`` trains every label alone.

    Parameters
    ----------
    rho : float, default=0.01
        L2 strength, per example.
    sigma : float or array-like of shape (n_labels,), default=0.1
        Transfer strength, for all labels or one per label; 0 trains every label alone.
    sigma_ratio : float or None, default=None
        Transfer strength as a multiple of rho, instead of sigma.
    transfer : str or matrix of shape (n_labels, n_labels), default="cosine"
        Which labels borrow from which, and how much: "cosine", "jaccard", "conditional"
        or "pearson" of the labels of the examples; "weights" or "predicted" of models in
        which every label is trained alone; "identity" for none; or a matrix, dense or sparse,
        whose rows sum to 1.
    neighbours : int or None, default=None
        Number of most similar labels to borrow from; None: all labels, or 10 if relations are
        learned ("weights", "predicted").
    transfer_intercept : bool, default=False
        Transfer the intercepts too, as the paper does.
    loss : {"logistic", "squared"}, default="logistic"
        Loss function of each label.
    l1 : float, default=0.0
        Strength of the smoothed L1 on the weights.
    l1_sharpness : float, default=100.0
        How closely the smoothed L1 follows |w|; solving takes longer as it grows.
    positive_weight : float or array-like of shape (n_labels,), default=1.0
        How many negative examples a positive one counts for, for all labels or one per label.
    representation : {"zscore", "none", "unit", "tfidf", "unit-row", "gaussian"}, default="zscore"
        How features are represented.
    scaling : str or None, default=None
        The older name of ``representation``, which it replaces if it is not None.
    centres : int, default=1500
        Number of examples that Gaussian features are centred at, at most all.
    width : float, default=1.0
        The w of Gaussian features exp(-w |x - c|^2 / D); D is the median squared distance.
    text_weight : float, default=1.0
        Share of each text in the variance, as a multiple of that of the other features.
    threshold : float or "auto", default=0.5
        Labels with at least this score are predicted.
        "auto": inner folds choose it, and calibrate scores unless probabilities are right.
    solver : {"accelerated", "plain"}, default="accelerated"
        Solver that finds the equilibrium.
    tol : float, default=0.0001
        Stop when the residual is at most this fraction of its first value.
    max_iter : int, default=10000
        Maximum number of iterations.
    alpha : float or None, default=None
        Step of the plain solver; None: slightly below the largest step that is proven safe.
    start : {"log-odds", "zero", "random"}, default="log-odds"
        Starting point of the plain solver.
    random_state : int, RandomState or None, default=1
        Seed of the random numbers; None: a new seed each time.
    precision : {"auto", "float", "double"}, default="auto"
        Precision of the weights; "auto": single for a float32 X, otherwise double.
    warm_start : bool, default=False
        Start from the weights of the previous fit.
    n_jobs : int or None, default=None
        Number of threads, at most 1024; None and -1: all cores. Never changes a result.
    verbose : int, default=0
        Above 0: show progress.

    Attributes
    ----------
    classes_ : ndarray
        Indices of the labels, or the classes of a one-dimensional y.
    n_features_in_ : int
    feature_names_in_ : ndarray
        Only if X was a DataFrame.
    label_names_ : ndarray of shape (n_labels,)
    thresholds_ : ndarray of shape (n_labels,)
    coef_ : ndarray of shape (n_labels, n_features)
    intercept_ : ndarray of shape (n_labels,)
    label_relations_ : sparse matrix of shape (n_labels, n_labels)
    n_iter_ : int
    report_ : dict

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from mugrad import MGDClassifier
    >>> X, y = make_multilabel_classification(random_state=1)
    >>> classifier = MGDClassifier().fit(X, y)
    >>> classifier.predict(X).shape
    (100, 5)
    """

    _method = "mgd"
    _arrays: ClassVar[frozenset[str]] = frozenset({"sigma", "positive_weight", "transfer"})

    def __init__(
        self,
        *,
        rho: float = 0.01,
        sigma: Any = 0.1,
        sigma_ratio: Optional[float] = None,
        transfer: Any = "cosine",
        neighbours: Optional[int] = None,
        transfer_intercept: bool = False,
        loss: str = "logistic",
        l1: float = 0.0,
        l1_sharpness: float = 100.0,
        positive_weight: Any = 1.0,
        representation: str = "zscore",
        scaling: Optional[str] = None,
        centres: int = 1500,
        width: float = 1.0,
        text_weight: float = 1.0,
        threshold: Union[float, str] = 0.5,
        solver: str = "accelerated",
        tol: float = 0.0001,
        max_iter: int = 10000,
        alpha: Optional[float] = None,
        start: str = "log-odds",
        random_state: Any = 1,
        precision: str = "auto",
        warm_start: bool = False,
        n_jobs: Optional[int] = None,
        verbose: int = 0,
    ) -> None:
        self.rho = rho
        self.sigma = sigma
        self.sigma_ratio = sigma_ratio
        self.transfer = transfer
        self.neighbours = neighbours
        self.transfer_intercept = transfer_intercept
        self.loss = loss
        self.l1 = l1
        self.l1_sharpness = l1_sharpness
        self.positive_weight = positive_weight
        self.representation = representation
        self.scaling = scaling
        self.centres = centres
        self.width = width
        self.text_weight = text_weight
        self.threshold = threshold
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.alpha = alpha
        self.start = start
        self.random_state = random_state
        self.precision = precision
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _gives_probabilities(self) -> bool:
        return self.loss == "logistic"

    def _extras(self, labels: int) -> dict[str, Any]:
        return {
            "sigmas": per_label("sigma", self.sigma, labels),
            "positive_weights": per_label("positive_weight", self.positive_weight, labels),
            "transfer": checked_transfer(self.transfer),
        }

    @property
    def label_relations_(self) -> sp.csr_matrix:
        """Which label borrows from which, labels by labels; each row sums to 1 or is empty."""
        return self._relations()


class BRClassifier(ContinuedClassifier):
    """Binary relevance: a logistic regression per label.

    Labels are independent (Boutell et al. 2004); a step is one pass over the data for all. The
    penalty is that of scikit-learn's ``LogisticRegression(C=1 / (n_samples * rho))``.

    Parameters
    ----------
    rho : float, default=0.01
        L2 strength, per example.
    weka_ridge : bool, default=False
        Use Weka's ridge of 1e-8 over the sum of the losses instead of rho.
    representation : {"zscore", "none", "unit", "tfidf", "unit-row", "gaussian"}, default="zscore"
        How features are represented.
    scaling : str or None, default=None
        The older name of ``representation``, which it replaces if it is not None.
    centres : int, default=1500
        Number of examples that Gaussian features are centred at, at most all.
    width : float, default=1.0
        The w of Gaussian features exp(-w |x - c|^2 / D); D is the median squared distance.
    text_weight : float, default=1.0
        Share of each text in the variance, as a multiple of that of the other features.
    threshold : float or "auto", default=0.5
        Labels with at least this score are predicted.
        "auto": inner folds choose it, and calibrate scores unless probabilities are right.
    tol : float, default=0.0001
        Stop when the residual is at most this fraction of its first value.
    max_iter : int, default=10000
        Maximum number of iterations.
    random_state : int, RandomState or None, default=1
        Seed of the centres of Gaussian features; None: a new seed each time.
    precision : {"auto", "float", "double"}, default="auto"
        Precision of the weights; "auto": single for a float32 X, otherwise double.
    warm_start : bool, default=False
        Start from the weights of the previous fit.
    n_jobs : int or None, default=None
        Number of threads, at most 1024; None and -1: all cores. Never changes a result.
    verbose : int, default=0
        Above 0: show progress.

    Attributes
    ----------
    classes_ : ndarray
        Indices of the labels, or the classes of a one-dimensional y.
    n_features_in_ : int
    feature_names_in_ : ndarray
        Only if X was a DataFrame.
    label_names_ : ndarray of shape (n_labels,)
    thresholds_ : ndarray of shape (n_labels,)
    coef_ : ndarray of shape (n_labels, n_features)
    intercept_ : ndarray of shape (n_labels,)
    n_iter_ : int
    report_ : dict

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from mugrad import BRClassifier
    >>> X, y = make_multilabel_classification(random_state=1)
    >>> classifier = BRClassifier().fit(X, y)
    >>> classifier.predict(X).shape
    (100, 5)
    """

    _method = "br"

    def __init__(
        self,
        *,
        rho: float = 0.01,
        weka_ridge: bool = False,
        representation: str = "zscore",
        scaling: Optional[str] = None,
        centres: int = 1500,
        width: float = 1.0,
        text_weight: float = 1.0,
        threshold: Union[float, str] = 0.5,
        tol: float = 0.0001,
        max_iter: int = 10000,
        random_state: Any = 1,
        precision: str = "auto",
        warm_start: bool = False,
        n_jobs: Optional[int] = None,
        verbose: int = 0,
    ) -> None:
        self.rho = rho
        self.weka_ridge = weka_ridge
        self.representation = representation
        self.scaling = scaling
        self.centres = centres
        self.width = width
        self.text_weight = text_weight
        self.threshold = threshold
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.precision = precision
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.verbose = verbose
