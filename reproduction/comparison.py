# SPDX-License-Identifier: MIT
"""Sections on tuned MGD: compared with BR, and with the published figures."""
from statistics import mean

from figures import METRICS, MULAN, better, cells, counted_as, gain, published
from markdown import listed, number, table
from plan import ROWS, SETS

SHOWN = [*METRICS[:2], MULAN["macro-f1"], *METRICS[2:]]
CONTROLS = {"br": "BR tuned alike", "br-zscore": "BR on z-scores"}
ACCURACY_ROWS = {"br-zscore": "BR, z-scores", "br": "BR, tuned alike", "mgd": "MGD"}
ACCURACY_METRICS = {"average-precision": "average precision", "macro-f1": "macro-F1"}


def pair_of(statistics, a, b):
    """Sets that a won, tied and lost against b, and the p of Wilcoxon's test."""
    for pair in statistics["pairs"]:
        if (pair["a"], pair["b"]) == (a, b):
            return pair["wins"], pair["ties"], pair["losses"], pair["p"]
        if (pair["a"], pair["b"]) == (b, a):
            return pair["losses"], pair["ties"], pair["wins"], pair["p"]
    return None


def ranks_table(results, part, suffix):
    """Mean ranks of the three rows, and MGD against both controls."""
    statistics = results.statistics(part, f"br{suffix}")
    rows = []
    for metric in SHOWN:
        if metric not in statistics:
            continue
        entry = statistics[metric]
        ranks = {method["name"]: method["mean_rank"] for method in entry["methods"]}
        row = [metric, *(number(ranks.get(f"{name}{suffix}"), 2) for name in ROWS)]
        for control in CONTROLS:
            pair = pair_of(entry, f"mgd{suffix}", f"{control}{suffix}")
            row += ["-", "-"] if pair is None else ["-".join(map(str, pair[:3])), f"{pair[3]:.4f}"]
        rows.append(row)
    if not rows:
        return "Not run.\n"
    header = ["metric", *(f"rank of `{name}{suffix}`" for name in ROWS)]
    for control in CONTROLS:
        header += [f"`mgd{suffix}` against `{control}{suffix}`", "p"]
    count = min(entry["sets"] for entry in statistics.values())
    return incomplete(results, part) + (f"These are results of {count} sets.\n\n" if
                                        count < len(SETS) else "") + table(header, rows)


def incomplete(results, part):
    """Says so when a part has not been run to its end."""
    done, wanted = results.missing(part)
    if done >= wanted:
        return ""
    return (f"**Not complete:** {done} of {wanted} runs are done. "
            "`make reproduce` runs the missing ones.\n\n")


def accuracy_means(results, metric):
    """By row, the means of all sets; None where some are missing."""
    found = {row: [results.mean("tuned", row, name, metric) for name in SETS]
             for row in ACCURACY_ROWS}
    return None if any(None in values for values in found.values()) else found


def accuracy_table(results):
    """Both controls and MGD, set by set, for people who read one table; None if incomplete."""
    columns, header = [], ["data set"]
    for metric, title in ACCURACY_METRICS.items():
        found = accuracy_means(results, metric)
        if found is None:
            return None
        lines = list(zip(*(values + [mean(values)] for values in found.values())))
        header += [f"{title}: {ACCURACY_ROWS['br-zscore']}", *list(ACCURACY_ROWS.values())[1:]]
        columns.append([[f"**{value:.3f}**" if round(value, 3) == round(max(line), 3)
                         else f"{value:.3f}" for value in line] for line in lines])
    names = [*SETS, "mean"]
    return table(header, [[name, *(cell for column in columns for cell in column[at])]
                          for at, name in enumerate(names)])


def won_and_tied(results, metric, control):
    gains = [gain(metric, results.mean("tuned", "mgd", name, metric),
                  results.mean("tuned", control, name, metric)) for name in SETS]
    return sum(value > 0 for value in gains), sum(value == 0 for value in gains)


def accuracy_sentence(results):
    """What the accuracy table shows, in words; None if incomplete."""
    if accuracy_table(results) is None:
        return None

    def count(metric, control, of=""):
        won, tied = won_and_tied(results, metric, control)
        return f"{won}{of}" + (f" ({tied} tied)" if tied else "")
    first, second = ACCURACY_METRICS
    of = f" of {len(SETS)} public data sets"
    return (f"Tuned MGD has a better average precision than independent classifiers (BR) on "
            f"{count(first, 'br-zscore', of)} if their features are z-scored, and on {count(first, 'br')} if "
            f"their features are tuned like those of MGD. For macro-F1 the numbers are "
            f"{count(second, 'br-zscore')} and {count(second, 'br')}.")


