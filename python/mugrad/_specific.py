# SPDX-License-Identifier: MIT
"""Label-specific features."""

from __future__ import annotations

from typing import Any, Optional, Union

from ._base import ScoreClassifier
from ._camel import CAMELClassifier as CAMELClassifier  # older pickles name these here
from ._lift import LIFTClassifier as LIFTClassifier


class LLSFClassifier(ScoreClassifier):
    """LLSF: sparse least squares with label-specific features.

    Weights are sparse, and similar for labels that occur together (Huang et al. 2015). Scores are
    near 1 for present labels and near 0 for others; they are not probabilities.

    Parameters
    ----------
    relation : float, default=0.1
        How strongly the weights of labels that occur together are made similar.
    sparsity : float, default=0.1
        Penalty on the weights, relative to the sum of the losses.
    ridge : float, default=1.0
        L2 strength of the initial ridge regression.
    indefinite : bool, default=False
        Use the authors' relation 1 - cosine, with which there may be no minimum.
    parity : bool, default=False
        Reproduce the authors' program step by step.
    representation : {"zscore", "none", "unit", "tfidf", "unit-row", "gaussian"}, default="unit-row"
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
    tol : float, default=1e-06
        Stop when the relative decrease of the objective is at most this.
    max_iter : int, default=2000
        Maximum number of iterations.
    random_state : int, RandomState or None, default=1
        Seed of the centres of Gaussian features; None: a new seed each time.
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
    >>> from mugrad import LLSFClassifier
    >>> X, y = make_multilabel_classification(random_state=1)
    >>> classifier = LLSFClassifier().fit(X, y)
    >>> classifier.predict(X).shape
    (100, 5)
    """

    _method = "llsf"

    def __init__(
        self,
        *,
        relation: float = 0.1,
        sparsity: float = 0.1,
        ridge: float = 1.0,
        indefinite: bool = False,
        parity: bool = False,
        representation: str = "unit-row",
        scaling: Optional[str] = None,
        centres: int = 1500,
        width: float = 1.0,
        text_weight: float = 1.0,
        threshold: Union[float, str] = 0.5,
        tol: float = 1e-06,
        max_iter: int = 2000,
        random_state: Any = 1,
        n_jobs: Optional[int] = None,
        verbose: int = 0,
    ) -> None:
        self.relation = relation
        self.sparsity = sparsity
        self.ridge = ridge
        self.indefinite = indefinite
        self.parity = parity
        self.representation = representation
        self.scaling = scaling
        self.centres = centres
        self.width = width
        self.text_weight = text_weight
        self.threshold = threshold
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class LLSFDLClassifier(ScoreClassifier):
    """LLSF-DL: LLSF whose labels also depend on each other.

    Label-specific features and class-dependent labels (Huang et al. 2016). Scores are near 1 for
    present labels and near 0 for others; they are not probabilities.

    Parameters
    ----------
    relation : float, default=0.1
        How strongly the weights of labels that occur together are made similar.
    sparsity : float, default=0.1
        Penalty on the weights, relative to the sum of the losses.
    label_sparsity : float, default=16.0
        Penalty on the weights between labels.
    ridge : float, default=1.0
        L2 strength of the initial ridge regression.
    zero_diagonal : bool, default=True
        No label is explained by itself.
    indefinite : bool, default=False
        Use the authors' relation 1 - cosine, with which there may be no minimum.
    parity : bool, default=False
        Reproduce the authors' program step by step.
    representation : {"zscore", "none", "unit", "tfidf", "unit-row", "gaussian"}, default="unit-row"
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
    tol : float, default=1e-06
        Stop when the relative decrease of the objective is at most this.
    max_iter : int, default=2000
        Maximum number of iterations.
    random_state : int, RandomState or None, default=1
        Seed of the centres of Gaussian features; None: a new seed each time.
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
    >>> from mugrad import LLSFDLClassifier
    >>> X, y = make_multilabel_classification(random_state=1)
    >>> classifier = LLSFDLClassifier().fit(X, y)
    >>> classifier.predict(X).shape
    (100, 5)
    """

    _method = "llsf-dl"

    def __init__(
        self,
        *,
        relation: float = 0.1,
        sparsity: float = 0.1,
        label_sparsity: float = 16.0,
        ridge: float = 1.0,
        zero_diagonal: bool = True,
        indefinite: bool = False,
        parity: bool = False,
        representation: str = "unit-row",
        scaling: Optional[str] = None,
        centres: int = 1500,
        width: float = 1.0,
        text_weight: float = 1.0,
        threshold: Union[float, str] = 0.5,
        tol: float = 1e-06,
        max_iter: int = 2000,
        random_state: Any = 1,
        n_jobs: Optional[int] = None,
        verbose: int = 0,
    ) -> None:
        self.relation = relation
        self.sparsity = sparsity
        self.label_sparsity = label_sparsity
        self.ridge = ridge
        self.zero_diagonal = zero_diagonal
        self.indefinite = indefinite
        self.parity = parity
        self.representation = representation
        self.scaling = scaling
        self.centres = centres
        self.width = width
        self.text_weight = text_weight
        self.threshold = threshold
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class JFSCClassifier(ScoreClassifier):
    """JFSC: joint feature selection and classification, sparse and robust; experimental.

    A reconstruction of Huang et al. (2018). Scores are near 1 for present labels and near 0
    for others; they are not probabilities.

    Parameters
    ----------
    relation : float, default=0.1
        How strongly the weights of labels that occur together are made similar.
    fisher : float, default=0.01
        Penalty on the weights of features that vary within the classes of a label.
    sparsity : float, default=0.1
        Penalty on the weights, relative to the sum of the losses.
    ridge : float, default=1.0
        L2 strength of the initial ridge regression.
    smoothing : float, default=0.1
        The loss of distances below this is quadratic.
    indefinite : bool, default=False
        Use the authors' relation 1 - cosine, with which there may be no minimum.
    representation : {"zscore", "none", "unit", "tfidf", "unit-row", "gaussian"}, default="unit-row"
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
    tol : float, default=1e-05
        Stop when the relative decrease of the objective is at most this.
    max_iter : int, default=2000
        Maximum number of iterations.
    random_state : int, RandomState or None, default=1
        Seed of the centres of Gaussian features; None: a new seed each time.
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
    >>> from mugrad import JFSCClassifier
    >>> X, y = make_multilabel_classification(random_state=1)
    >>> classifier = JFSCClassifier().fit(X, y)
    >>> classifier.predict(X).shape
    (100, 5)
    """

    _method = "jfsc"

    def __init__(
        self,
        *,
        relation: float = 0.1,
        fisher: float = 0.01,
        sparsity: float = 0.1,
        ridge: float = 1.0,
        smoothing: float = 0.1,
        indefinite: bool = False,
        representation: str = "unit-row",
        scaling: Optional[str] = None,
        centres: int = 1500,
        width: float = 1.0,
        text_weight: float = 1.0,
        threshold: Union[float, str] = 0.5,
        tol: float = 1e-05,
        max_iter: int = 2000,
        random_state: Any = 1,
        n_jobs: Optional[int] = None,
        verbose: int = 0,
    ) -> None:
        self.relation = relation
        self.fisher = fisher
        self.sparsity = sparsity
        self.ridge = ridge
        self.smoothing = smoothing
        self.indefinite = indefinite
        self.representation = representation
        self.scaling = scaling
        self.centres = centres
        self.width = width
        self.text_weight = text_weight
        self.threshold = threshold
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
