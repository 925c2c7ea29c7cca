# SPDX-License-Identifier: MIT
import gzip
import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

from mugrad.datasets import dump, load, make_multilabel

X, Y = make_multilabel(40, 6, 5, random_state=0)
FEATURES = [f"feature {j}" for j in range(6)]
LABELS = [f"label {j}" for j in range(5)]
NAMES = {"feature_names": FEATURES, "target_names": LABELS}


def is_the_same(bunch, x=X, y=Y):
    data = bunch.data.toarray() if sparse.issparse(bunch.data) else bunch.data
    np.testing.assert_array_equal(data, x)
    np.testing.assert_array_equal(bunch.target.toarray(), y)
    assert sparse.issparse(bunch.target) and bunch.target.format == "csr"
    return True


@pytest.mark.parametrize("ending", ["arff", "csv", "tsv", "jsonl"])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_formats_with_names_come_back_whole(tmp_path, ending, form):
    path = tmp_path / f"small.{ending}"
    files = dump(path, form(X), Y, **NAMES)
    assert files[0] == str(path) and all(os.path.exists(file) for file in files)
    bunch = load(path) if ending == "arff" else load(path, label_columns=["label *"])
    assert is_the_same(bunch)
    assert bunch.feature_names == FEATURES and bunch.target_names == LABELS
    assert bunch.filename == str(path)


@pytest.mark.parametrize("ending", ["libsvm", "xmc"])
def test_sparse_formats_come_back_whole_with_numbers_for_names(tmp_path, ending):
    x = X * (np.abs(X) > 0.5)
    x[0] = 1  # the width is inferred from the rows
    path = tmp_path / f"small.{ending}"
    dump(path, sparse.csr_matrix(x), Y)
    bunch = load(path, n_labels=5 if ending == "libsvm" else None)
    assert sparse.issparse(bunch.data) and bunch.data.format == "csr"
    assert is_the_same(bunch, x)
    assert bunch.feature_names[:2] == ["x0", "x1"] and bunch.target_names[0] == "y0"


def test_an_arff_file_is_replaced_with_its_labels(tmp_path):
    path = tmp_path / "a.arff"
    dump(path, X, Y, **NAMES)
    dump(path, X, Y[:, :2], feature_names=FEATURES, target_names=LABELS[:2])
    assert is_the_same(load(path), X, Y[:, :2]) and load(path).target_names == LABELS[:2]
    assert sorted(os.listdir(tmp_path)) == ["a.arff", "a.xml"]


def test_a_column_alone_keeps_rows_whose_value_is_missing(tmp_path):
    path = tmp_path / "a.csv"
    (tmp_path / "a.csv").write_text('x\n1\n""\n3\n')
    bunch = load(path, labels_optional=True, missing="keep")
    np.testing.assert_array_equal(bunch.data, [[1], [np.nan], [3]])


def test_reading_leaves_the_handlers_of_signals_as_they_were(tmp_path):
    path = tmp_path / "a.csv"
    dump(path, X, Y, **NAMES)
    code = (
        "import faulthandler, os, signal, sys; from mugrad.datasets import load\n"
        "faulthandler.enable()\n"
        "load(sys.argv[1], labels_optional=True)\n"
        "os.kill(os.getpid(), signal.SIGBUS)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True)
    assert done.returncode == -signal.SIGBUS
    assert "Fatal Python error: Bus error" in done.stderr


def test_compressed_files_and_standard_input_are_read(tmp_path):
    dump(tmp_path / "a.csv", X, Y, **NAMES)
    content = (tmp_path / "a.csv").read_bytes()
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(content))
    assert is_the_same(load(tmp_path / "a.csv.gz", label_columns=LABELS))
    code = (
        "from mugrad.datasets import load\n"
        f"print(load('-', label_columns={LABELS!r}).data.shape)"
    )
    for piped in (content, gzip.compress(content)):
        done = subprocess.run([sys.executable, "-c", code], input=piped, capture_output=True)
        assert done.stdout.decode().strip() == str(X.shape), done.stderr


def test_a_bunch_is_written_as_it_was_read(tmp_path):
    dump(tmp_path / "a.arff", X, Y, **NAMES)
    dump(tmp_path / "b.csv", load(tmp_path / "a.arff"))
    again = load(tmp_path / "b.csv", label_columns=LABELS)
    assert is_the_same(again) and again.target_names == LABELS
    with pytest.raises(ValueError, match="its own target"):
        dump(tmp_path / "c.csv", again, Y)


