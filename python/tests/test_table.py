# SPDX-License-Identifier: MIT
"""Tables and texts as Python has them."""
import datetime
import inspect
import json
import pickle
import subprocess
import sys
import unicodedata
from functools import partial
from itertools import islice

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_checks

import mugrad
from conftest import package
from test_interruption import expect_interruption
from mugrad import BRClassifier, InputError, MGDClassifier, TableVectorizer, _core, datasets
from mugrad._table_columns import converted
from mugrad._table_features import TableArray, TableMatrix

WORDS = "printer invoice refund broken please screen cable login password account slow urgent".split()
PLANS = ["tin", "gold", "silver"]


def records(n=80, seed=0, missing=0.1):
    """Tickets, some of whose values are missing."""
    random = np.random.RandomState(seed)
    rows = []
    for number in range(n):
        row = {
            "ticket": f"T-{number}",
            "body": " ".join(random.choice(WORDS, random.randint(4, 12))),
            "plan": PLANS[random.randint(3)],
            "age": int(random.randint(18, 80)),
            "spent": round(float(random.gamma(2, 30)), 2),
            "since": str(datetime.date(2020, 1, 1) + datetime.timedelta(int(random.randint(2000)))),
            "paid": bool(random.randint(2)),
        }
        for key in ("body", "plan", "age", "spent", "since"):
            if random.rand() < missing:
                row[key] = None
        rows.append(row)
    return rows


def topics(rows):
    found = []
    for row in rows:
        body = row["body"] or ""
        labels = {"billing"} if "invoice" in body or "refund" in body else set()
        if "printer" in body or row["plan"] == "gold":
            labels.add("hardware")
        found.append(labels)
    return found


def write_lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def dense(X):
    return X.toarray() if sp.issparse(X) else np.asarray(X)


def assert_same(found, expected):
    assert sp.issparse(found) == sp.issparse(expected)
    np.testing.assert_array_equal(dense(found), dense(expected))


def tables_of(rows):
    """The same table in every form whose library is installed."""
    frame = pd.DataFrame(rows)
    yield "records", rows
    yield "pandas", frame
    yield "nullable pandas", frame.convert_dtypes()
    polars = package("polars")
    yield "polars", polars.DataFrame(rows)
    arrow = package("pyarrow")
    yield "pyarrow", arrow.Table.from_pylist(rows)
    yield "record batch", arrow.RecordBatch.from_pylist(rows)
    yield "pandas with Arrow", frame.convert_dtypes(dtype_backend="pyarrow")


def test_records_have_the_features_that_the_reader_of_files_makes(tmp_path):
    rows = records()
    with pytest.warns(UserWarning, match="left out 'ticket'"):
        bunch = datasets.load(write_lines(tmp_path / "a.jsonl", rows), labels_optional=True)
    vectorizer = TableVectorizer()
    X = vectorizer.fit_transform(rows)
    assert_same(X, bunch.data)
    assert vectorizer.get_feature_names_out().tolist() == bunch.feature_names
    assert vectorizer.roles_ == {
        "ticket": "identifier",
        "body": "text",
        "plan": "category",
        "age": "number",
        "spent": "number",
        "since": "date",
        "paid": "category",
    }
    assert_same(vectorizer.transform(rows), X)


@pytest.mark.parametrize("form", range(7))
def test_every_kind_of_table_gives_the_same_features(form):
    rows, others = records(), records(20, seed=1)
    expected = TableVectorizer().fit(rows)
    name, table = next(islice(tables_of(rows), form, None))
    _, other = next(islice(tables_of(others), form, None))
    vectorizer = TableVectorizer()
    assert_same(vectorizer.fit_transform(table), expected.transform(rows))
    assert vectorizer.roles_ == expected.roles_, name
    assert vectorizer.table_features_ == expected.table_features_
    assert_same(vectorizer.transform(other), expected.transform(others))


