# SPDX-License-Identifier: MIT
"""With the rest of scikit-learn."""
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from conftest import learnable
from mugrad import BRClassifier, CAMELClassifier, LIFTClassifier, MGDClassifier, MGDRegressor
from mugrad._files import CLASSIFIERS


@pytest.mark.parametrize("estimator", [*CLASSIFIERS, MGDRegressor])
def test_pickled_estimators_predict_the_same(estimator, data):
    X, y = data
    fitted = estimator().fit(pd.DataFrame(X).add_prefix("f"), pd.DataFrame(y).add_prefix("l"))
    again = pickle.loads(pickle.dumps(fitted))
    frame = pd.DataFrame(X).add_prefix("f")
    np.testing.assert_array_equal(again.predict(frame), fitted.predict(frame))
    assert again.model_.label_names == [f"l{k}" for k in range(5)]
    assert again.model_.to_bytes() == fitted.model_.to_bytes()


def test_a_pickle_holds_the_bytes_of_the_model_file(data, tmp_path):
    X, y = data
    fitted = MGDClassifier().fit(X, y)
    fitted.save(tmp_path / "model.mugrad")
    assert (tmp_path / "model.mugrad").read_bytes() in pickle.dumps(fitted, protocol=5)


def test_pickles_that_name_former_modules_are_read():
    assert pickle.loads(b"cmugrad._specific\nCAMELClassifier\n.") is CAMELClassifier
    assert pickle.loads(b"cmugrad._specific\nLIFTClassifier\n.") is LIFTClassifier


@pytest.mark.parametrize("estimator", [*CLASSIFIERS, MGDRegressor])
def test_clones_have_the_parameters_and_nothing_else(estimator, data):
    fitted = estimator(n_jobs=1).fit(*data)
    other = clone(fitted)
    assert other.get_params() == fitted.get_params()
    assert not hasattr(other, "model_")


def test_pipeline_of_text_keeps_features_sparse():
    texts = ["red green", "green", "blue red", "blue", "red", "green blue"] * 10
    labels = [set(text.split()) for text in texts]
    pipeline = make_pipeline(TfidfVectorizer(dtype=np.float32), MGDClassifier())
    pipeline.fit(texts, labels)
    assert list(pipeline[-1].label_names_) == ["blue", "green", "red"]
    assert pipeline[-1].model_.weights.dtype == np.float32
    assert pipeline.predict(["blue"]) == [{"blue"}]


def test_frames_of_a_pipeline_keep_their_names(data):
    X, y = data
    frame = pd.DataFrame(X).add_prefix("f")
    pipeline = make_pipeline(StandardScaler(), MGDClassifier()).set_output(transform="pandas")
    pipeline.fit(frame, y)
    assert list(pipeline[-1].feature_names_in_) == list(frame.columns)


def test_grid_search_over_transfer_strengths():
    X, y = learnable()
    search = GridSearchCV(
        MGDClassifier(), {"sigma": [0, 0.1], "rho": [0.01, 1.0]}, scoring="f1_micro", cv=3, n_jobs=2
    )
    search.fit(X, y)
    assert search.best_params_["rho"] == 0.01
    assert search.best_score_ > 0.7
    assert search.predict(X).shape == y.shape


@pytest.mark.parametrize("method", ["predict", "predict_proba", "decision_function"])
def test_cross_val_predict_gives_a_column_per_label(method):
    X, y = learnable()
    assert cross_val_predict(MGDClassifier(), X, y, cv=3, method=method).shape == y.shape


@pytest.mark.parametrize(
    "scoring", ["accuracy", "f1_macro", "average_precision", "roc_auc", "neg_log_loss"]
)
def test_scorers_know_the_predictions(scoring):
    X, y = learnable()
    if scoring == "neg_log_loss":
        y = y[:, 0]
    assert np.isfinite(cross_val_score(BRClassifier(), X, y, scoring=scoring, cv=3)).all()


def test_it_may_be_the_estimator_of_others():
    X, y = learnable()
    ours = MultiOutputClassifier(BRClassifier()).fit(X, y)
    np.testing.assert_array_equal(ours.predict(X), BRClassifier().fit(X, y).predict(X))
