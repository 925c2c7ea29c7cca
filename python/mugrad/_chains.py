# SPDX-License-Identifier: MIT
"""Classifier chains."""

from __future__ import annotations

from typing import Any, Optional, Union

from ._base import MugradClassifier, WeightedClassifier


class CCClassifier(WeightedClassifier):
    """Classifier chain: each label depends on the labels before it.

    Each label has a logistic regression (Read et al. 2011) on the features and on the labels
    before it in a chain: their true values in training, their predicted values afterwards.

    Parameters
    ----------
    rho : float, default=0.01
        L2 strength, per example.
    weka_ridge : bool, default=False
        Use Weka's ridge of 1e-8 over the sum of the losses instead of rho.
    random_order : bool, default=False
        Use a random order instead of the order of the data.
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
        Seed of the random numbers; None: a new seed each time.
    precision : {"auto", "float", "double"}, default="auto"
        Precision of the weights; "auto": single for a float32 X, otherwise double.
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
    n_iter_ : int
    report_ : dict

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from mugrad import CCClassifier
    >>> X, y = make_multilabel_classification(random_state=1)
    >>> classifier = CCClassifier().fit(X, y)
    >>> classifier.predict(X).shape
    (100, 5)
    """

    _method = "cc"

    def __init__(
        self,
        *,
        rho: float = 0.01,
        weka_ridge: bool = False,
        random_order: bool = False,
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
        n_jobs: Optional[int] = None,
        verbose: int = 0,
    ) -> None:
        self.rho = rho
        self.weka_ridge = weka_ridge
        self.random_order = random_order
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
        self.n_jobs = n_jobs
        self.verbose = verbose


class ECCClassifier(MugradClassifier):
    """Ensemble of classifier chains.

    Each member has its own sample of examples and its own chain (Read et al. 2011); scores are
    means over the members.

    Parameters
    ----------
    n_estimators : int, default=30
        Number of chains.
    rho : float, default=0.01
        L2 strength, per example.
    weka_ridge : bool, default=False
        Use Weka's ridge of 1e-8 over the sum of the losses instead of rho.
    sampling : {"bootstrap", "subset", "none"}, default="bootstrap"
        How the examples of each chain are drawn.
    vote : {"probability", "label"}, default="probability"
        Whether a chain votes with its probability or with 0 and 1.
    random_order : bool, default=True
        Use a random order instead of the order of the data.
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
        Seed of the random numbers; None: a new seed each time.
    precision : {"auto", "float", "double"}, default="auto"
        Precision of the weights; "auto": single for a float32 X, otherwise double.
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
    n_iter_ : int
    report_ : dict

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from mugrad import ECCClassifier
    >>> X, y = make_multilabel_classification(random_state=1)
    >>> classifier = ECCClassifier().fit(X, y)
    >>> classifier.predict(X).shape
    (100, 5)
    """

    _method = "ecc"

    def __init__(
        self,
        *,
        n_estimators: int = 30,
        rho: float = 0.01,
        weka_ridge: bool = False,
        sampling: str = "bootstrap",
        vote: str = "probability",
        random_order: bool = True,
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
        n_jobs: Optional[int] = None,
        verbose: int = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.rho = rho
        self.weka_ridge = weka_ridge
        self.sampling = sampling
        self.vote = vote
        self.random_order = random_order
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
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _gives_probabilities(self) -> bool:
        return self.vote == "probability"
