# SPDX-License-Identifier: MIT
"""A kernel machine whose labels work together."""

from __future__ import annotations

from typing import Any, Optional, Union

from ._base import ScoreClassifier


class CAMELClassifier(ScoreClassifier):
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
    threshold : float or "auto", default=0.0
        Labels with at least this score are predicted.
        "auto": inner folds choose it, and calibrate scores unless probabilities are right.
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
        representation: str = "zscore",
        scaling: Optional[str] = None,
        centres: int = 1500,
        width: float = 1.0,
        text_weight: float = 1.0,
        threshold: Union[float, str] = 0.0,
        random_state: Any = 1,
        n_jobs: Optional[int] = None,
        verbose: int = 0,
    ) -> None:
        self.collaboration = collaboration
        self.lambda1 = lambda1
        self.lambda2 = lambda2
        self.representation = representation
        self.scaling = scaling
        self.centres = centres
        self.width = width
        self.text_weight = text_weight
        self.threshold = threshold
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