def test_types_of_pandas_are_understood():
    frame = pd.DataFrame(
        {
            "plan": pd.Categorical(["a b c", "d e f", None, "d e f"]),
            "size": pd.Categorical([1, 2, 2, 1]),
            "when": pd.to_datetime(["2026-11-18 06:00", None, "2026-11-20 00:00", "2026-11-21 00:00"]),
            "zone": pd.to_datetime(["2026-11-18 06:00"] * 4).tz_localize("Europe/Zurich"),
            "count": pd.array([1, None, 3, 5], dtype="Int64"),
            "open": pd.array([True, None, False, True], dtype="boolean"),
            "code": [2**60 + 1, 2**60 + 3, 2**60 + 5, 2**60 + 7],
            "single": np.array([0.5, 1.5, 2.5, 3.5], dtype=np.float32),
            "sparse": pd.arrays.SparseArray([0.0, 0.0, 7.0, 0.0]),
        }
    )
    vectorizer = TableVectorizer(category="code")
    X = dense(vectorizer.fit_transform(frame))
    names = vectorizer.get_feature_names_out().tolist()
    column = {name: X[:, number].tolist() for number, name in enumerate(names)}
    assert vectorizer.roles_["plan"] == vectorizer.roles_["size"] == "category"
    assert column["plan=a b c"] == [1, 0, 0, 0] and column["plan=(missing)"] == [0, 0, 1, 0]
    assert column["size=1"] == [1, 0, 0, 1]
    assert column["when (hour)"] == [6, 0, 0, 0] and column["zone (hour)"] == [5, 5, 5, 5]
    assert column["count"] == [1, 3, 3, 5]
    assert column["open"] == [1, 0, 0, 1]
    assert column[f"code={2**60 + 3}"] == [0, 1, 0, 0]
    assert column["single"] == [0.5, 1.5, 2.5, 3.5]
    assert column["sparse"] == [0, 0, 7, 0]


def test_types_of_arrow_are_understood():
    pa = package("pyarrow")
    pl = package("polars")
    when = [datetime.datetime(2026, 11, 18, 6), None, datetime.datetime(2026, 11, 20, 7)]
    arrow = pa.table(
        {
            "plan": pa.array(["a", None, "b"]).dictionary_encode(),
            "ns": pa.array(when, pa.timestamp("ns")),
            "zone": pa.array(when, pa.timestamp("us", "Europe/Zurich")),
            "day": pa.array([one and one.date() for one in when]),
            "count": pa.array([1, None, 3]),
            "code": pa.array([2**60 + 1, None, 2**60 + 3]),
            "open": pa.array([True, None, False]),
            "amount": pa.array([None, 1.5, 2.5], pa.float32()),
            "body": pa.array(["a b", "b a", "a b"], pa.large_string()),
            "nested": pa.array([{"x": 1}, {"x": 2}, {"x": 4}]),
            "list": pa.array([["p"], ["p", "q"], None]),
        }
    )
    plain = arrow.to_pylist()
    roles = {"text": "body", "category": ["plan", "code", "list"]}
    expected = TableVectorizer(**roles)
    X = expected.fit_transform(plain)
    for table in (arrow, pl.from_arrow(arrow), arrow.to_pandas(types_mapper=pd.ArrowDtype)):
        vectorizer = TableVectorizer(**roles)
        found = vectorizer.fit_transform(table)
        assert vectorizer.get_feature_names_out().tolist() == list(expected.get_feature_names_out())
        assert_same(found, X)
    names = expected.get_feature_names_out().tolist()
    assert f"code={2**60 + 1}" in names and "nested.x" in names and 'list=["p","q"]' in names


def test_reading_a_table_ends_with_ctrl_c():
    texts = [" ".join(np.random.RandomState(i).choice(WORDS, 60)) for i in range(5000)]
    features = TableVectorizer().fit(texts[:100]).table_features_
    table = dict(table="X", names=["text"], columns=[texts], convert=converted, missing="median")
    learn = dict(roles={"text": ["text"]}, ignore=[], text=_core.text_options(), threads=1)
    expect_interruption(partial(_core.learn_table, **table, **learn))
    expect_interruption(partial(_core.apply_table, **table, features=features, threads=1))


