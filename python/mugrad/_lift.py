# SPDX-License-Identifier: MIT
"""Distances to cluster centres as features of a label."""

from __future__ import annotations

from typing import Any, Optional, Union

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
        representation: str = "zscore",
        scaling: Optional[str] = None,
        centres: int = 1500,
        width: float = 1.0,
        text_weight: float = 1.0,
        threshold: Union[float, str] = 0.5,
        max_iter: int = 100,
        random_state: Any = 1,
        n_jobs: Optional[int] = None,
        verbose: int = 0,
    ) -> None:
        self.ratio = ratio
        self.C = C
        self.representation = representation
        self.scaling = scaling
        self.centres = centres
        self.width = width
        self.text_weight = text_weight
        self.threshold = threshold
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
