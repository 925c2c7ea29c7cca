# SPDX-License-Identifier: MIT
"""Scikit-learn's logistic regressions, one per label, with their defaults."""
import warnings

from scipy import sparse
from sklearn import metrics
from sklearn.datasets import load_svmlight_files
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import MultiLabelBinarizer, StandardScaler

ITERATIONS = 10000
SPARSE_BELOW = 0.2


def read(split):
    """Features and labels of both parts."""
    files = [str(split.file(part, "svm")) for part in ["train", "test"]]
    x_train, y_train, x_test, y_test = load_svmlight_files(files, multilabel=True,
                                                           zero_based=False)
    labels = len(split.file("test", "xml").read_text(encoding="utf-8").split("<label ")) - 1
    binarizer = MultiLabelBinarizer(classes=range(labels))
    if x_train.nnz > SPARSE_BELOW * x_train.shape[0] * x_train.shape[1]:
        x_train, x_test = x_train.toarray(), x_test.toarray()
    return (x_train, binarizer.fit_transform(y_train).astype(int), x_test,
            binarizer.fit_transform(y_test).astype(int))


def scores_of(truths, scores, predicted):
    """The conventions are those of Mugrad's default; see docs/metrics.md."""
    labels = truths.shape[1]
    with_labels = truths.any(axis=1).mean()
    return {
        "average-precision": metrics.label_ranking_average_precision_score(truths, scores),
        "macro-f1": metrics.f1_score(truths, predicted, average="macro", zero_division=0),
        "micro-f1": metrics.f1_score(truths, predicted, average="micro", zero_division=0),
        "coverage": (metrics.coverage_error(truths, scores) - with_labels) / labels,
        "ranking-loss": metrics.label_ranking_loss(truths, scores),
    }


def scikit_learn(split, is_standardised):
    """Metrics and probabilities; a label with one class in training has probability 0 or 1."""
    x_train, y_train, x_test, y_test = read(split)
    if is_standardised:
        # Sparse features keep their zeros: the intercept, which is not penalised, makes up for it.
        scaler = StandardScaler(with_mean=not sparse.issparse(x_train)).fit(x_train)
        x_train, x_test = scaler.transform(x_train), scaler.transform(x_test)
    classifier = OneVsRestClassifier(LogisticRegression(max_iter=ITERATIONS),
                                     n_jobs=split.given.threads)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Label .* is present in all training examples")
        warnings.filterwarnings("ignore", message="Label not .* is present in all training")
        classifier.fit(x_train, y_train)
    scores = classifier.predict_proba(x_test)
    return scores_of(y_test, scores, classifier.predict(x_test)), scores.tolist()
