# SPDX-License-Identifier: MIT
"""Splits that keep every label's share, and thresholds chosen by inner folds."""

from __future__ import annotations

from ._splits import (
    IterativeStratifiedKFold,
    IterativeStratifiedShuffleSplit,
    SplitQuality,
    split_quality,
    train_test_split,
)
from ._thresholds import ThresholdClassifier

__all__ = [
    "IterativeStratifiedKFold",
    "IterativeStratifiedShuffleSplit",
    "SplitQuality",
    "ThresholdClassifier",
    "split_quality",
    "train_test_split",
]
