# SPDX-License-Identifier: MIT
"""The tutorial runs from start to end and shows what is stored in it."""

import copy
import itertools
import os
import pathlib
import re
import sys

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")
pytest.importorskip("pandas")

import mugrad  # noqa: E402

TUTORIAL = pathlib.Path(__file__).resolve().parents[2] / "docs" / "tutorial.ipynb"


def kinds(cell):
    """What a cell shows, whatever the numbers in it, and in how many pieces text arrived."""
    found = []
    for output in cell["outputs"]:
        is_text = output["output_type"] == "stream"
        kind = output["name"] if is_text else sorted(output["data"])
        if not (is_text and found and found[-1] == kind):
            found.append(kind)
    return found


def words(cell):
    """The texts that a cell shows, in words and numbers."""
    texts = [
        output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"]
        for output in cell["outputs"]
    ]
    for word in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?|[^\W\d_]+", " ".join(texts)):
        yield word if word[-1].isalpha() else float(word)


@pytest.fixture(scope="module")
def stored():
    notebook = nbformat.read(TUTORIAL, as_version=4)
    nbformat.validate(notebook)
    return notebook


@pytest.fixture(scope="module")
def executed(stored, tmp_path_factory):
    """Run by this interpreter, with this package, and without a network or data of one's own."""
    from jupyter_client.manager import AsyncKernelManager

    folder = tmp_path_factory.mktemp("tutorial")
    manager = AsyncKernelManager(kernel_name="python3")
    manager.kernel_spec.argv[0] = sys.executable
    package = os.path.dirname(os.path.dirname(os.path.abspath(mugrad.__file__)))
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([package, *filter(None, sys.path)]),
        "MPLCONFIGDIR": str(folder),
        "IPYTHONDIR": str(folder),
        "HTTP_PROXY": "http://127.0.0.1:9",
        "HTTPS_PROXY": "http://127.0.0.1:9",
    }
    notebook = copy.deepcopy(stored)
    client = nbclient.NotebookClient(
        notebook, km=manager, timeout=600, resources={"metadata": {"path": str(folder)}}
    )
    client.execute(env=environment)
    return notebook


def test_tutorial_runs_and_shows_what_is_stored(stored, executed):
    for old, new in zip(stored.cells, executed.cells):
        if old["cell_type"] == "code":
            assert kinds(new) == kinds(old), old["source"]
            # Sums differ in their last digits among machines: a threshold may be the next one.
            for found, expected in itertools.zip_longest(words(new), words(old)):
                if isinstance(expected, float):
                    expected = pytest.approx(expected, rel=0.01, abs=0.011)
                assert found == expected, old["source"]


def test_stored_outputs_are_those_of_one_run_without_errors(stored):
    cells = [cell for cell in stored.cells if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    for cell in cells:
        assert all(output["output_type"] != "error" for output in cell["outputs"])
        assert all(output.get("name") != "stderr" for output in cell["outputs"]), cell["source"]
    assert sum(bool(cell["outputs"]) for cell in cells) >= 10


def test_tutorial_shows_every_figure(stored):
    images = [
        output
        for cell in stored.cells
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    assert len(images) == 4
