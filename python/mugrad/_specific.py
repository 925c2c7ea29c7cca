# SPDX-License-Identifier: MIT
"""Label-specific features, and kernel machines."""

from __future__ import annotations

from typing import Any, Optional

from ._base import MugradClassifier


class LIFTClassifier(MugradClassifier):
    """LIFT: support vector machines on distances to cluster centres of each label's examples.

    Label-specific features (Zhang and Wu 2015), with probabilities by Platt scaling.

    Parameters
    ----------
    ratio : float, default=0.1
        Centres per example of a label's minority class.
    C : float, default=1.0
        Cost of a unit of hinge loss.
    scaling : {"zscore", "none", "unit-row"}, default="zscore"
        How features are scaled.
    threshold : float, default=0.5
        Labels with at least this score are predicted.
    max_iter : int, default=100
        Maximum number of k-means iterations.
    random_state : int, RandomState or None, default=1
        Seed of the random numbers; None: a new seed each time.
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
    >>> from mugrad import LIFTClassifier
    >>> X, y = make_multilabel_classification(random_state=1)
    >>> classifier = LIFTClassifier().fit(X, y)
    >>> classifier.predict(X).shape
    (100, 5)
    """

    _method = "lift"

    def __init__(
        self,
        *,
        ratio: float = 0.1,
        C: float = 1.0,
        scaling: str = "zscore",
        threshold: float = 0.5,
        max_iter: int = 100,
        random_state: Any = 1,
        n_jobs: Optional[int] = None,
        verbose: int = 0,
    ) -> None:
        self.ratio = ratio
        self.C = C
        self.scaling = scaling
        self.threshold = threshold
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class LLSFClassifier(MugradClassifier):
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
        L2 strength of the ridge regression that training starts from.
    indefinite : bool, default=False
        Use the authors' relation 1 - cosine, with which there may be no minimum.
    parity : bool, default=False
        Reproduce the authors' program step by step.
    scaling : {"zscore", "none", "unit-row"}, default="unit-row"
        How features are scaled.
    threshold : float, default=0.5
        Labels with at least this score are predicted.
    tol : float, default=1e-06
        Stop when the relative decrease of the objective is at most this.
    max_iter : int, default=2000
        Maximum number of iterations.
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
        scaling: str = "unit-row",
        threshold: float = 0.5,
        tol: float = 1e-06,
        max_iter: int = 2000,
        n_jobs: Optional[int] = None,
        verbose: int = 0,
    ) -> None:
        self.relation = relation
        self.sparsity = sparsity
        self.ridge = ridge
        self.indefinite = indefinite
        self.parity = parity
        self.scaling = scaling
        self.threshold = threshold
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _gives_probabilities(self) -> bool:
        return False


class LLSFDLClassifier(MugradClassifier):
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
        L2 strength of the ridge regression that training starts from.
    zero_diagonal : bool, default=True
        No label is explained by itself.
    indefinite : bool, default=False
        Use the authors' relation 1 - cosine, with which there may be no minimum.
    parity : bool, default=False
        Reproduce the authors' program step by step.
    scaling : {"zscore", "none", "unit-row"}, default="unit-row"
        How features are scaled.
    threshold : float, default=0.5
        Labels with at least this score are predicted.
    tol : float, default=1e-06
        Stop when the relative decrease of the objective is at most this.
    max_iter : int, default=2000
        Maximum number of iterations.
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
        scaling: str = "unit-row",
        threshold: float = 0.5,
        tol: float = 1e-06,
        max_iter: int = 2000,
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
        self.scaling = scaling
        self.threshold = threshold
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _gives_probabilities(self) -> bool:
        return False


class JFSCClassifier(MugradClassifier):
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
        L2 strength of the ridge regression that training starts from.
    smoothing : float, default=0.1
        The loss of distances below this is quadratic.
    indefinite : bool, default=False
        Use the authors' relation 1 - cosine, with which there may be no minimum.
    scaling : {"zscore", "none", "unit-row"}, default="unit-row"
        How features are scaled.
    threshold : float, default=0.5
        Labels with at least this score are predicted.
    tol : float, default=1e-05
        Stop when the relative decrease of the objective is at most this.
    max_iter : int, default=2000
        Maximum number of iterations.
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
        scaling: str = "unit-row",
        threshold: float = 0.5,
        tol: float = 1e-05,
        max_iter: int = 2000,
        n_jobs: Optional[int] = None,
        verbose: int = 0,
    ) -> None:
        self.relation = relation
        self.fisher = fisher
        self.sparsity = sparsity
        self.ridge = ridge
        self.smoothing = smoothing
        self.indefinite = indefinite
        self.scaling = scaling
        self.threshold = threshold
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _gives_probabilities(self) -> bool:
        return False


class CAMELClassifier(MugradClassifier):
    """CAMEL: a kernel machine whose outputs are mixed according to how labels explain each other.

    (Feng, An and He 2019.) Scores are near 1 for present labels and near -1 for others.
    Time and memory grow with the square of the number of examples.

    Parameters
    ----------
    collaboration : float, default=0.5
        How much of a label's score comes from other labels.
    lambda1 : float, default=1.0
        Strength of the fit to labels.
    lambda2 : float, default=0.1
        L2 strength of the kernel machine.
    scaling : {"zscore", "none", "unit-row"}, default="zscore"
        How features are scaled.
    threshold : float, default=0.0
        Labels with at least this score are predicted.
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
    >>> from mugrad import CAMELClassifier
    >>> X, y = make_multilabel_classification(random_state=1)
    >>> classifier = CAMELClassifier().fit(X, y)
    >>> classifier.predict(X).shape
    (100, 5)
    """

    _method = "camel"

    def __init__(
        self,
        *,
        collaboration: float = 0.5,
        lambda1: float = 1.0,
        lambda2: float = 0.1,
        scaling: str = "zscore",
        threshold: float = 0.0,
        n_jobs: Optional[int] = None,
        verbose: int = 0,
    ) -> None:
        self.collaboration = collaboration
        self.lambda1 = lambda1
        self.lambda2 = lambda2
        self.scaling = scaling
        self.threshold = threshold
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _gives_probabilities(self) -> bool:
        return False
