# SPDX-License-Identifier: MIT
"""Mistakes are answered as scikit-learn's users expect."""
import inspect

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError

import mugrad
from mugrad import BRClassifier, CCClassifier, ECCClassifier, JFSCClassifier, LPClassifier
from mugrad import MGDClassifier, MGDRegressor, RAkELClassifier, TableVectorizer, _core, datasets
from mugrad._files import CLASSIFIERS
from mugrad._options import table


@pytest.mark.parametrize("estimator", [*CLASSIFIERS, MGDRegressor])
def test_unfitted_estimators_say_so(estimator, data):
    X, _ = data
    with pytest.raises(NotFittedError, match="not fitted yet"):
        estimator().predict(X)
    assert not hasattr(estimator(), "coef_")
    assert not hasattr(estimator(), "report_")


@pytest.mark.parametrize("estimator", [*CLASSIFIERS, MGDRegressor])
def test_features_that_are_not_finite_are_refused(estimator, data):
    X, y = data
    for bad, words in ((np.nan, "Input X contains NaN"), (np.inf, "Input X contains infinity")):
        wrong = X.copy()
        wrong[3, 2] = bad
        with pytest.raises(ValueError, match=words):
            estimator().fit(wrong, y)
        with pytest.raises(ValueError, match="contains"):
            estimator().fit(sp.csr_matrix(wrong), y)
        with pytest.raises(ValueError, match=words):
            estimator().fit(X, y).predict(wrong)


@pytest.mark.parametrize("estimator", [*CLASSIFIERS, MGDRegressor])
def test_other_numbers_of_features_are_refused(estimator, data):
    X, y = data
    fitted = estimator().fit(X, y)
    with pytest.raises(ValueError, match="X has 19 features, but .* is expecting 20 features"):
        fitted.predict(X[:, :19])


@pytest.mark.parametrize("value", [2, -1, 0.5])
def test_labels_other_than_0_1_and_nan_are_refused_where_they_stand(value, data):
    X, y = data
    wrong = y.astype(float)
    wrong[4, 3] = value
    for form in (wrong, sp.csr_matrix(wrong), wrong.tolist()):
        with pytest.raises(ValueError, match=f"got {float(value)} for label 3 of example 4"):
            MGDClassifier().fit(X, form)
    wrong[4, 3] = np.inf
    with pytest.raises(ValueError, match="inf"):
        MGDClassifier().fit(X, wrong)


def test_shapes_that_do_not_fit_are_refused(data):
    X, y = data
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        MGDClassifier().fit(X, y[:-1])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        MGDClassifier().fit(X, sp.csr_matrix(y[:-1]))
    with pytest.raises(ValueError, match="Expected 2D array"):
        MGDClassifier().fit(X[0], y)
    with pytest.raises(ValueError, match="no labels"):
        MGDClassifier().fit(X, y[:, :0])
    with pytest.raises(ValueError, match="no labels"):
        MGDClassifier().fit(X, [set()] * len(X))
    with pytest.raises(ValueError, match="requires y"):
        MGDClassifier().fit(X, None)
    with pytest.raises(ValueError):
        MGDClassifier().fit(X, [["a"], 3] * 50)
    with pytest.raises(ValueError, match="0, 1, or NaN"):
        MGDClassifier().fit(X, np.full(y.shape, "a"))


def test_real_numbers_are_no_classes(data):
    X, _ = data
    with pytest.raises(ValueError, match="Unknown label type"):
        MGDClassifier().fit(X, X[:, 0] + 0.5)


def test_unknown_labels_are_refused_by_methods_that_need_all(data):
    X, y = data
    partly = y.astype(float)
    partly[0, 0] = np.nan
    for estimator in (CCClassifier, LPClassifier):
        with pytest.raises(mugrad.InputError, match="requires all labels to be known"):
            estimator().fit(X, partly)
    assert issubclass(mugrad.InputError, ValueError)
    assert issubclass(mugrad.DivergenceError, ArithmeticError)


def test_options_out_of_range_are_value_errors_that_name_them(data):
    X, y = data
    with pytest.raises(ValueError, match="rho must be >= 0, got -1"):
        MGDClassifier(rho=-1).fit(X, y)
    with pytest.raises(ValueError, match="rho"):
        BRClassifier(rho="much").fit(X, y)
    with pytest.raises(ValueError, match="n_jobs == 0"):
        MGDClassifier(n_jobs=0).fit(X, y)
    with pytest.raises(ValueError, match="k"):
        MGDClassifier().fit(X, y).predict_top_k(X, 0)


