# SPDX-License-Identifier: MIT
"""Continuing a model of the tickets of examples/tickets.py is nearly training on all of them."""
import json
import subprocess

import pytest
from test_guide import tickets

OLD, NEW, TEST = 1800, 200, 1500
# The thresholds of all models are the same: a threshold that is chosen from few rows differs more
# between two models than what they have learned.
KEPT = ("--thresholds", "keep")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_continuing_with_a_tenth_of_the_rows_is_nearly_training_on_all(program, tmp_path, seed):
    lines = tickets("--rows", OLD + NEW + TEST, "--seed", seed).splitlines(keepends=True)
    parts = {"all": lines[:OLD + NEW], "old": lines[:OLD], "new": lines[OLD:OLD + NEW],
             "test": lines[OLD + NEW:]}
    for name, rows in parts.items():
        (tmp_path / f"{name}.jsonl").write_bytes(b"".join(rows))

    def run(*arguments):
        return subprocess.run([program, *arguments], cwd=tmp_path, check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout

    def micro_f1(model):
        found = json.loads(run("evaluate", "-q", model, "test.jsonl", "--json"))
        return found["metrics"]["micro-f1"]

    run("train", "all.jsonl", "--tags", "tags", *KEPT, "-o", "all")
    run("train", "old.jsonl", "--tags", "tags", *KEPT, "--keep-curvature", "-o", "old")
    run("train", "--continue", "old", "new.jsonl", "-o", "continued")
    assert abs(micro_f1("continued") - micro_f1("all")) <= 0.01
    assert micro_f1("continued") >= micro_f1("old") - 0.005
