# SPDX-License-Identifier: MIT
"""Targets that list the labels of each example."""
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.model_selection import KFold, cross_val_predict

import mugrad
from conftest import learnable, package
from mugrad import BRClassifier, label_sets, metrics
from mugrad.model_selection import ThresholdClassifier

NAMES = np.array(["billing", "hardware", "login", "refund"])


@pytest.fixture(scope="module")
def problem():
    X, y = learnable(labels=4)
    return X, y, [list(NAMES[row == 1]) for row in y]


def objects(rows):
    array = np.empty(len(rows), dtype=object)
    array[:] = rows
    return array


@pytest.mark.parametrize("kind", [set, frozenset, list, tuple])
@pytest.mark.parametrize("container", [list, objects, pd.Series, "frame"])
def test_label_sets_are_predicted_as_they_were_given(problem, kind, container):
    X, y, lists = problem
    rows = [kind(row) for row in lists]
    given = pd.DataFrame({"topics": rows}) if container == "frame" else container(rows)
    fitted = BRClassifier().fit(X, given)
    found = fitted.predict(X)
    matrix = BRClassifier().fit(X, y).predict(X)
    assert type(found) is (list if container is list else np.ndarray)
    assert all(type(row) is kind for row in found)
    assert [sorted(row) for row in found] == [list(NAMES[row == 1]) for row in matrix]
    indicator = fitted.predict_indicator(X)
    assert sp.issparse(indicator) and indicator.dtype == np.int64
    np.testing.assert_array_equal(indicator.toarray(), matrix)
    assert fitted.score(X, given) == fitted.score(X, y) == np.mean((matrix == y).all(axis=1))


def test_labels_of_sets_keep_their_type(problem):
    X, y, _ = problem
    found = BRClassifier().fit(X, [set(np.flatnonzero(row).tolist()) for row in y]).predict(X)
    assert {type(label) for row in found for label in row} == {int}


def test_the_matrix_of_predicted_labels_is_there_for_every_form_of_y(problem):
    X, y, _ = problem
    for given in (y, sp.csr_matrix(y), pd.DataFrame(y, columns=NAMES)):
        fitted = BRClassifier().fit(X, given)
        np.testing.assert_array_equal(
            fitted.predict_indicator(X).toarray(), sp.csr_matrix(fitted.predict(X)).toarray()
        )


def test_a_missing_row_has_no_labels(problem):
    X, _, lists = problem
    rows = [None if not row else row for row in lists]
    assert any(row is None for row in rows)
    expected = BRClassifier().fit(X, lists).predict_proba(X)
    for given in (rows, pd.Series(rows)):
        np.testing.assert_array_equal(BRClassifier().fit(X, given).predict_proba(X), expected)


def test_scorers_thresholds_and_cross_validation_know_label_sets(problem):
    X, y, lists = problem
    sets = [set(row) for row in lists]
    fitted = BRClassifier().fit(X, sets)
    plain = BRClassifier().fit(X, y)
    for name in ("micro-f1", "hamming-loss", "average-precision"):
        scorer = metrics.make_scorer(name)
        assert scorer(fitted, X, sets) == scorer(plain, X, y) == scorer(fitted, X, y)
    found = ThresholdClassifier(BRClassifier(), cv=KFold(3)).fit(X, sets)
    expected = ThresholdClassifier(BRClassifier(), cv=KFold(3)).fit(X, y)
    assert found.score(X, sets) == expected.score(X, y)
    wanted = [set(NAMES[row == 1]) for row in expected.predict(X)]
    assert found.predict(X) == wanted
    assert ThresholdClassifier(fitted, cv="prefit").fit(X, sets).predict(X) is not None
    assert len(cross_val_predict(BRClassifier(), X, sets, cv=2)) == len(X)


