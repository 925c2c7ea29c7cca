# SPDX-License-Identifier: MIT
"""Multi-label learning in which related labels share what they learn.

>>> from sklearn.datasets import make_multilabel_classification
>>> import mugrad
>>> X, y = make_multilabel_classification(random_state=1)
>>> classifier = mugrad.MGDClassifier().fit(X, y)
>>> classifier.predict_proba(X).shape
(100, 5)
"""

from ._camel import CAMELClassifier
from ._chains import CCClassifier, ECCClassifier
from ._core import DivergenceError, InputError, __version__
from ._files import load, save
from ._labelsets import CLRClassifier, LPClassifier, RAkELClassifier
from ._lift import LIFTClassifier
from ._memory import set_memory_limit
from ._mgd import BRClassifier, MGDClassifier
from ._neighbours import MLkNNClassifier
from ._onnx import export_onnx
from ._regression import MGDRegressor
from ._specific import JFSCClassifier, LLSFClassifier, LLSFDLClassifier
from ._table import TableVectorizer
from ._targets import label_sets

__all__ = [
    "BRClassifier",
    "CAMELClassifier",
    "CCClassifier",
    "CLRClassifier",
    "DivergenceError",
    "ECCClassifier",
    "InputError",
    "JFSCClassifier",
    "LIFTClassifier",
    "LLSFClassifier",
    "LLSFDLClassifier",
    "LPClassifier",
    "MGDClassifier",
    "MGDRegressor",
    "MLkNNClassifier",
    "RAkELClassifier",
    "TableVectorizer",
    "__version__",
    "export_onnx",
    "label_sets",
    "load",
    "save",
    "set_memory_limit",
]
