# SPDX-License-Identifier: MIT
"""What the core can take at once is passed by scikit-learn's and SciPy's checks, and nothing else."""
import pickle
import tempfile
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn
from numpy.testing import assert_array_equal
from sklearn.utils.validation import check_array

from mugrad import InputError, MGDClassifier, _core, _validation
from mugrad._sparse import csr_from, predicted_csr
from mugrad._validation import checked_x

CONTAINERS = [sp.csr_matrix, sp.csr_array]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_numbers_that_are_not_finite_are_found_wherever_they_are(dtype):
    for size in (0, 1, 31, 32, 63, 64, 65, 200):
        numbers = np.full(size, np.finfo(dtype).max, dtype)
        numbers[::2] = -np.finfo(dtype).smallest_subnormal
        assert _core.all_finite(numbers)
        for at in range(size):
            for bad in (np.nan, np.inf, -np.inf):
                kept, numbers[at] = numbers[at], bad
                assert not _core.all_finite(numbers), (size, at, bad)
                numbers[at] = kept
    with pytest.raises(TypeError, match="float32 or float64"):
        _core.all_finite(np.zeros(3, int))


def unsorted(X):
    csr = sp.csr_matrix(X)
    for i in range(csr.shape[0]):
        row = slice(csr.indptr[i], csr.indptr[i + 1])
        csr.indices[row] = csr.indices[row][::-1].copy()
        csr.data[row] = csr.data[row][::-1].copy()
    return sp.csr_matrix((csr.data, csr.indices, csr.indptr), shape=csr.shape)


def with_entry(X, value):
    wrong = X.copy()
    wrong[3, 2] = value
    return wrong


class Subclass(np.ndarray):
    pass


def kinds(X):
    """Matrices that are ready for the core, that can be made so, and that are to be refused."""
    yield from (X, X.astype(np.float32), np.asfortranarray(X), X[:, ::-1], X.astype(int))
    yield from (X.tolist(), X.astype(object), X.astype(np.float16), X[:0], X[0])
    yield from (X[:, :-1], X[None], with_entry(X, np.nan), with_entry(X, np.inf))
    for container in (*CONTAINERS, sp.csc_matrix, sp.coo_matrix):
        yield from (container(X), container(X.astype(np.float32)), container(X.astype(int)))
        yield from (container(X[:, :-1]), container(with_entry(X, np.nan)))
        yield container(with_entry(X.astype(np.float32), -np.inf))
    yield unsorted(X)
    yield from (np.ma.masked_array(X, X > 100), X.view(Subclass), X.astype(">f8"))
    with tempfile.TemporaryFile() as file:
        mapped = np.memmap(file, X.dtype, shape=X.shape)
        mapped[:] = X
        yield mapped
    shifted = np.empty(X.nbytes + 1, np.uint8)[1:].view(X.dtype).reshape(X.shape)
    shifted[:] = X
    yield shifted
    try:
        yield sp.csr_array(X[0])  # in one dimension, where SciPy has that
    except ValueError:
        pass


def answer(function):
    try:
        return function()
    except (TypeError, ValueError) as error:
        return type(error), str(error)


def test_short_and_long_checks_come_to_the_same(data, monkeypatch):
    X, y = data
    fitted = MGDClassifier().fit(X, y)
    refused = 0
    for number, form in enumerate(kinds(X)):
        found = answer(lambda: checked_x(fitted, form, reset=False))
        with monkeypatch.context() as patch:
            patch.setattr(_validation, "_is_ready", lambda *_: False)
            expected = answer(lambda: checked_x(fitted, form, reset=False))
        assert type(found) is type(expected), number
        if isinstance(found, tuple):
            assert found == expected
            refused += 1
        else:
            assert found.dtype == expected.dtype
            difference = found != expected
            assert not (difference.nnz if sp.issparse(found) else difference.any()), number
    assert refused in (6 + 3 * 4, 7 + 3 * 4)  # the one dimension, where SciPy has that


def test_refusals_have_scikit_learns_words(data):
    X, y = data
    fitted = MGDClassifier().fit(X, y)
    for wrong in (with_entry(X, np.nan), sp.csr_matrix(with_entry(X, np.inf))):
        with pytest.raises(ValueError) as expected:
            check_array(wrong, accept_sparse="csr", estimator=fitted, input_name="X")
        with pytest.raises(ValueError) as found:
            fitted.predict(wrong)
        assert str(found.value) == str(expected.value)


@pytest.mark.parametrize("kind", [np.ascontiguousarray, *CONTAINERS])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_is_ready_is_taken_as_it_is(kind, dtype, data):
    X, y = data
    fitted = MGDClassifier().fit(X, y)
    ready = kind(X.astype(dtype))
    assert checked_x(fitted, ready, reset=False) is ready


