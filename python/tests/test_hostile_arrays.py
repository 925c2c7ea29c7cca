# SPDX-License-Identifier: MIT
"""Arrays that say something else than their numbers, and matrices that do not hold together."""
import datetime
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_array_equal

import mugrad
import mugrad.datasets
from mugrad import MGDClassifier, MGDRegressor, metrics
from mugrad._options import thread_count
from mugrad._plain import plain
from mugrad._sparse import canonical, check_parts
from mugrad.model_selection import IterativeStratifiedKFold

CONTAINERS = [sp.csr_matrix, sp.csr_array]


def masked(values):
    mask = np.zeros(np.shape(values), bool)
    mask.flat[1] = True
    return np.ma.masked_array(values, mask)


def dates(shape, unit="D"):
    return np.arange(np.prod(shape)).reshape(shape).astype(f"datetime64[{unit}]")


# Masks


def test_masked_features_are_refused_and_not_used(data):
    X, y = data
    fitted = MGDClassifier().fit(X, y)
    for call in (lambda M: MGDClassifier().fit(M, y), fitted.predict, fitted.predict_proba):
        with pytest.raises(ValueError, match="X is a masked array, and 1 of its entries.*filled"):
            call(masked(X))
        with pytest.raises(ValueError, match="X is a masked array"):
            call([masked(row) for row in X])


def test_masked_array_without_masked_entries_is_an_array(data):
    X, y = data
    nothing = np.ma.masked_array(X, np.zeros_like(X, bool))
    assert_array_equal(
        MGDClassifier().fit(nothing, y).predict_proba(np.ma.masked_array(X)),
        MGDClassifier().fit(X, y).predict_proba(X),
    )


def test_masked_labels_are_not_known(data):
    X, y = data
    unknown = y.astype(float)
    unknown.flat[1] = np.nan
    expected = MGDClassifier().fit(X, unknown).predict_proba(X)
    assert_array_equal(MGDClassifier().fit(X, masked(y)).predict_proba(X), expected)
    assert np.any(MGDClassifier().fit(X, y).predict_proba(X) != expected)
    scores = expected.copy()
    found = metrics.evaluate(masked(y), scores)
    assert found["average-precision"] == metrics.evaluate(unknown, scores)["average-precision"]


def test_masked_targets_are_not_known():
    random = np.random.RandomState(0)
    X, y = random.normal(size=(50, 4)), random.normal(size=(50, 3))
    unknown = y.copy()
    unknown.flat[1] = np.nan
    expected = MGDRegressor().fit(X, unknown).predict(X)
    assert_array_equal(MGDRegressor().fit(X, masked(y)).predict(X), expected)


def test_masks_that_hide_whole_examples_are_refused(data):
    X, y = data
    for call in (
        lambda: MGDClassifier().fit(X, masked(y[:, 0])),
        lambda: MGDRegressor().fit(X, masked(X[:, 0])),
        lambda: MGDClassifier().fit(X, y, sample_weight=masked(np.ones(len(X)))),
        lambda: MGDClassifier(sigma=masked(np.ones(y.shape[1]))).fit(X, y),
        lambda: MGDClassifier(transfer=masked(np.eye(y.shape[1]))).fit(X, y),
        lambda: metrics.evaluate(y, masked(y.astype(float))),
    ):
        with pytest.raises(ValueError, match="masked array"):
            call()


# Dates, records, complex numbers


@pytest.mark.parametrize("unit", ["D", "ns"])
def test_dates_and_times_are_no_numbers(unit, data):
    X, y = data
    moments = dates(X.shape, unit)
    fitted = MGDClassifier().fit(X, y)
    objects = X.astype(object)
    objects[3, 2] = np.datetime64("2020-01-01")
    for wrong in (moments, moments - moments[0, 0], objects, [list(row) for row in moments]):
        with pytest.raises(TypeError, match="X holds .*expected numbers"):
            MGDClassifier().fit(wrong, y)
        with pytest.raises(TypeError, match="X holds .*expected numbers"):
            fitted.predict(wrong)
    for call in (
        lambda: MGDClassifier().fit(X, dates(y.shape, unit)),
        lambda: MGDClassifier().fit(X, y, sample_weight=dates(len(X), unit)),
        lambda: MGDRegressor().fit(X, dates(y.shape, unit)),
        lambda: metrics.evaluate(y, dates(y.shape, unit)),
    ):
        with pytest.raises(TypeError, match="expected numbers"):
            call()


def test_columns_of_dates_in_a_table_are_no_numbers(data):
    pandas = pytest.importorskip("pandas")
    X, y = data
    moments = pandas.date_range("2020-01-01", periods=len(X))
    for column in (moments, moments - moments[0], [datetime.date(2020, 1, 1)] * len(X)):
        for table in (
            pandas.DataFrame({"at": column}),
            pandas.DataFrame(X).assign(at=column),
        ):
            with pytest.raises(TypeError):
                MGDClassifier().fit(table, y)