@pytest.mark.parametrize(
    "estimator, name",
    [
        (MGDRegressor(sigma=[0.0] * 5), "sigma"),
        (MGDClassifier(threshold=[0.1] * 5), "threshold"),
        (MGDClassifier(representation=["none"]), "representation"),
        (BRClassifier(rho=[0.1, 0.2]), "rho"),
        (CCClassifier(tol=np.array([0.1])), "tol"),
    ],
    ids=str,
)
def test_arrays_are_refused_where_one_value_is_meant(estimator, name, data):
    with pytest.raises(ValueError, match=f"{name} must be a single value, got"):
        estimator.fit(*data)


@pytest.mark.parametrize("name", ["sigma", "positive_weight"])
@pytest.mark.parametrize("value", [[], [0.1] * 4, [[0.1] * 5], np.full((5, 1), 0.1)], ids=str)
def test_values_per_label_of_another_shape_are_refused(name, value, data):
    with pytest.raises(ValueError, match=f"{name} must be a number, or one for each of 5 labels"):
        MGDClassifier(**{name: value}).fit(*data)


@pytest.mark.parametrize("estimator", [*CLASSIFIERS, MGDRegressor])
def test_refusals_speak_of_parameters_and_not_of_flags(estimator, data):
    X, y = data
    for name, option in table(estimator._method).items():
        is_flag = option["choices"] == ["true", "false"]
        if name == "random_state" or (option["choices"] and not is_flag):
            continue
        with pytest.raises(ValueError, match=f"^{name} must be") as refusal:
            estimator(**{name: "several"}).fit(X, y)
        assert "--" not in str(refusal.value)


@pytest.mark.parametrize(
    "estimator, words",
    [
        (MGDClassifier(max_iter=0), "^max_iter must be >= 1, got 0"),
        (MGDClassifier(l1_sharpness=0), "^l1_sharpness must be > 0, got 0"),
        (BRClassifier(tol=-1), r"^tol must be in \[0, 1\), got -1"),
        (MGDRegressor(tol=1.0), r"^tol must be in \[0, 1\), got 1"),
        (ECCClassifier(n_estimators=0), r"^n_estimators must be in \[1, 100000\], got 0"),
        (RAkELClassifier(labels_per_set=0), "^labels_per_set must be >= 1, got 0"),
        (JFSCClassifier(max_iter=1.5), "^max_iter must be a whole number, got '1.5'"),
    ],
    ids=str,
)
def test_values_out_of_range_are_refused_by_the_parameters_names(estimator, words, data):
    with pytest.raises(ValueError, match=words):
        estimator.fit(*data)


def test_every_option_in_a_message_is_a_parameter_or_cannot_be_reached():
    known = {*inspect.signature(datasets.load).parameters}
    known |= {*inspect.signature(datasets.fetch).parameters}
    known |= {*inspect.signature(TableVectorizer).parameters}
    others = {field for field, name in _core.OPTION_PARAMETERS.items() if name not in known}
    # Of the program's results files and reports, and of training on many ranks.
    assert others == {
        "ResultsFile::resume",
        "TableFormat",
        "ComparisonOptions::different_options",
        "SharingOptions::row_shards",
    }
    assert len(_core.OPTION_PARAMETERS) > len(others)