@pytest.mark.parametrize("separator", [";", "|", ","])
def test_texts_that_list_labels_are_not_taken_for_classes(problem, separator):
    X, _, lists = problem
    texts = [separator.join(row) or "other" for row in lists]
    message = f"y has texts that list labels, such as '.*': give y=mugrad.label_sets\\(y, separator='\\{separator}'\\)"
    for given in (texts, np.array(texts), pd.Series(texts), pd.Series(texts, dtype="string")):
        with pytest.raises(ValueError, match=message):
            BRClassifier().fit(X, given)
    with pytest.raises(ValueError, match=message):
        with pytest.warns(UserWarning, match="column-vector"):
            BRClassifier().fit(X, pd.DataFrame({"topics": texts}))
    sets = label_sets(texts, separator=separator)
    assert sets == label_sets(texts) == [set(row or ["other"]) for row in lists]
    assert BRClassifier().fit(X, sets).predict(X)[0] is not None


def test_few_texts_with_several_labels_are_found_where_the_labels_occur_alone(problem):
    X = problem[0]
    texts = ["billing", "hardware", "login", "billing", "hardware;login"] * 80
    with pytest.raises(ValueError, match="such as 'hardware;login'"):
        BRClassifier().fit(X, texts)


def test_json_arrays_are_label_sets_too(problem):
    X = problem[0]
    texts = ['["a", "b"]', '["b"]', "[]", '["a"]'] * 100
    with pytest.raises(ValueError, match=r"separator=''"):
        BRClassifier().fit(X, texts)
    assert label_sets(texts)[:3] == [{"a", "b"}, {"b"}, set()]


@pytest.mark.parametrize(
    "classes",
    [
        ["no", "yes"],
        ["tall", "small", "short, dark"],
        ["New York", "Los Angeles", "San Jose"],
        ["a", "b", "c", "d (see e, f)"],
    ],
)
def test_classes_stay_classes(problem, classes):
    X = problem[0]
    given = [classes[i % len(classes)] for i in range(len(X))]
    assert set(BRClassifier().fit(X, given).predict(X)) <= set(classes)


def test_escapes_are_those_of_predictions():
    assert label_sets(["a\\;b;c", "c", "\\0"]) == [{"a;b", "c"}, {"c"}, {""}]
    assert label_sets([]) == []
    assert label_sets([None, "a;b", ""]) == [set(), {"a", "b"}, set()]
    with pytest.raises(mugrad.InputError, match="y: row 1.*: '\\[1' is not a JSON array of tags"):
        label_sets(["[1"], separator="")


def test_targets_of_polars_and_pyarrow_are_understood(problem):
    X, y, lists = problem
    pl = package("polars")
    pa = package("pyarrow")
    expected = BRClassifier().fit(X, lists)
    typed = pd.Series(lists, dtype=pd.ArrowDtype(pa.list_(pa.string())))
    forms = {
        "polars lists": pl.Series(lists),
        "pyarrow lists": pa.array(lists),
        "pyarrow column": pa.table({"topics": lists})["topics"],
        "frame of polars": pl.DataFrame({"topics": lists}),
        "table of pyarrow": pa.table({"topics": lists}),
        "pandas with Arrow": typed,
    }
    for form, given in forms.items():
        fitted = BRClassifier().fit(X, given)
        np.testing.assert_array_equal(fitted.predict_proba(X), expected.predict_proba(X), form)
        assert [sorted(row) for row in fitted.predict(X)] == expected.predict(X), form
        assert fitted.score(X, given) == expected.score(X, lists)
    columns = dict(zip(NAMES, y.T))
    for matrix in (pl.DataFrame(columns), pa.table(columns)):
        fitted = BRClassifier().fit(X, matrix)
        assert fitted.label_names_.tolist() == NAMES.tolist()
        np.testing.assert_array_equal(fitted.predict_proba(X), expected.predict_proba(X))
    words = NAMES[:2][y[:, 0]]
    for series in (pl.Series(words), pa.array(words)):
        assert set(BRClassifier().fit(X, series).predict(X)) == set(NAMES[:2])
    texts = [";".join(row) or "other" for row in lists]
    for series in (pl.Series(texts), pa.array(texts)):
        with pytest.raises(ValueError, match="label_sets"):
            BRClassifier().fit(X, series)
        assert label_sets(series, ";") == [set(row or ["other"]) for row in lists]


def test_a_frame_of_several_columns_of_lists_is_refused(problem):
    X, _, lists = problem
    with pytest.raises(ValueError, match="y with a column per label must hold 0, 1, or NaN"):
        BRClassifier().fit(X, pd.DataFrame({"a": lists, "b": lists}))