def test_records_and_complex_numbers_are_refused(data):
    X, y = data
    for fields in ([("a", float)], [("a", float), ("b", float)]):
        with pytest.raises(TypeError, match="X holds records"):
            MGDClassifier().fit(np.zeros(X.shape, fields), y)
    for wrong in (X + 1j, sp.csr_matrix(X + 1j)):
        with pytest.raises(ValueError, match="Complex data not supported"):
            MGDClassifier().fit(wrong, y)
    for wrong in (y + 0j, sp.csr_matrix(y + 0j)):
        with pytest.raises(ValueError, match="Complex data not supported"):
            MGDClassifier().fit(X, wrong)


def forms_of(X):
    """The same numbers in every form that holds them."""
    yield from (np.asfortranarray(X), X[::-1][::-1], X[:, ::-1][:, ::-1], X.astype(">f8"))
    yield from (X.astype(object), X.tolist(), tuple(map(tuple, X)), memoryview(X), X.astype(">i4"))
    fixed = X.copy()
    fixed.flags.writeable = False
    yield fixed
    wide = np.zeros((2 * X.shape[0], 2 * X.shape[1]))
    wide[::2, ::2] = X
    yield wide[::2, ::2]
    try:
        import pandas
    except ImportError:
        return
    yield from (pandas.DataFrame(X), pandas.DataFrame(X).astype("Int64"))
    yield pandas.DataFrame(X).astype("Float64")


def test_every_form_of_the_same_numbers_gives_the_same_model(data):
    X, y = data  # whole numbers
    expected = MGDClassifier().fit(X, y).predict_proba(X)
    for form in forms_of(X):
        assert_array_equal(MGDClassifier().fit(form, y).predict_proba(X), expected)
    for form in forms_of(y.astype(float)):
        assert_array_equal(MGDClassifier().fit(X, form).predict_proba(X), expected)


# Sparse matrices


def broken(kind, matrix):
    """A matrix with parts that do not fit together, as someone may leave it behind."""
    changes = {
        "column beyond the last": lambda m: m.indices.__setitem__(3, 10**9),
        "column before the first": lambda m: m.indices.__setitem__(3, -1),
        "positions beyond the end": lambda m: m.indptr.__setitem__(-1, 10**9),
        "positions that fall": lambda m: m.indptr.__setitem__(1, 10**6),
        "negative positions": lambda m: m.indptr.__setitem__(1, -(10**6)),
        "first position not 0": lambda m: m.indptr.__setitem__(0, -5),
        "too few positions": lambda m: setattr(m, "indptr", m.indptr[:3]),
        "too many positions": lambda m: setattr(m, "indptr", np.append(m.indptr, [0] * 50)),
        "no positions": lambda m: setattr(m, "indptr", m.indptr[:0]),
        "too few columns": lambda m: setattr(m, "indices", m.indices[:3]),
        "too few values": lambda m: setattr(m, "data", m.data[:3]),
        "columns that are no whole numbers": lambda m: setattr(m, "indices", m.indices + 0.5),
        "positions that are no whole numbers": lambda m: setattr(m, "indptr", m.indptr * 1.0),
        "columns in two dimensions": lambda m: setattr(m, "indices", m.indices[:, None]),
        "positions in a list": lambda m: setattr(m, "indptr", m.indptr.tolist()),
        "unsigned columns beyond": lambda m: setattr(
            m, "indices", np.full(len(m.indices), 2**63, np.uint64)
        ),
    }
    changes[kind](matrix)
    return matrix


