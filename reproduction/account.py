# SPDX-License-Identifier: MIT
"""Figures in the text of account.md, from the results."""
from collections import Counter
from pathlib import Path

from comparison import ahead
from figures import METRICS, MULAN, better
from markdown import listed, number
from paper import COUNTERPARTS, counterpart
from plan import SETS

NOT_RUN = "(not run)"


def over_splits(results, part):
    """The metrics of tuned MGD on emotions."""
    values = [results.mean(part, "mgd", "emotions", metric) for metric in METRICS]
    if None in values:
        return NOT_RUN
    return ", ".join(f"{metric} {value:.3f}" for metric, value in zip(METRICS, values))


def weka(results, name):
    value, figure = counterpart(results, "average-precision", "BR", name)
    return f"{NOT_RUN if value is None else number(value)} on {name} (published {figure:.3f})"


def convention_gap(results):
    values = [results.mean("tuned", "mgd", "corel5k", metric)
              for metric in (MULAN["macro-f1"], "macro-f1")]
    return NOT_RUN if None in values else f"{values[0] - values[1]:.2f}"


def choices(results, metric):
    """By set, the settings of tuned MGD that the inner folds chose for a metric."""
    found = {}
    for record in results.records("tuned"):
        text = record.get("options", {}).get(f"for {metric}")
        if record["method"] == "mgd" and text is not None:
            setting = dict(item.split(" ", 1) for item in text.split(", "))
            found.setdefault(record["set"], []).append(setting)
    return found


def representations(results):
    """Which were chosen for average precision, and how often."""
    texts = []
    for name, settings in choices(results, "average-precision").items():
        counts = Counter(setting.get("representation", "zscore") for setting in settings)
        texts.append(name + " " + ", ".join(f"{kind} ({count} of {len(settings)})"
                                            for kind, count in counts.most_common()))
    return "; ".join(texts) or NOT_RUN


def transfers(results):
    """How often the inner folds chose transfer."""
    settings = [setting for metric in METRICS
                for several in choices(results, metric).values() for setting in several]
    chosen = sum(setting.get("sigma-ratio", "0") != "0" for setting in settings)
    return f"{chosen} of {len(settings)}" if settings else NOT_RUN


def reached(results, method, metrics=METRICS):
    """Cells, and the sets in which our counterpart is at least as good as published."""
    cells = [(metric, name, *counterpart(results, metric, method, name))
             for metric in metrics for name in SETS]
    there = [cell for cell in cells if cell[2] is not None]
    good = [cell for cell in there if better(cell[0], *cell[2:])]
    return there, good


def reached_cells(results, method):
    there, good = reached(results, method)
    return f"{len(good)} of {len(there)}" if there else NOT_RUN


def reached_sets(results, method, metric):
    there, good = reached(results, method, [metric])
    return listed(name for _, name, _, _ in good) if there else NOT_RUN


def loss_after(results, start, iteration=100):
    """Total losses of MGD and of gradient descent in a study of convergence."""
    study = results.stored(f"convergence-{start}")
    if study is None:
        return NOT_RUN
    texts = []
    for curve in study["convergence"]["curves"]:
        at = min(range(len(curve["iterations"])),
                 key=lambda k: abs(curve["iterations"][k] - iteration))
        texts.append(f"{curve['total_loss'][at]:.2f} ({curve['name']})")
    return " and ".join(texts)


def account(results):
    text = (Path(__file__).parent / "account.md").read_text()
    return text.format(
        five=over_splits(results, "tuned"), twenty=over_splits(results, "twenty"),
        weka_emotions=weka(results, "emotions"), weka_cal500=weka(results, "cal500"),
        gap=convention_gap(results), representations=representations(results),
        transfers=transfers(results), macro=ahead(results, "macro-f1"),
        micro=ahead(results, "micro-f1"),
        llsf_ranking=reached_sets(results, "LLSF-DL", "ranking-loss"),
        llsf_micro=reached_sets(results, "LLSF-DL", "micro-f1"),
        from_zero=loss_after(results, "zero"), from_random=loss_after(results, "random"),
        **{f"cells_{method.lower().replace('-', '_')}": reached_cells(results, method)
           for method in COUNTERPARTS})
