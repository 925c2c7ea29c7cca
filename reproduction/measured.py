# SPDX-License-Identifier: MIT
"""Sections on what people get who tune nothing, and on probabilities."""
from statistics import mean

from calibration import BINS, LEAST_POSITIVES, LEAST_PROBABILITY
from figures import METRICS, SMALLER_IS_BETTER, gain
from markdown import number, table
from plan import SETS

DEFAULT_METRICS = ["average-precision", "micro-f1", "macro-f1"]
# All methods are nearly perfect on this set, where one row is worth 0.001.
SLACK = {"genbase": 0.001}
MODELS = {("calibration", "auto"): "Mugrad, `--auto`",
          ("calibration", "uncalibrated"): "Mugrad, `--auto --no-calibrate`",
          ("scikit-learn", None): "scikit-learn"}
MEASURES = ["likely pairs", "frequent labels", "all pairs", "log-loss"]
NO_PEER = ("The part `scikit-learn` was not run, or not on all sets: it needs a Python that has scikit-learn. "
           "Missing results are shown as `-` or left out.\n\n")


def best_peer(results, name, value_of, is_smaller):
    """The better value of raw and z-scored features, and which it is."""
    values = [(value_of(row), row) for row in ("zscore", "raw")
              if results.measured("scikit-learn", row, name)]
    if len(values) < 2:
        return None, None
    return (min if is_smaller else max)(values)


def peer_metric(results, name, metric):
    return best_peer(results, name,
                     lambda row: results.measured_mean("scikit-learn", row, name, metric),
                     metric in SMALLER_IS_BETTER)


def peer_note(results):
    complete = all(results.measured("scikit-learn", row, name)
                   for row in ("zscore", "raw") for name in SETS)
    return "" if complete else NO_PEER


def default_cell(results, metric, name, gains):
    """Adds to the gains; returns the text."""
    ours = results.measured_mean("defaults", "default", name, metric)
    peer, row = peer_metric(results, name, metric)
    if ours is None or peer is None:
        return f"{number(ours)} ({number(peer)})"
    gains[metric, name] = difference = gain(metric, ours, peer)
    text = f"{ours:.3f} ({peer:.3f} {row})"
    return f"**{text}**" if difference > 0 else f"*{text}*" if difference < 0 else text


def defaults_section(results):
    gains = {}
    rows = [[metric, *(default_cell(results, metric, name, gains) for name in SETS)]
            for metric in DEFAULT_METRICS]
    verdict = "Nothing was compared.\n"
    if gains:
        good = sum(value > 0 or (name in SLACK and value >= -SLACK[name])
                   for (_, name), value in gains.items())
        (metric, name), worst = min(gains.items(), key=lambda item: item[1])
        verdict = (f"Mugrad is better in **{good} of {len(gains)}** cells, where genbase counts as better down to "
                   f"{-SLACK['genbase']:.3f}. The least favourable difference is {worst:+.3f}, {metric} on {name}.\n")
    return f"""## Defaults compared with scikit-learn

`mugrad train` without any option, against scikit-learn's `OneVsRestClassifier(LogisticRegression())` with its defaults
(more iterations, so that it converges), on the same five splits. `mugrad train` chooses its threshold by inner folds of the
training part; scikit-learn predicts at 0.5. Scikit-learn's result, in brackets, is the better of that on z-scored and that
on raw features, cell by cell. **Bold** marks cells in which Mugrad is better, *italics* those in which it is worse.

{peer_note(results)}{table(["metric", *SETS], rows)}
{verdict}"""


def calibration_value(results, part, row, name, measure):
    def of(found_row):
        found = results.measured(part, found_row, name)
        return found["calibration"][measure] if found else None
    return of(row) if row else best_peer(results, name, of, is_smaller=True)[0]


def metric_value(results, part, row, name, metric):
    if row:
        return results.measured_mean(part, row, name, metric)
    return peer_metric(results, name, metric)[0]


def rows_by_model(results, names, value_of):
    """A line for each set and model, and the means over all sets; and these means."""
    lines, means, nothing = [], {}, [None] * len(names)
    for (part, row), title in MODELS.items():
        values = {name: [value_of(results, part, row, name, column) for column in names]
                  for name in SETS}
        columns = list(zip(*values.values()))
        means[title] = [None if None in column else mean(column) for column in columns]
        lines += [(at, [name, title, *map(number, values[name])]) for at, name in enumerate(SETS)
                  if values[name] != nothing]
        if means[title] != nothing:
            lines.append((len(SETS), ["mean", title, *map(number, means[title])]))
    return [line for _, line in sorted(lines, key=lambda line: line[0])], means


def calibration_sentence(means):
    """What calibration changes on average."""
    calibrated, plain, peer = means.values()
    if calibrated[0] is None or plain[0] is None:
        return "The runs are not complete.\n"
    changes = [f"{name} {before:.3f} to {after:.3f}"
               + (f" (scikit-learn {other:.3f})" if other is not None else "")
               for name, before, after, other in zip(MEASURES, plain, calibrated, peer)]
    return f"With calibration the means over the sets change as follows: {'; '.join(changes)}.\n"


def calibration_section(results):
    lines, means = rows_by_model(results, MEASURES, calibration_value)
    more, _ = rows_by_model(results, METRICS, metric_value)
    return f"""## Calibration of probabilities

`mugrad train --auto` with and without calibration, and scikit-learn as above, on the same five splits, whose test parts are
pooled. Expected calibration error with {BINS} bins of equal count, over three kinds of pairs of an example and a label: those
with a probability of at least {LEAST_PROBABILITY} (likely pairs), the mean over labels with at least {LEAST_POSITIVES}
positives in the pooled test parts (frequent labels), and all pairs. Log loss is over all pairs. Smaller is better for all.

{peer_note(results)}{table(["set", "model", *MEASURES], lines)}
{calibration_sentence(means)}
Five metrics of the same models, means over the splits:

{table(["set", "model", *METRICS], more)}"""