def test_description_says_what_there_is(tmp_path):
    dump(tmp_path / "small.arff", X, Y, **NAMES)
    text = load(tmp_path / "small.arff").DESCR
    assert "examples            40" in text
    assert "features            6 (dense)" in text
    assert "labels              5" in text


def test_frames_have_names_and_hold_the_same(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=FEATURES)
    dump(tmp_path / "small.arff", frame, pandas.DataFrame(Y, columns=LABELS))
    bunch = load(tmp_path / "small.arff", as_frame=True)
    assert list(bunch.data.columns) == FEATURES and list(bunch.target.columns) == LABELS
    assert list(bunch.frame.columns) == FEATURES + LABELS
    np.testing.assert_array_equal(bunch.data.to_numpy(), X)
    np.testing.assert_array_equal(bunch.target.to_numpy(), Y)
    x, y = load(tmp_path / "small.arff", as_frame=True, return_X_y=True)
    assert x.equals(bunch.data) and y.equals(bunch.target)


def test_sparse_data_becomes_a_sparse_frame(tmp_path):
    pytest.importorskip("pandas")
    dump(tmp_path / "small.arff", sparse.csr_matrix(X * (X > 1)), Y, **NAMES)
    frame = load(tmp_path / "small.arff", as_frame=True).data
    np.testing.assert_array_equal(frame.to_numpy(), X * (X > 1))
    assert frame.sparse.density < 0.5 and list(frame.columns) == FEATURES


def test_labels_that_are_not_known_are_explicit_nan(tmp_path):
    partial = Y.astype(float)
    partial[0, 1] = partial[3, 4] = np.nan
    dump(tmp_path / "partial.arff", X, partial, **NAMES)
    target = load(tmp_path / "partial.arff").target
    np.testing.assert_array_equal(target.toarray(), partial)
    assert np.isnan(target.data).sum() == 2
    assert "labels not known    2" in load(tmp_path / "partial.arff").DESCR


def test_label_sets_are_written_with_their_names(tmp_path):
    sets = [{"tall", "round"}, set(), {"round"}]
    dump(tmp_path / "sets.arff", X[:3], sets)
    bunch = load(tmp_path / "sets.arff")
    assert bunch.target_names == ["round", "tall"]
    np.testing.assert_array_equal(bunch.target.toarray(), [[1, 1], [0, 0], [1, 0]])


def test_missing_values_are_refused_filled_or_kept(tmp_path):
    path = tmp_path / "holes.csv"
    path.write_text("a,b,label\n1,2,1\n,4,0\n3,6,1\n")
    with pytest.raises(ValueError, match="holes.csv:3"):
        load(path, n_labels=-1, missing="refuse")
    assert load(path, n_labels=-1).data[1, 0] == 2
    assert load(path, n_labels=-1, missing="mean").data[1, 0] == 2
    assert np.isnan(load(path, n_labels=-1, missing="keep").data[1, 0])
    with pytest.raises(ValueError, match="missing must be median, mean, keep or refuse"):
        load(path, n_labels=-1, missing="zero")


def test_labels_are_read_from_a_column_of_tags_and_columns_have_the_roles_given(tmp_path):
    path = tmp_path / "tickets.jsonl"
    path.write_text(
        '{"note": "late again", "code": 3, "topics": ["a", "b"]}\n'
        '{"note": "late and broken", "code": 7, "topics": ["b"]}\n'
        '{"note": "broken again", "code": 3, "topics": []}\n'
    )
    roles = {"category": ["code"], "text": ["note"]}
    bunch = load(path, tags="topics", **roles)
    assert bunch.target_names == ["a", "b"]
    assert bunch.target.toarray().tolist() == [[1, 1], [0, 1], [0, 0]]
    terms = ["note:again", "note:broken", "note:late"]  # those in at least two texts
    assert sorted(bunch.feature_names) == ["code=3", "code=7", *terms]
    with pytest.warns(UserWarning, match="'a'"):
        assert load(path, tags="topics", min_count=2, **roles).target_names == ["b"]
    with pytest.raises(ValueError, match="tags"):
        load(path, tags="topics", n_labels=1)


def test_a_tag_separator_that_is_given_is_not_guessed(tmp_path):
    path = tmp_path / "notes.csv"
    path.write_text("size,topics\n1,a;b|c\n2,b|c\n3,\n")
    assert load(path, tags="topics", tag_separator="|").target_names == ["a;b", "b", "c"]
    assert load(path, tags="topics", tag_separator=";").target_names == ["a", "b|c"]


