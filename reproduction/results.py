# SPDX-License-Identifier: MIT
"""What is stored in the folder of results, as plain numbers."""
import json
import subprocess
from functools import lru_cache
from statistics import mean, stdev

from plan import ENTRIES, MANY_SPLITS, SETS, SPLITS


def whole_lines(file):
    """A line that was cut off while it was written does not count."""
    return file.read_text().rpartition("\n")[0].splitlines()


class Results:
    def __init__(self, folder, program):
        self.folder = folder
        self.program = program

    def files(self, part):
        """In the order of sets and rows; those with at least one record."""
        there = [self.folder / f"{part}-{name}-{row}.jsonl"
                 for name in SETS for row in ENTRIES[part]]
        return [file for file in there if file.exists() and len(whole_lines(file)) > 1]

    @lru_cache
    def records(self, part):
        return [json.loads(line) for file in self.files(part) for line in whole_lines(file)[1:]]

    @lru_cache
    def values(self, part, row, name, metric):
        """One per split, or none where a split is missing."""
        found = [record["metrics"][metric] for record in self.records(part)
                 if (record["method"], record["set"]) == (row, name) and "metrics" in record]
        return found if len(found) == (MANY_SPLITS if part == "twenty" else SPLITS) else []

    def mean(self, part, row, name, metric):
        values = self.values(part, row, name, metric)
        return mean(values) if values else None

    def standard_error(self, part, row, name, metric):
        values = self.values(part, row, name, metric)
        return stdev(values) / len(values) ** 0.5 if values else None

    def missing(self, part):
        """How many runs are done, and how many there should be."""
        return len(self.records(part)), len(ENTRIES[part]) * len(SETS) * SPLITS

    def report(self, parts, control, form):
        """Output of `mugrad report`, or None if nothing was run."""
        files = [str(file) for part in parts for file in self.files(part)]
        if not files:
            return None
        return subprocess.run([str(self.program), "report", *files, "--control", control,
                               "--format", form, "--quiet"],
                              capture_output=True, text=True, check=True).stdout

    @lru_cache
    def statistics(self, part, control):
        """By metric, ranks and Wilcoxon's tests of `mugrad report`; empty if nothing was run."""
        text = self.report([part], control, "json")
        found = json.loads(text)["results"]["statistics"] if text else []
        return {entry["metric"]: entry for entry in found}

    @lru_cache
    def stored(self, stem):
        """The content of a JSON file, or None."""
        file = self.folder / f"{stem}.json"
        return json.loads(file.read_text()) if file.exists() else None

    def measured(self, part, row, name):
        """Metrics of each split, and calibration; None unless every split is there."""
        found = (self.stored(f"{part}-{name}") or {}).get(row)
        return found if found and len(found["splits"]) == SPLITS else None

    def measured_mean(self, part, row, name, metric):
        found = self.measured(part, row, name)
        return mean(split[metric] for split in found["splits"]) if found else None

    def run(self, part):
        """Where and when a part ran; see runner.py."""
        return self.stored(f"run-{part}")