@pytest.mark.parametrize(
    "name, text, options, words",
    [
        ("a.csv", "x,y\n,1\n2,0\n", {"n_labels": -1, "missing": "refuse"}, "missing='median' replaces it by the median"),
        ("a.csv", "x,y\n1,1\n", {}, "select them with label_columns=NAMES, n_labels=N (the first N, or the last -N) or tags=NAME"),
        ("a.arff", "@relation a\n@attribute x numeric\n@data\n1\n", {}, "labels_xml=FILE.xml, "),
        ("a.jsonl", '{"x":1,"y":1}\n{"x":{"z":1},"y":0}\n', {"label_columns": ["x", "y"]}, "drop=['x'] leaves out the other values"),
        ("a.csv", "x,y\n1,1\n", {"n_labels": 1, "missing": "zero"}, "missing must be median, mean, keep or refuse, got 'zero'"),
        ("a.csv", "x,y\n1,1\n", {"n_labels": 9}, "n_labels 9 asks for more labels"),
        ("a.csv", "x,y\n1,1\n", {"n_labels": 1, "drop": ["z"]}, "drop names 'z'"),
        ("a.csv", "x,y\n1,1\n", {"n_labels": 1, "label_columns": "y"}, "labels_xml, label_columns, n_labels and tags each"),
        ("a.svm", "1:1\n", {}, "set the number of labels with n_labels=N"),
        ("a.svm", "0 1:1\n", {"drop": ["x"]}, "drop names columns"),
        ("a.bin", "what is this", {}, "; set it with format"),
    ],
)
def test_refusals_of_files_speak_of_parameters(tmp_path, name, text, options, words):
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError) as refusal:
        datasets.load(tmp_path / name, **options)
    assert words in str(refusal.value) and "--" not in str(refusal.value)


def test_warnings_and_the_source_of_labels_speak_of_parameters(tmp_path):
    rows = "".join(f"name{i},{i % 3},{i % 2}\n" for i in range(40))
    (tmp_path / "ids.csv").write_text("id,a,label\n" + rows)
    with pytest.warns(UserWarning, match="keep_ids keeps it"):
        assert datasets.load(tmp_path / "ids.csv", n_labels=-1).target_from == "n_labels=-1"


def test_divergence_is_an_arithmetic_error(data):
    X, y = data
    with pytest.raises(mugrad.DivergenceError):
        MGDClassifier(
            solver="plain", alpha=1e6, loss="squared", scaling="none", start="zero", max_iter=500
        ).fit(X, y)


def test_weights_that_cannot_be_are_refused(data):
    X, y = data
    with pytest.raises(ValueError, match="Negative values in data passed to `sample_weight`"):
        MGDClassifier().fit(X, y, sample_weight=-np.ones(len(X)))
    with pytest.raises(ValueError, match="at least one non-zero"):
        MGDClassifier().fit(X, y, sample_weight=np.zeros(len(X)))
    with pytest.raises(ValueError, match="sample_weight"):
        MGDClassifier().fit(X, y, sample_weight=np.ones(3))


def test_files_that_cannot_be_read_or_written_are_os_errors(data, tmp_path):
    X, y = data
    with pytest.raises(FileNotFoundError):
        mugrad.load(tmp_path / "none.mugrad")
    with pytest.raises(IsADirectoryError):
        mugrad.load(tmp_path)
    with pytest.raises(OSError, match="none"):
        MGDClassifier().fit(X, y).save(tmp_path / "none" / "model.mugrad")
    (tmp_path / "text.mugrad").write_text("no model")
    with pytest.raises(mugrad.InputError, match="text.mugrad"):
        mugrad.load(tmp_path / "text.mugrad")


def test_the_core_refuses_what_python_has_not_prepared(data):
    X, y = data
    core = mugrad._core
    fitted = BRClassifier().fit(X, y)
    with pytest.raises(TypeError, match="C order"):
        core.fit("br", np.asfortranarray(X), y, {})
    with pytest.raises(TypeError, match="float32 or float64"):
        core.fit("br", sp.csr_matrix(y), y, {})
    for column in (1000, -1, 2**32):
        broken = sp.csr_matrix(X)
        if column >= 2**31:
            broken.indices = broken.indices.astype(np.int64)
        broken.indices[0] = column
        with pytest.raises(ValueError, match="must ascend"):
            core.fit("br", broken, y, {})
        with pytest.raises(ValueError, match="row 0 has an entry in column"):
            fitted.model_.predict(broken)
    wide = sp.csr_matrix((len(X), 2**31), dtype=np.float32)
    with pytest.raises(ValueError, match="2147483647 columns, got 2147483648"):
        core.fit("br", wide, y, {})
    with pytest.raises(ValueError, match="different numbers of rows"):
        core.fit("br", X, y[:-1], {})
    with pytest.raises(ValueError, match="there is no method"):
        core.fit("none", X, y, {})
    with pytest.raises(ValueError, match="the pickled model"):
        core.Model.from_bytes(b"nothing")
