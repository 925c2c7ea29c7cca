# SPDX-License-Identifier: MIT
"""Results and published figures as plain numbers."""
import json
from pathlib import Path
from statistics import mean

from plan import RESULTS

METRICS = ["average-precision", "macro-f1", "micro-f1", "coverage", "ranking-loss"]
SMALLER_IS_BETTER = {"coverage", "ranking-loss"}


def result_files():
    return sorted(RESULTS.glob("*.jsonl"))


def records():
    """All records of all files."""
    found = []
    for file in result_files():
        lines = file.read_text().splitlines()[1:]
        found += [json.loads(line) for line in lines]
    return found


def means(all_records, metric):
    """By (method, set), where every split has a value."""
    values = {}
    for record in all_records:
        if "metrics" in record:
            key = record["method"], record["set"]
            values.setdefault(key, []).append(record["metrics"][metric])
    return {key: mean(several) for key, several in values.items()}


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