def test_arrays_without_names_still_get_a_warning_where_there_were_names(data):
    pandas = pytest.importorskip("pandas")
    X, y = data
    frame = pandas.DataFrame(X, columns=[f"f{k}" for k in range(X.shape[1])])
    fitted = MGDClassifier().fit(frame, y)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        fitted.predict(X)


def test_core_takes_a_sparse_matrix_exactly_if_its_rows_ascend():
    random = np.random.RandomState(0)
    taken = 0
    for _ in range(300):
        rows = [random.choice(6, random.randint(0, 4), replace=random.rand() < 0.2)
                for _ in range(random.randint(1, 6))]
        rows = [np.sort(row) if random.rand() < 0.8 else row for row in rows]
        indices = np.concatenate(rows).astype(np.int32)
        indptr = np.cumsum([0, *map(len, rows)]).astype(np.int32)
        matrix = sp.csr_matrix((np.ones(len(indices)), indices, indptr), shape=(len(rows), 6))
        ascends = all(np.all(np.diff(row) > 0) for row in rows)
        taken += ascends
        if ascends:
            _core.address_of(matrix)
        else:
            with pytest.raises(ValueError, match="must ascend"):
                _core.address_of(matrix)
    assert 50 < taken < 250


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("dtype", [np.int64, np.uint8, np.float32, bool])
def test_predicted_matrices_are_those_of_scipys_constructor(container, dtype, data):
    X, y = data
    fitted = MGDClassifier().fit(X, y)
    parts = fitted.model_.predict(X)
    found, expected = predicted_csr(parts, dtype, container), csr_from(parts, dtype, container)
    assert type(found) is type(expected) is container
    assert found.dtype == expected.dtype and found.shape == expected.shape == y.shape
    assert vars(found).keys() >= vars(expected).keys()
    found.check_format(full_check=True)
    assert found.has_canonical_format and found.has_sorted_indices
    assert found.nnz > 0
    for matrix in (found, pickle.loads(pickle.dumps(found)), found.copy(), found.T.T, found[:]):
        assert_array_equal(matrix.toarray(), expected.toarray())
    other = predicted_csr(fitted.model_.predict(X), dtype, container)
    other.data[:] = 0
    assert found.sum() == expected.sum() > 0


@pytest.mark.parametrize("container", CONTAINERS)
def test_matrices_without_a_label_are_predicted_too(container, data):
    X, y = data
    none = MGDClassifier().fit(X, y).set_thresholds(1).model_.predict(X)
    found = predicted_csr(none, np.int64, container)
    found.check_format(full_check=True)
    assert found.nnz == 0 and found.shape == y.shape


def test_matrices_of_unknown_attributes_are_left_to_scipys_constructor():
    class Other(sp.csr_matrix):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            self.count = self.nnz

    ones = np.ones(2, np.uint8)
    parts = (ones, np.array([0, 2], np.int32), np.array([0, 1, 2], np.int32), (2, 3))
    found = predicted_csr(parts, int, Other)
    assert found.count == 2
    assert_array_equal(found.toarray(), [[1, 0, 0], [0, 0, 1]])


def test_only_scores_are_looked_at_where_scikit_learn_assumes_that_all_is_finite(data):
    X, y = data
    fitted = MGDClassifier().fit(X, y)
    with sklearn.config_context(assume_finite=True), warnings.catch_warnings(record=True) as told:
        for wrong in (with_entry(X, np.nan), sp.csr_matrix(with_entry(X, np.nan))):
            with pytest.raises(InputError, match="row 3: the score of label '0' is nan"):
                fitted.predict_proba(wrong)
    assert not told


def test_columns_that_scipy_wrongly_says_to_ascend_are_refused(data):
    X, y = data
    fitted = MGDClassifier().fit(X, y)
    wrong = sp.csr_matrix(X)
    wrong.has_canonical_format = True
    wrong.indices[1] = wrong.indices[0]
    with pytest.raises(ValueError, match="columns of row 0 are not ascending"):
        fitted.predict(wrong)


def test_values_of_a_sparse_matrix_may_lie_apart(data):
    X, y = data
    csr = sp.csr_matrix(X)
    apart = sp.csr_matrix((np.repeat(csr.data, 2)[::2], csr.indices, csr.indptr), shape=csr.shape)
    assert not apart.data.flags.c_contiguous
    fitted = MGDClassifier().fit(apart, y)
    assert_array_equal(fitted.predict_proba(apart), MGDClassifier().fit(csr, y).predict_proba(csr))
    assert not apart.data.flags.c_contiguous