def test_nothing_is_imported_but_what_is_used():
    code = (
        "import sys, mugrad\n"
        "for m in ('pandas', 'polars', 'pyarrow'): sys.modules.pop(m, None)\n"  # by scikit-learn
        "mugrad.TableVectorizer().fit([{'a': 1, 'b': 'x'}, {'a': 2, 'b': 'y'}, {'a': 3, 'b': 'x'}])\n"
        "print([m for m in ('pandas', 'polars', 'pyarrow') if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_numbers_of_any_width_are_numbers():
    kinds = (np.longdouble, np.float16, np.float32, np.float64, np.int8, np.uint64)
    expected = TableVectorizer().fit_transform([{"a": 1.0}, {"a": 2.0}])
    for kind in kinds:
        found = TableVectorizer().fit_transform([{"a": kind(1)}, {"a": kind(2)}])
        np.testing.assert_array_equal(found, expected)
    assert converted([np.longdouble(1.5), np.float32(2)]) == "[1.5,2.0]"


def test_a_value_is_converted_only_once():
    made = []

    def convert(value):
        made.append(value)
        return value

    with pytest.raises(TypeError, match="X: row 1, column 'a': a value that became"):
        _core.apply_table(
            table="X",
            names=["a"],
            columns=[[object()]],
            convert=convert,
            missing="median",
            features=TableVectorizer().fit([{"a": 1}, {"a": 2}]).table_features_,
            threads=1,
        )
    assert len(made) == 1


def test_a_list_of_texts_is_one_column_called_text():
    texts = ["the printer is broken", None, "the refund", "printer refund"]
    expected = TableVectorizer().fit(texts)
    assert expected.roles_ == {"text": "text"}
    for given in (pd.Series(texts), np.array(texts, dtype=object), tuple(texts)):
        assert TableVectorizer().fit(given).table_features_ == expected.table_features_


def test_nested_records_have_dotted_columns_as_in_files(tmp_path):
    rows = [{"a": {"b": i, "c": {"d": "xy"[i % 2]}}, "e": i * 2.5} for i in range(8)]
    rows[3] = {"e": 1}
    rows[4]["a"] = None
    bunch = datasets.load(write_lines(tmp_path / "a.jsonl", rows), labels_optional=True)
    vectorizer = TableVectorizer()
    assert_same(vectorizer.fit_transform(rows), bunch.data)
    assert vectorizer.get_feature_names_out().tolist() == bunch.feature_names


def test_lists_are_the_same_as_in_files(tmp_path):
    rows = [{"x": i, "tags": [["a\n\"q\"", "é"], [1, 2.5], [], None][i % 4]} for i in range(20)]
    bunch = datasets.load(
        write_lines(tmp_path / "a.jsonl", rows), labels_optional=True, category=["tags"]
    )
    vectorizer = TableVectorizer(category="tags")
    assert_same(vectorizer.fit_transform(rows), bunch.data)
    assert vectorizer.get_feature_names_out().tolist() == bunch.feature_names


@pytest.mark.parametrize("threshold", [0.5, "auto"])
def test_program_and_python_predict_the_same_scores_of_raw_records(tmp_path, program, threshold):
    rows, new = records(120), records(30, seed=5, missing=0.3)
    weights = np.random.RandomState(0).uniform(0.5, 2, 120)
    for number, row in enumerate(rows):
        row["spent"] = row["spent"] or float(number)  # the mean takes the place of missing ones
    pipeline = make_pipeline(TableVectorizer(), MGDClassifier(threshold=threshold))
    pipeline.fit(rows, topics(rows), mgdclassifier__sample_weight=weights)
    model = tmp_path / "tickets.mugrad"
    mugrad.save(pipeline, model)
    assert_file_predicts(pipeline, model, new, tmp_path, program)
    assert_file_predicts(mugrad.load(model), model, new, tmp_path, program)
    pipeline[-1].save(tmp_path / "again.mugrad")
    assert (tmp_path / "again.mugrad").read_bytes() == model.read_bytes()


def assert_file_predicts(pipeline, model, rows, folder, program):
    lines = write_lines(folder / "new.jsonl", rows)
    out = folder / "scores.json"
    command = [program, "predict", model, lines, "--scores", "--json", "-q", "-o", out]
    subprocess.run(list(map(str, command)), check=True)
    found = json.loads(out.read_text())
    scores = pipeline.predict_proba(rows)
    expected = [list(row["scores"].values()) for row in found]
    assert list(found[0]["scores"]) == pipeline[-1].label_names_.tolist()
    np.testing.assert_array_equal(scores, expected)
    assert [row["ticket"] for row in found] == [row["ticket"] for row in rows]


def test_keys_that_no_record_has_are_missing_as_in_files(tmp_path, program):
    rows = records(120)
    pipeline = make_pipeline(TableVectorizer(), BRClassifier()).fit(rows, topics(rows))
    mugrad.save(pipeline, tmp_path / "model")
    new = [{key: row[key] for key in ("ticket", "plan", "age")} for row in records(9, seed=4)]
    with pytest.warns(UserWarning, match="no record of X has 'body'"):
        assert_file_predicts(pipeline, tmp_path / "model", new, tmp_path, program)


def test_a_model_of_the_program_takes_records(tmp_path, program):
    rows, new = records(120), records(30, seed=5, missing=0.3)
    tagged = [{**row, "topics": ";".join(sorted(labels))} for row, labels in zip(rows, topics(rows))]
    lines = write_lines(tmp_path / "tickets.jsonl", tagged)
    model = tmp_path / "tickets.mugrad"
    command = [program, "train", lines, "--tags", "topics", "-o", model, "-q"]
    subprocess.run(list(map(str, command)), check=True)
    pipeline = mugrad.load(model)
    assert isinstance(pipeline[0], TableVectorizer)
    assert_file_predicts(pipeline, model, new, tmp_path, program)
    again = clone(pipeline).fit(rows, topics(rows))
    assert again[0].table_features_.names == pipeline[0].table_features_.names


def test_the_model_of_a_pipeline_equals_that_of_the_program(tmp_path, program):
    rows = records(120)
    tagged = [{**row, "topics": ";".join(sorted(labels))} for row, labels in zip(rows, topics(rows))]
    lines = write_lines(tmp_path / "tickets.jsonl", tagged)
    command = [program, "train", lines, "--tags", "topics", "--thresholds", "keep", "--no-calibrate"]
    command += ["--precision", "double", "--method", "br", "-o", tmp_path / "model", "-q"]
    subprocess.run(list(map(str, command)), check=True)
    pipeline = make_pipeline(TableVectorizer(), BRClassifier()).fit(rows, topics(rows))
    theirs = mugrad.load(tmp_path / "model")
    np.testing.assert_array_equal(pipeline[-1].model_.weights, theirs[-1].model_.weights)
    np.testing.assert_array_equal(pipeline.predict_proba(rows), theirs.predict_proba(rows))


def test_terms_are_represented_by_classifiers_unless_the_features_were_changed():
    rows = records()
    y = topics(rows)
    X = TableVectorizer().fit_transform(rows)
    assert isinstance(X, TableMatrix)
    fitted = BRClassifier().fit(X, y)
    assert fitted.model_.table_features == X.table_features
    assert fitted.model_.feature_transform["parts"]
    half = X[np.arange(0, 80, 2)]
    assert half.table_features is X.table_features
    assert BRClassifier().fit(half, y[::2]).model_.table_features == X.table_features
    for changed in (X[:, :10], 2 * X, X.copy()):
        with pytest.warns(UserWarning, match="changed since"):
            assert BRClassifier().fit(changed, y).model_.table_features is None
    assert BRClassifier().fit(sp.csr_matrix(X.toarray()), y).model_.table_features is None


def test_dense_features_know_their_table_too():
    random = np.random.RandomState(0)
    rows = [{"a": float(a), "b": None if i % 3 == 0 else i} for i, a in enumerate(random.rand(60))]
    y = random.randint(0, 2, (60, 2))
    X = TableVectorizer().fit_transform(rows)
    assert isinstance(X, TableArray) and X.table_features is not None
    for kept in (X[:5], X[[1, 2]], X[X[:, 0] > 0.5], pickle.loads(pickle.dumps(X)), X[1:3, :]):
        assert kept.table_features == X.table_features
    for other in (X[:, 0], X[0], X[:, [0, 1]], X + 1, X[:2, 0]):
        assert getattr(other, "table_features", None) is None
    assert BRClassifier().fit(X, y).model_.table_features == X.table_features


def test_pipelines_are_cloned_searched_pickled_and_validated(tmp_path):
    frame = pd.DataFrame(records(90))
    y = np.array([[label in row for label in ("billing", "hardware")] for row in topics(records(90))])
    pipeline = make_pipeline(TableVectorizer(max_words=1), BRClassifier())
    assert np.isfinite(cross_val_score(pipeline, frame, y.astype(int), cv=3)).all()
    grid = {"tablevectorizer__max_words": [1, 2], "brclassifier__rho": [0.01, 0.1]}
    search = GridSearchCV(pipeline, grid, cv=2, n_jobs=2).fit(frame, y.astype(int))
    mugrad.save(search, tmp_path / "model")
    expected = search.predict_proba(frame)
    np.testing.assert_array_equal(mugrad.load(tmp_path / "model").predict_proba(frame), expected)
    copied = pickle.loads(pickle.dumps(search.best_estimator_))
    np.testing.assert_array_equal(copied.predict_proba(frame), expected)
    params = clone(TableVectorizer(text=["a"], id="b", hash_bits=4)).get_params()
    assert params["text"] == ["a"] and params["id"] == "b" and params["hash_bits"] == 4


@pytest.mark.parametrize("representation", ["zscore", "none", "unit", "tfidf", "unit-row"])
def test_a_representation_makes_rows_ready_for_any_classifier(representation):
    rows, new = records(), records(20, seed=3, missing=0.4)
    y = np.array([[label in row for label in ("billing", "hardware")] for row in topics(rows)])
    vectorizer = TableVectorizer(representation=representation)
    X = vectorizer.fit_transform(rows)
    assert type(X) is sp.csr_matrix and np.isfinite(X.data).all()
    assert_same(vectorizer.transform(rows), X)
    assert np.isfinite(vectorizer.transform(new).data).all()
    other = OneVsRestClassifier(LogisticRegression())
    assert make_pipeline(clone(vectorizer), other).fit(rows, y).predict(new).shape == (20, 2)
    # The classifiers of this package represent the features in the same way.
    plain = BRClassifier(representation="none").fit(X, y)
    own = make_pipeline(TableVectorizer(), BRClassifier(representation=representation)).fit(rows, y)
    np.testing.assert_allclose(plain.predict_proba(X), own.predict_proba(rows), rtol=0, atol=1e-3)
    copied = pickle.loads(pickle.dumps(vectorizer))
    assert_same(copied.transform(new), vectorizer.transform(new))


def test_dense_tables_are_represented_as_z_scores():
    X = np.random.RandomState(0).normal(size=(50, 3))
    found = TableVectorizer(representation="zscore").fit_transform(X)
    np.testing.assert_allclose(found, StandardScaler().fit_transform(X), rtol=0, atol=1e-12)
    assert type(found) is np.ndarray


SCRIPTS = [
    "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJ", "àâçéèêëîïôûùüÿñ", "ÀÂÇÉÈ", "абвгдежзийклмн", "АБВГД",
    "αβγδεζηθικλ", "ΑΒΓΔ", "אבגדהוזחטי", "ابتثجحخد", "अआइईउऊकखग", "กขคงจ", "漢字仮名中文", "ひらがな",
    "カタカナ", "가나다라마", "0123456789", "ẞßſİıǅﬁ", "e\u0301o\u0308",
]  # fmt: skip
BETWEEN = [" ", " ", " ", ", ", ". ", " — ", "\n", "'", "-", ":", " 😀 ", " 👩‍🚀 ", "🇨🇭", "_", "\u200d"]


def random_text(random):
    parts = []
    for _ in range(random.randint(0, 14)):
        script = SCRIPTS[random.randint(len(SCRIPTS))]
        parts.append("".join(random.choice(list(script), random.randint(1, 5))))
        parts.append(BETWEEN[random.randint(len(BETWEEN))])
    return "".join(parts)


@pytest.mark.parametrize("start", range(0, 200, 20))
def test_terms_idf_and_rows_equal_those_of_scikit_learn(start):
    for seed in range(start, start + 20):
        random = np.random.RandomState(seed)
        common = [random_text(random) for _ in range(6)]
        texts = [random_text(random) + " " + common[random.randint(6)] for _ in range(30)]
        texts[seed % 30] = ""
        words = dict(min_words=1 + seed % 2, max_words=2 + seed % 3 // 2)
        options = dict(min_documents=1 + seed % 3, sublinear=seed % 2 == 0)
        vectorizer = TableVectorizer(representation="unit-row", **words, **options)
        found = vectorizer.fit_transform(texts)
        reference = TfidfVectorizer(
            lowercase=False,
            tokenizer=TableVectorizer(max_words=1).build_analyzer(),
            token_pattern=None,
            ngram_range=(words["min_words"], words["max_words"]),
            min_df=options["min_documents"],
            sublinear_tf=options["sublinear"],
        )
        expected = reference.fit_transform(texts)
        terms = [name[len("text:") :] for name in vectorizer.get_feature_names_out()]
        assert terms == sorted(terms, key=lambda term: term.encode())
        assert terms == list(reference.get_feature_names_out())
        weights = vectorizer._representation.term_weight
        np.testing.assert_allclose(weights, reference.idf_, rtol=0, atol=1e-12)
        np.testing.assert_allclose(dense(found), dense(expected), rtol=0, atol=1e-12)
        new = [random_text(random) for _ in range(10)] + common
        rows = vectorizer.transform(new), reference.transform(new)
        np.testing.assert_allclose(dense(rows[0]), dense(rows[1]), rtol=0, atol=1e-12)


def test_words_equal_those_of_scikit_learn_where_there_is_no_doubt():
    """Latin, Greek and Cyrillic words between blanks, in lower case by scikit-learn."""
    letters = "abcdefghij àéîõü αβγδεζ абвгдежз".split()
    for seed in range(20):
        random = np.random.RandomState(seed)

        def word():
            letters_of = list(letters[random.randint(len(letters))])
            found = "".join(random.choice(letters_of, random.randint(2, 7)))
            return found.title() if random.randint(2) else found

        texts = [" ".join(word() for _ in range(random.randint(1, 30))) for _ in range(40)]
        vectorizer = TableVectorizer(representation="unit-row", min_documents=1)
        reference = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
        found, expected = vectorizer.fit_transform(texts), reference.fit_transform(texts)
        np.testing.assert_allclose(dense(found), dense(expected), rtol=0, atol=1e-12)


def test_hashed_terms_have_numbers():
    vectorizer = TableVectorizer(hash_bits=4)
    texts = ["a printer", "the printer please", "another please"] * 4
    assert vectorizer.fit_transform(texts).shape == (12, 16)
    assert vectorizer.get_feature_names_out().tolist() == [f"text:#{k}" for k in range(16)]


def test_emoji_are_no_words():
    analyzer = TableVectorizer(max_words=1).build_analyzer()
    assert analyzer("👍 ok 👩‍🚀 Zürich") == ["ok", "zürich"]
    assert unicodedata.name("👍") == "THUMBS UP SIGN"


@pytest.mark.parametrize(
    "given, error, message",
    [
        ("a text", TypeError, "X is one str, expected a table, a list of records or a list of texts"),
        ({"a": 1}, TypeError, "X is one dict"),
        ([], ValueError, "X has no rows"),
        ([{}], ValueError, "the records of X have no keys"),
        ([1, 2], TypeError, "row 1 of X is of type int, expected a text or a record"),
        ([{"a": 1}, "b"], TypeError, "row 1 of X is of type dict"),
        ([{1: 2}], TypeError, "row 1 of X has the key 1, expected a text"),
        ([{"a": 1}, {"a": {"b": 1}}], ValueError, "X has a record in 'a' of row 2 and another value"),
        ([{"a.b": 1, "a": {"b": 1}}], ValueError, "as a key and as a key of a nested record"),
        ([{"a": 1}, {"a": object()}], TypeError, "X: row 2, column 'a': a value of type object"),
        ([{"a": 1}, {"a": [[1]]}], TypeError, "X: row 2, column 'a': a list of records or lists"),
        ([{"a": "\ud800"}], InputError, "X: row 1, column 'a': .*surrogates"),
        (sp.csr_matrix((2, 2)), TypeError, "X is a sparse matrix"),
        (pd.DataFrame({("a", "b"): [1]}), TypeError, r"a column called \('a', 'b'\)"),
        (pd.DataFrame({"a": [1j]}), TypeError, "column 'a' holds values of type complex128"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), InputError, "columns 1 and 2 are both called 'a'"),
        (pd.DataFrame({"id": ["a", "b", "c"]}), ValueError, "X has no features"),
    ],
)
def test_what_is_no_table_is_refused(given, error, message):
    with pytest.raises(error, match=message):
        TableVectorizer().fit(given)


def test_messages_name_rows_columns_and_parameters():
    rows = [{"age": 1, "body": "x"}, {"age": None, "body": "y"}]
    with pytest.raises(InputError, match="X: row 2, column 'age': .*; missing='median' replaces"):
        TableVectorizer(missing="refuse").fit(rows)
    with pytest.raises(InputError, match="ignore names 'bdy', which no attribute of X has; did you"):
        TableVectorizer(ignore="bdy").fit(rows)
    with pytest.raises(InputError, match="id names 'nr'"):
        TableVectorizer(id=["nr"]).fit(rows)
    with pytest.raises(ValueError, match="category and text both name the column"):
        TableVectorizer(text="body", category="body").fit(rows)
    with pytest.raises(ValueError, match="max_words must be between 3 and 100, got 2"):
        TableVectorizer(text="body", min_words=3).fit(rows)
    with pytest.raises(ValueError, match="leave representation=None"):
        TableVectorizer(representation="gaussian").fit(rows)
    with pytest.raises(ValueError, match="nonsense"):
        TableVectorizer(representation="nonsense").fit(rows)
    with pytest.raises(ValueError, match="choose another missing"):
        TableVectorizer(representation="unit", missing="keep").fit(rows)
    fitted = TableVectorizer().fit(records())
    with pytest.raises(InputError, match="X lacks 1 of the 6 columns that became features: 'body'"):
        fitted.transform(pd.DataFrame(records(5)).drop(columns="body"))
    with pytest.warns(UserWarning, match="ignored 1 of X's columns that the model does not use: 'new'"):
        fitted.transform(pd.DataFrame(records(5)).assign(new=1))


def test_types_say_no_role_against_a_parameter():
    frame = pd.DataFrame({"body": pd.Categorical(["a printer", "the printer", "a refund"])})
    assert TableVectorizer().fit(frame).roles_ == {"body": "category"}
    assert TableVectorizer(text="bo*").fit(frame).roles_ == {"body": "text"}


def test_values_missing_only_later_become_the_mean_of_the_training_data():
    X = np.random.RandomState(0).normal(size=(40, 2))
    y = (X > 0).astype(int)
    rows = [{"a": a, "b": b} for a, b in X]
    pipeline = make_pipeline(TableVectorizer(), BRClassifier()).fit(rows, y)
    found = pipeline.predict_proba([{"a": None, "b": 1.0}])
    expected = pipeline.predict_proba([{"a": X[:, 0].mean(), "b": 1.0}])
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    assert np.isnan(pipeline[0].transform([{"a": None, "b": 1.0}])).any()


def test_files_hold_nothing_else_than_a_vectorizer_and_a_classifier(tmp_path):
    rows = records()
    y = topics(rows)
    scaled = make_pipeline(TableVectorizer(), StandardScaler(with_mean=False), BRClassifier())
    with pytest.raises(ValueError, match="cannot hold the step"):
        mugrad.save(scaled.fit(rows, y), tmp_path / "model")
    ready = make_pipeline(TableVectorizer(representation="unit"), BRClassifier()).fit(rows, y)
    with pytest.raises(ValueError, match="leave it None"):
        mugrad.save(ready, tmp_path / "model")
    with pytest.raises(TypeError, match="a LogisticRegression cannot be saved"):
        mugrad.save(LogisticRegression(), tmp_path / "model")
    alone = BRClassifier().fit(*datasets.make_multilabel(50, 4, 3))
    mugrad.save(alone, tmp_path / "alone")
    assert isinstance(mugrad.load(tmp_path / "alone"), BRClassifier)


def test_a_regressor_takes_tables_without_texts():
    rows = [{"a": i % 7, "plan": PLANS[i % 3]} for i in range(60)]
    y = np.array([[row["a"], 2.0 * row["a"]] for row in rows])
    pipeline = make_pipeline(TableVectorizer(), mugrad.MGDRegressor()).fit(rows, y)
    assert pipeline.predict(rows[:5]).shape == (5, 2)
    with pytest.raises(ValueError, match="does not weight the terms of texts"):
        make_pipeline(TableVectorizer(), mugrad.MGDRegressor()).fit(records(60), y)


@pytest.mark.parametrize(
    "check",
    [
        estimator_checks.check_no_attributes_set_in_init,
        estimator_checks.check_get_params_invariance,
        estimator_checks.check_set_params,
        estimator_checks.check_dict_unchanged,
        estimator_checks.check_estimators_pickle,
        estimator_checks.check_transformer_general,
        estimator_checks.check_transformer_preserve_dtypes,
        estimator_checks.check_fit_score_takes_y,
    ],
    ids=lambda check: check.__name__,
)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_checks_of_transformers_pass(check):
    """Not those that expect a matrix of numbers: a list of numbers is another error here."""
    check("TableVectorizer", TableVectorizer())


def test_every_parameter_is_documented():
    for name in TableVectorizer().get_params():
        assert f"\n{name} : " in inspect.getdoc(TableVectorizer), name


def test_parameters_are_the_options_of_the_core():
    params = TableVectorizer().get_params()
    options = _core.text_options()
    assert {name: params[name] for name in options} == options
    kinds = set(_core.representation_kinds()) - {"gaussian"}
    assert all(f'"{kind}"' in TableVectorizer.__doc__ for kind in kinds)
