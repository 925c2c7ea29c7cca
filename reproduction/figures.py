# SPDX-License-Identifier: MIT
"""The published figures, and how results compare with them."""
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from plan import SETS

METRICS = ["average-precision", "macro-f1", "micro-f1", "coverage", "ranking-loss"]
SMALLER_IS_BETTER = {"coverage", "ranking-loss"}

# The published BR, RAkEL and ECC count a label that is neither there nor predicted as perfect.
MULAN = {"macro-f1": "macro-f1 (mulan)"}
IN_MULAN = ("BR", "RAkEL", "ECC")


@lru_cache
def published():
    return json.loads((Path(__file__).parent / "published.json").read_text())["results"]


def gain(metric, a, b):
    """How much better a is than b, as printed; negative where it is worse."""
    difference = round(round(a, 3) - round(b, 3), 3)
    return -difference if metric in SMALLER_IS_BETTER else difference


def better(metric, a, b):
    """Whether a is at least as good as b, as printed."""
    return gain(metric, a, b) >= 0


def best_published(metric, name):
    """The best figure of any method on a set, and the name of that method."""
    figures = {method: sets[name]["mean"] for method, sets in published()[metric].items()}
    choose = min if metric in SMALLER_IS_BETTER else max
    method = choose(figures, key=figures.get)
    return figures[method], method


def counted_as(metric, method):
    """The metric under the convention that the published figures of a method seem to be in."""
    return MULAN.get(metric, metric) if method in IN_MULAN else metric


@dataclass(frozen=True)
class Cell:
    """Tuned MGD and the best published figure."""
    metric: str
    set: str
    value: float
    figure: float
    method: str

    @property
    def is_reached(self):
        return better(self.metric, self.value, self.figure)

    @property
    def counted(self):
        return MULAN.get(self.metric, self.metric)


def cells(results):
    """One for each metric and set that tuned MGD has results of."""
    found = []
    for metric in METRICS:
        for name in SETS:
            value = results.mean("tuned", "mgd", name, MULAN.get(metric, metric))
            if value is not None:
                found.append(Cell(metric, name, value, *best_published(metric, name)))
    return found


def sets_for_more_splits(results):
    """Emotions, which varies most between splits, and sets with a published figure not reached."""
    missed = {cell.set for cell in cells(results) if not cell.is_reached}
    return [name for name in SETS if name == "emotions" or name in missed]