KINDS = [
    "column beyond the last", "column before the first", "positions beyond the end",
    "positions that fall", "negative positions", "first position not 0", "too few positions",
    "too many positions", "no positions", "too few columns", "too few values",
    "columns that are no whole numbers", "positions that are no whole numbers",
    "columns in two dimensions", "positions in a list", "unsigned columns beyond",
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("container", [*CONTAINERS, sp.csc_matrix, sp.bsr_matrix])
def test_broken_features_are_refused_before_scipy_sees_them(kind, container, data):
    X, y = data
    fitted = MGDClassifier().fit(X, y)
    for call in (lambda M: MGDClassifier().fit(M, y), fitted.predict, fitted.decision_function):
        with pytest.raises(ValueError, match="X is a malformed sparse matrix"):
            call(broken(kind, container(X)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("container", [*CONTAINERS, sp.csc_matrix])
def test_broken_labels_are_refused_before_scipy_sees_them(kind, container, data):
    X, y = data
    fitted = MGDClassifier().fit(X, y)
    folds = IterativeStratifiedKFold(3)
    for call in (
        lambda M: MGDClassifier().fit(X, M),
        lambda M: fitted.score(X, M),
        lambda M: metrics.evaluate(M, fitted.predict_proba(X)),
        lambda M: metrics.evaluate(y, M),
        lambda M: list(folds.split(X, M)),
        lambda M: mugrad.datasets.dump("never.arff", X, M),
        lambda M: mugrad.datasets.dump("never.arff", M, y),
    ):
        with pytest.raises(ValueError, match="malformed sparse matrix"):
            call(broken(kind, container(y.astype(float))))


def test_broken_transfer_is_refused_before_scipy_sees_it(data):
    X, y = data
    for kind in KINDS:
        matrix = broken(kind, sp.csr_matrix(np.full((y.shape[1],) * 2, 0.2)))
        with pytest.raises(ValueError, match="transfer is a malformed sparse matrix"):
            MGDClassifier(transfer=matrix).fit(X, y)


def test_broken_coordinates_are_refused(data):
    X, y = data
    for part, number in (("row", len(X)), ("row", -1), ("col", X.shape[1]), ("col", -1)):
        matrix = sp.coo_matrix(X)
        getattr(matrix, part)[2] = number
        with pytest.raises(ValueError, match=f"its {part} include {number}, expected 0 to"):
            MGDClassifier().fit(matrix, y)
    matrix = sp.coo_matrix(X)
    matrix.row = matrix.row[:4]
    with pytest.raises(ValueError, match="but 4 row"):
        MGDClassifier().fit(matrix, y)


def test_messages_say_what_is_wrong_with_the_matrix():
    eye = np.eye(3)
    for kind, words in (
        ("positions beyond the end", "its indptr ends with 1000000000, of 3 indices"),
        ("positions that fall", "its indptr falls from 1000000 to 2"),
        ("too few positions", "its indptr has 3 entries, expected 4"),
        ("too few values", "it has 2 values, but 3 indices"),
    ):
        matrix = sp.csr_matrix(eye)
        if kind == "too few values":
            matrix.data = matrix.data[:2]
        else:
            broken(kind, matrix)
        with pytest.raises(ValueError, match=words):
            check_parts(matrix, "X")


@pytest.mark.parametrize(
    "kind", [sp.csr_matrix, sp.csc_matrix, sp.bsr_matrix, sp.coo_matrix, sp.lil_matrix,
             sp.dok_matrix, sp.dia_matrix, sp.csr_array, sp.coo_array],
)  # fmt: skip
def test_proper_matrices_of_every_format_pass(kind, data):
    X, y = data
    for matrix in (kind(X), kind((3, 5), dtype=np.float64), kind((1, 1), dtype=np.float64)):
        assert plain(matrix, "X") is matrix
    assert_array_equal(canonical(kind(X)).toarray(), X)


def test_what_scipy_allows_is_read_as_scipy_reads_it(data):
    X, y = data
    csr = sp.csr_matrix(X)
    fitted = MGDClassifier().fit(csr, y)
    expected = fitted.predict_proba(csr)
    parts = (csr.data, csr.indices, csr.indptr)
    roomy = csr.copy()
    roomy.data, roomy.indices = np.append(csr.data, [7.0] * 9), np.append(csr.indices, [0] * 9)
    wide = csr.copy()
    wide.indices = wide.indices.astype(np.int64)
    swapped = csr.copy()
    swapped.data = swapped.data.astype(">f8")
    twice = sp.csr_matrix((np.repeat(csr.data / 2, 2), np.repeat(csr.indices, 2), 2 * csr.indptr),
                          shape=csr.shape)  # fmt: skip
    fixed = csr.copy()
    for part in (fixed.data, fixed.indices, fixed.indptr):
        part.flags.writeable = False
    for matrix in (sp.csr_matrix(parts, shape=csr.shape), roomy, wide, swapped, twice, fixed):
        assert_array_equal(MGDClassifier().fit(matrix, y).predict_proba(csr), expected)
        assert_array_equal(fitted.predict_proba(matrix), expected)


def test_broken_matrices_do_not_end_the_interpreter():
    """The same in a process of its own, where a crash is seen as one."""
    program = """
import numpy as np, scipy.sparse as sp
from mugrad import MGDClassifier
X = np.random.RandomState(0).normal(size=(40, 6)); y = (X[:, :3] > 0).astype(int)
for part, at, number in (("indptr", 1, 10**6), ("indptr", -1, 2**30), ("indices", 5, 2**30)):
    for labels in (False, True):
        for _ in range(20):
            matrix = sp.csr_matrix(y * 1.0 if labels else X)
            getattr(matrix, part)[at] = number
            try:
                MGDClassifier().fit(*((X, matrix) if labels else (matrix, y)))
            except ValueError as error:
                assert "malformed sparse matrix" in str(error), error
            else:
                raise AssertionError("it was taken")
print("all were refused")
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "all were refused" in result.stdout


# Threads


def test_numbers_of_threads_are_bounded(data):
    X, y = data
    for n_jobs in (10**9, 1025, 10**30):
        with pytest.raises(ValueError, match=f"n_jobs must be at most 1024, got {n_jobs}"):
            MGDClassifier(n_jobs=n_jobs).fit(X, y)
    for n_jobs in (2.5, "all", np.nan):
        with pytest.raises(ValueError, match="n_jobs must be None or a whole number"):
            MGDClassifier(n_jobs=n_jobs).fit(X, y)
    assert thread_count(1024) == 1024
    assert thread_count(np.int32(2)) == 2
    assert thread_count(-(10**9)) == 1