def test_one_name_may_stand_for_a_list_of_names(tmp_path):
    path = tmp_path / "notes.csv"
    path.write_text("body,size,spare,label\nred fox,1,5,1\nred fox,2,6,0\nred dog,1,7,1\n")
    bunch = load(path, label_columns="label", text="body", category="size", drop="spare")
    assert bunch.target_names == ["label"]
    assert bunch.feature_names == ["body:fox", "body:red", "body:red fox", "size=1", "size=2"]


def test_a_separator_of_tags_is_one_character_and_counts_are_positive(tmp_path):
    path = tmp_path / "notes.csv"
    path.write_text("size,topics\n1,a;b\n2,b\n")
    with pytest.raises(ValueError, match="one ASCII character.*'xx'"):
        load(path, tags="topics", tag_separator="xx")
    with pytest.raises(ValueError, match="at least 1, got 0"):
        load(path, tags="topics", min_count=0)


def test_what_the_reader_left_out_is_a_warning(tmp_path):
    path = tmp_path / "ids.csv"
    rows = "".join(f"name{i},{i % 3},{i % 2}\n" for i in range(40))
    path.write_text("id,a,label\n" + rows)
    with pytest.warns(UserWarning, match="id"):
        bunch = load(path, n_labels=-1)
    assert bunch.feature_names == ["a"] and "id" in bunch.DESCR


def test_errors_name_the_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere.arff"):
        load(tmp_path / "nowhere.arff")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        dump(tmp_path / "nowhere" / "a.csv", X, Y)
    (tmp_path / "wrong.csv").write_text("a,b,label\n1,2,1\n1,2\n")
    with pytest.raises(ValueError, match="wrong.csv:3"):
        load(tmp_path / "wrong.csv", n_labels=-1)
    with pytest.raises(ValueError, match="arff.*libsvm.*xmc.*csv.*jsonl"):
        load(tmp_path / "wrong.csv", format="parquet")
    with pytest.raises(ValueError, match="X has 3 rows, Y has 40"):
        dump(tmp_path / "a.csv", X[:3], Y)
    with pytest.raises(ValueError, match="2 names for 6 features"):
        dump(tmp_path / "a.csv", X, Y, feature_names=["a", "b"])
    with pytest.raises(ValueError, match="target is missing"):
        dump(tmp_path / "a.csv", X)
    assert not (tmp_path / "a.csv").exists()


def test_generated_data_is_the_same_for_the_same_seed():
    a, b = make_multilabel(50, 4, 6, random_state=7), make_multilabel(50, 4, 6, random_state=7)
    np.testing.assert_array_equal(a[0], b[0])
    np.testing.assert_array_equal(a[1], b[1])
    assert not np.array_equal(a[0], make_multilabel(50, 4, 6, random_state=8)[0])


def test_generated_data_has_what_was_asked_for():
    x, y, groups = make_multilabel(
        2000, 10, 8, group_size=4, cardinality=2, density=0.3, noise=0,
        return_indicator="sparse", return_groups=True,
    )
    assert sparse.issparse(x) and sparse.issparse(y)
    assert x.nnz / (2000 * 10) == pytest.approx(0.3, abs=0.05)
    assert y.sum() / 2000 == pytest.approx(2, abs=0.2)
    assert groups.tolist() == [0] * 4 + [1] * 4
    related = np.corrcoef(y.toarray(), rowvar=False)
    assert related[:4, :4].mean() > related[:4, 4:].mean() + 0.2
    with pytest.raises(ValueError, match="return_indicator"):
        make_multilabel(return_indicator="list")
    with pytest.raises(ValueError, match="rows must be"):
        make_multilabel(0)


def test_delimiters_are_recognised_or_given(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b;c\n1,2;3\n")
    found = load(path, labels_optional=True, keep_ids=True)
    assert found.feature_names == ["a", "b;c=2;3"]
    with pytest.warns(UserWarning, match="'a,b' with '1,2' on line 2"):
        found = load(path, labels_optional=True, delimiter=";")
    assert found.feature_names == ["a,b", "c"] and found.data.tolist() == [[1.2, 3]]
    path.write_text("a\tb\n1\t2\n")
    for delimiter in (None, "\t", "tab"):
        assert load(path, labels_optional=True, delimiter=delimiter).feature_names == ["a", "b"]
    with pytest.raises(ValueError, match="there is no delimiter ':'; there are , ; | and tab"):
        load(path, delimiter=":")
