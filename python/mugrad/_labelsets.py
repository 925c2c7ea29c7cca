# SPDX-License-Identifier: MIT
"""Combinations and pairs of labels."""

from __future__ import annotations

from typing import Any, Optional, Union

from ._base import MugradClassifier, ScoreClassifier


class LPClassifier(MugradClassifier):
    """Label powerset: every combination of labels that occurs is a class.

    One softmax regression distinguishes the combinations (Boutell et al. 2004).

    Parameters
    ----------
    rho : float, default=0.01
        L2 strength, per example.
    label_score : {"marginal", "votes", "confidence"}, default="marginal"
        How the probabilities of classes become scores of labels.
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
    >>> from mugrad import LPClassifier
    >>> X, y = make_multilabel_classification(random_state=1)
    >>> classifier = LPClassifier().fit(X, y)
    >>> classifier.predict(X).shape
    (100, 5)
    """

    _method = "lp"

    def __init__(
        self,
        *,
        rho: float = 0.01,
        label_score: str = "marginal",
        representation: str = "zscore",
        scaling: Optional[str] = None,
        centres: int = 1500,
        width: float = 1.0,
        text_weight: float = 1.0,
        threshold: Union[float, str] = 0.5,
        tol: float = 0.0001,
        max_iter: int = 10000,
        random_state: Any = 1,
        n_jobs: Optional[int] = None,
        verbose: int = 0,
    ) -> None:
        self.rho = rho
        self.label_score = label_score
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

    def _gives_probabilities(self) -> bool:
        return self.label_score == "marginal"


class RAkELClassifier(MugradClassifier):
    """Random k-labelsets: label powersets of small random sets of labels.

    (Tsoumakas et al. 2011.) Scores are means over the sets that contain the label.

    Parameters
    ----------
    labels_per_set : int, default=3
        Number of labels in a set; if there are no more labels than this, all of them are the
        only set, with a warning.
    sets : int, default=0
        Number of labelsets; 0: two per label, or all possible sets.
    disjoint : bool, default=False
        Use sets that have no label in common.
    label_score : {"marginal", "votes", "confidence"}, default="marginal"
        How the probabilities of classes become scores of labels.
    cover : bool, default=False
        Draw labels equally often, so that each is in a set.
    rho : float, default=0.01
        L2 strength, per example.
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
    random_state : int, RandomState or None, default=1
        Seed of the random numbers; None: a new seed each time.
    tol : float, default=0.0001
        Stop when the residual is at most this fraction of its first value.
    max_iter : int, default=10000
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
    >>> from mugrad import RAkELClassifier
    >>> X, y = make_multilabel_classification(random_state=1)
    >>> classifier = RAkELClassifier().fit(X, y)
    >>> classifier.predict(X).shape
    (100, 5)
    """

    _method = "rakel"

    def __init__(
        self,
        *,
        labels_per_set: int = 3,
        sets: int = 0,
        disjoint: bool = False,
        label_score: str = "marginal",
        cover: bool = False,
        rho: float = 0.01,
        representation: str = "zscore",
        scaling: Optional[str] = None,
        centres: int = 1500,
        width: float = 1.0,
        text_weight: float = 1.0,
        threshold: Union[float, str] = 0.5,
        random_state: Any = 1,
        tol: float = 0.0001,
        max_iter: int = 10000,
        n_jobs: Optional[int] = None,
        verbose: int = 0,
    ) -> None:
        self.labels_per_set = labels_per_set
        self.sets = sets
        self.disjoint = disjoint
        self.label_score = label_score
        self.cover = cover
        self.rho = rho
        self.representation = representation
        self.scaling = scaling
        self.centres = centres
        self.width = width
        self.text_weight = text_weight
        self.threshold = threshold
        self.random_state = random_state
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _gives_probabilities(self) -> bool:
        return self.label_score == "marginal"


class CLRClassifier(ScoreClassifier):
    """Calibrated label ranking: votes of regressions for pairs of labels.

    (Fuernkranz et al. 2008.) Scores count votes, so there is no ``predict_proba``.

    Parameters
    ----------
    rho : float, default=0.01
        L2 strength, per example.
    weka_ridge : bool, default=False
        Use Weka's ridge of 1e-8 over the sum of the losses instead of rho.
    vote : {"label", "probability"}, default="label"
        The vote of a regression: 1 for the preferred label, or its probability.
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
    >>> from mugrad import CLRClassifier
    >>> X, y = make_multilabel_classification(random_state=1)
    >>> classifier = CLRClassifier().fit(X, y)
    >>> classifier.predict(X).shape
    (100, 5)
    """

    _method = "clr"

    def __init__(
        self,
        *,
        rho: float = 0.01,
        weka_ridge: bool = False,
        vote: str = "label",
        representation: str = "zscore",
        scaling: Optional[str] = None,
        centres: int = 1500,
        width: float = 1.0,
        text_weight: float = 1.0,
        threshold: Union[float, str] = 0.5,
        tol: float = 0.0001,
        max_iter: int = 10000,
        random_state: Any = 1,
        n_jobs: Optional[int] = None,
        verbose: int = 0,
    ) -> None:
        self.rho = rho
        self.weka_ridge = weka_ridge
        self.vote = vote
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
