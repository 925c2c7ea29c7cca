# SPDX-License-Identifier: MIT
import json
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
pyplot = pytest.importorskip("matplotlib.pyplot")

import mugrad  # noqa: E402
from mugrad import metrics, plot, study  # noqa: E402
from mugrad.datasets import make_multilabel  # noqa: E402

X, Y = make_multilabel(120, 8, 6, random_state=0)


@pytest.fixture(autouse=True)
def figures_are_closed():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def convergence():
    return study.convergence(X, Y, iterations=30, sigma=0.3, name="made")


@pytest.fixture(scope="module")
def sensitivity():
    return study.sensitivity(X, Y, rhos=[0.1, 0.01], sigmas=[0, 0.1, 1], metric="ranking-loss")


def drawn(ax):
    ax.figure.canvas.draw()
    return ax


def test_studies_are_those_of_the_program(convergence, sensitivity):
    curves = convergence["convergence"]["curves"]
    assert [curve["name"] for curve in curves] == ["MGD", "gradient descent"]
    assert curves[0]["iterations"][-1] == 30
    assert curves[0]["total_loss"][-1] < curves[0]["total_loss"][0]
    assert "sigma 0.3" in convergence["convergence"]["setting"]
    assert sensitivity["sensitivity"]["rhos"] == [0.01, 0.1]
    assert np.shape(sensitivity["sensitivity"]["values"]) == (2, 3)
    assert not sensitivity["sensitivity"]["larger_is_better"]


def test_sensitivity_is_the_metric_of_models_trained_one_by_one():
    split = (np.arange(80), np.arange(80, 120))
    found = study.sensitivity(
        X, Y, rhos=[0.01, 0.1], sigmas=[0, 0.5], cv=[split], tol=1e-8, precision="double"
    )
    model = mugrad.MGDClassifier(rho=0.1, sigma=0.5, tol=1e-8).fit(X[:80], Y[:80])
    expected = metrics.average_precision(Y[80:], model.predict_proba(X[80:]))
    assert found["sensitivity"]["values"][1][1] == pytest.approx(expected, abs=1e-6)


def test_studies_refuse_what_they_cannot_do():
    with pytest.raises(TypeError, match="no option 'rhoo'; it has"):
        study.convergence(X, Y, rhoo=1)
    with pytest.raises(ValueError, match="no metric"):
        study.convergence(X, Y, iterations=2, metric="accuracy")
    with pytest.raises(ValueError, match="row 120"):
        study.convergence(X, Y, iterations=2, cv=[([0, 1, 2], [120])])
    with pytest.raises(ValueError, match="no split"):
        study.sensitivity(X, Y, cv=[])
    with pytest.raises(ValueError, match="at least"):
        study.convergence(X, Y, iterations=0)


@pytest.mark.parametrize("show, label", [("metric", "average-precision"), ("loss", "total loss")])
def test_convergence_has_a_curve_with_and_one_without_transfer(convergence, show, label):
    ax = drawn(plot.convergence(convergence, show=show))
    assert [line.get_label() for line in ax.lines] == ["MGD", "gradient descent"]
    assert ax.get_ylabel() == label
    curve = convergence["convergence"]["curves"][0]
    values = curve["metric"] if show == "metric" else curve["total_loss"]
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), values)
    assert ax.lines[0].get_linestyle() != ax.lines[1].get_linestyle()
    assert [tick.get_text() for tick in ax.get_xticklabels()][0] == "0"


def test_studies_are_drawn_from_files_and_from_their_parts(tmp_path, convergence, sensitivity):
    path = tmp_path / "study.json"
    path.write_text(json.dumps(convergence))
    for given in (path, str(path), convergence["convergence"]):
        assert len(plot.convergence(given).lines) == 2
    path.write_text(json.dumps(sensitivity))
    assert len(plot.sensitivity(path).texts) == 6
    with pytest.raises(ValueError, match="no convergence"):
        plot.convergence(path)
    with pytest.raises(ValueError, match="not a study"):
        plot.sensitivity({"a": 1})
    with pytest.raises(ValueError, match="'metric' or 'loss'"):
        plot.convergence(convergence, show="time")


