# SPDX-License-Identifier: MIT
"""Results and published figures as plain numbers."""
import json
from pathlib import Path
from statistics import mean

from plan import RESULTS

METRICS = ["average-precision", "macro-f1", "micro-f1", "coverage", "ranking-loss"]
SPLITS = 5
SMALLER_IS_BETTER = {"coverage", "ranking-loss"}


def records(folder=RESULTS):
    """All records of all files of a folder."""
    found = []
    for file in sorted(folder.glob("*.jsonl")):
        # A line that was cut off while it was written does not count.
        whole, _, _ = file.read_text().rpartition("\n")
        found += [json.loads(line) for line in whole.splitlines()[1:]]
    return found


def means(all_records, metric, splits=SPLITS):
    """By (method, set), where every split has a value."""
    values = {}
    for record in all_records:
        if "metrics" in record:
            key = record["method"], record["set"]
            values.setdefault(key, []).append(record["metrics"][metric])
    return {key: mean(several) for key, several in values.items() if len(several) == splits}


def published():
    return json.loads((Path(__file__).parent / "published.json").read_text())["results"]


def better(metric, a, b):
    """Whether a is at least as good as b, as printed."""
    a, b = round(a, 3), round(b, 3)
    return a <= b if metric in SMALLER_IS_BETTER else a >= b


def best_published(metric, name):
    """The best figure of any method on a set, and whose it is."""
    figures = {method: sets[name]["mean"] for method, sets in published()[metric].items()}
    choose = min if metric in SMALLER_IS_BETTER else max
    method = choose(figures, key=figures.get)
    return figures[method], method