def control_section(results):
    accuracy = accuracy_table(results) or "Not complete.\n"
    sentence = f"\n{accuracy_sentence(results)}\n" if accuracy_table(results) else ""
    return f"""## MGD compared with BR

The control is BR, which trains every label alone. `br-zscore` has z-scored features and a tuned rho. `br` has its
representation of features tuned as well. `mgd` first tunes the same representations and rho, then relations learned from
the weights of labels trained alone, and the strength of transfer. All choices are made by three inner folds of the training
part. So `mgd` against `br` shows what transfer brings, and `mgd` against `br-zscore` what the whole recipe brings.

Means over five splits; every metric at the setting that the inner folds found best by it; **bold** marks the best of three:

<!-- accuracy -->
{accuracy}<!-- /accuracy -->
{sentence}
Mean ranks over the sets (1 is best), sets won, tied and lost by MGD as printed with three decimals, and p of Wilcoxon's
signed-rank test over the sets. With six sets p cannot be below 0.0312.

### Tuned for each metric

{ranks_table(results, "tuned", "")}
### One model for all metrics

The model is chosen by average precision, the threshold by the mean of micro-F1 and macro-F1.

{ranks_table(results, "one", "-one")}"""


def strictly_reached(results):
    """Cells at least as good as every published figure under the convention it seems to be in."""
    count = 0
    for metric in METRICS:
        for name in SETS:
            values = {method: results.mean("tuned", "mgd", name, counted_as(metric, method))
                      for method in published()[metric]}
            count += all(values[method] is not None and better(metric, values[method],
                                                               sets[name]["mean"])
                         for method, sets in published()[metric].items())
    return count


def missed_table(results, missed):
    """The cells that were not reached, over more splits."""
    rows = []
    for cell in missed:
        where = "twenty", "mgd", cell.set, cell.counted
        value, error = results.mean(*where), results.standard_error(*where)
        if value is None:
            rows.append([cell.counted, cell.set, number(cell.value), "not run",
                         f"{cell.figure:.3f} {cell.method}", "-"])
            continue
        distance = gain(cell.metric, value, cell.figure)
        verdict = ("at least as good" if distance >= 0 else
                   f"worse by {-distance:.3f}, "
                   + ("within" if -distance <= 2 * error else "more than") + " two standard errors")
        rows.append([cell.counted, cell.set, number(cell.value), f"{value:.3f} ± {error:.3f}",
                     f"{cell.figure:.3f} {cell.method}", verdict])
    return table(["metric", "set", "five splits", "twenty splits, standard error",
                  "best published", "twenty splits"], rows)


def published_section(results):
    found = {(cell.metric, cell.set): cell for cell in cells(results)}
    rows = []
    for metric in METRICS:
        row = [MULAN.get(metric, metric)]
        for name in SETS:
            cell = found.get((metric, name))
            text = f"{cell.value:.3f} ({cell.figure:.3f} {cell.method})" if cell else "-"
            row.append(f"**{text}**" if cell and cell.is_reached else text)
        rows.append(row)
    missed = [cell for cell in found.values() if not cell.is_reached]
    return f"""## Tuned MGD compared with the best published figures

The best figure of any of the six methods in the paper, and the name of that method, are in brackets; **bold** marks
results that are at least as good. Macro-F1 is under Mulan's convention here, which the published figures of BR,
RAkEL and ECC seem to use.

{table(["metric", *SETS], rows)}
Tuned MGD is at least as good in **{len(found) - len(missed)} of {len(found)}** cells. The published macro-F1 of MGD, LIFT and
LLSF-DL seems to be under the other convention; if each is compared under its own, the result is
**{strictly_reached(results)} of {len(found)}** cells.
""" + (f"""
The published splits are not known, and five splits are few. The cells that were not reached, over twenty splits, of which
these five are the first; the standard error treats the splits as independent:

{missed_table(results, missed)}""" if missed else "")


def ahead(results, metric):
    """On which sets MGD or BR, tuned alike, is better: a clause."""
    gains = {}
    for name in SETS:
        values = [results.mean("tuned", row, name, metric) for row in ("mgd", "br")]
        if None not in values:
            gains[name] = gain(metric, *values)
    parts = [("MGD is better on", [f"{name} ({value:+.3f})" for name, value in gains.items() if value > 0]),
             ("worse on", [f"{name} ({value:+.3f})" for name, value in gains.items() if value < 0]),
             ("equal on", [name for name, value in gains.items() if value == 0])]
    return ", ".join(f"{verb} {listed(names)}" for verb, names in parts) if gains else "not run"