def test_sensitivity_frames_the_best_cell(sensitivity):
    ax = drawn(plot.sensitivity(sensitivity))
    values = np.array(sensitivity["sensitivity"]["values"])
    row, column = np.unravel_index(values.argmin(), values.shape)
    frame = ax.patches[0]
    assert (frame.get_x() + 0.5, frame.get_y() + 0.5) == (column, row)
    assert [text.get_text() for text in ax.texts] == [f"{value:.3f}" for value in values.ravel()]


def test_a_value_that_is_no_number_is_left_blank(sensitivity):
    found = json.loads(json.dumps(sensitivity))
    found["sensitivity"]["values"][0][0] = None
    assert len(drawn(plot.sensitivity(found)).texts) == 5


@pytest.mark.parametrize("estimator", [mugrad.MGDClassifier, mugrad.MGDRegressor])
@pytest.mark.parametrize("kind", ["graph", "matrix"])
def test_relations_of_an_estimator_are_drawn_with_its_names(estimator, kind):
    pandas = pytest.importorskip("pandas")
    names = [f"label {j}" for j in range(6)]
    model = estimator().fit(X, pandas.DataFrame(Y, columns=names))
    ax = drawn(plot.label_relations(model, kind=kind))
    shown = ax.texts if kind == "graph" else ax.get_yticklabels()
    assert sorted(text.get_text() for text in shown) == names


def test_relations_show_the_strongest_links_and_labels_alone():
    shares = np.zeros((5, 5))
    shares[0, 3], shares[3, 0], shares[1, 2] = 0.5, 0.2, 0.3
    ax = plot.label_relations(sparse.csr_matrix(shares), max_links=1)
    assert len(ax.patches) == 1 and len(ax.texts) == 5
    ax = plot.label_relations(shares, names=list("abcde"), max_labels=2)
    assert sorted(text.get_text() for text in ax.texts) == ["a", "d"]
    assert not plot.label_relations(np.zeros((3, 3))).patches


def test_relations_that_are_none_are_refused():
    with pytest.raises(ValueError, match="labels x labels"):
        plot.label_relations(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="3 names for 2"):
        plot.label_relations(np.zeros((2, 2)), names="abc")
    with pytest.raises(ValueError, match="'graph' or 'matrix'"):
        plot.label_relations(np.zeros((2, 2)), kind="tree")


def test_critical_difference_joins_methods_that_do_not_differ():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(30, 4)) + [0, 0, 5, 5]
    ax = drawn(plot.critical_difference(values, names=["a", "b", "c", "d"]))
    bars = [line for line in ax.lines if line.get_linewidth() == 4]
    assert len(bars) == 2
    found = metrics.nemenyi(values)
    ends = sorted(tuple(np.round(bar.get_xdata(), 6)) for bar in bars)
    expected = sorted(
        (round(found.mean_ranks[group].min() - 0.03, 6),
         round(found.mean_ranks[group].max() + 0.03, 6))
        for group in found.groups
    )
    assert ends == expected
    texts = " ".join(text.get_text() for text in ax.texts)
    for method, rank in zip("abcd", found.mean_ranks):
        assert method in texts and f"{rank:.2f}" in texts
    with pytest.raises(ValueError, match="3 names for 4"):
        plot.critical_difference(values, names="abc")


def test_axes_that_are_given_are_drawn_into(convergence, sensitivity):
    _, axes = pyplot.subplots(2, 2)
    values = np.random.default_rng(0).normal(size=(5, 3))
    assert plot.convergence(convergence, ax=axes[0, 0]) is axes[0, 0]
    assert plot.sensitivity(sensitivity, ax=axes[0, 1]) is axes[0, 1]
    assert plot.label_relations(np.eye(3), ax=axes[1, 0]) is axes[1, 0]
    assert plot.critical_difference(values, ax=axes[1, 1]) is axes[1, 1]


def test_without_matplotlib_only_drawing_fails_and_says_why():
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import mugrad.plot\n"
        "try:\n"
        "    mugrad.plot.label_relations([[0.0]])\n"
        "except ImportError as error:\n"
        "    print(error)\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install matplotlib" in found.stdout


def test_importing_the_package_does_not_import_matplotlib():
    code = "import sys, mugrad, mugrad.plot; print('matplotlib' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
