# SPDX-License-Identifier: MIT
"""How well probabilities agree with the labels of test parts, pooled over splits."""
import base64
import json
import math
from array import array

from plan import MEASURED, SPLITS
from runner import write_whole

BINS = 15
LEAST_PROBABILITY = 0.05
LEAST_POSITIVES = 20


def encode(numbers):
    return base64.b64encode(array("d", numbers).tobytes()).decode()


def decode(text):
    numbers = array("d")
    numbers.frombytes(base64.b64decode(text))
    return numbers


def calibration_error(pairs):
    """Of pairs (probability, truth); the bins are those of docs/metrics.md."""
    pairs = sorted(pairs)
    count = len(pairs)
    sums = [[0.0, 0.0] for _ in range(BINS)]
    first = 0
    while first < count:
        end = first
        while end < count and pairs[end][0] == pairs[first][0]:
            end += 1
        middle = (first + end - 1) / 2
        total = sums[int(BINS * middle / count)]
        total[0] += pairs[first][0] * (end - first)
        total[1] += sum(truth for _, truth in pairs[first:end])
        first = end
    return sum(abs(score - truth) for score, truth in sums) / count if count else math.nan


def log_loss(pairs):
    def loss(probability, truth):
        clipped = min(max(probability, 1e-15), 1 - 1e-15)
        return -math.log(clipped if truth else 1 - clipped)
    return sum(loss(*pair) for pair in pairs) / len(pairs)


def pooled(splits):
    """Calibration of the scores of several splits; each has them row by row."""
    labels = splits[0]["labels"]
    by_label = [[] for _ in range(labels)]
    for split in splits:
        scores, truths = decode(split["scores"]), decode(split["truths"])
        for label in range(labels):
            by_label[label] += zip(scores[label::labels], truths[label::labels])
    frequent = [pairs for pairs in by_label
                if sum(truth for _, truth in pairs) >= LEAST_POSITIVES]
    errors = [calibration_error(pairs) for pairs in frequent]
    pairs = [pair for several in by_label for pair in several]
    likely = [pair for pair in pairs if pair[0] >= LEAST_PROBABILITY]
    return {"likely pairs": calibration_error(likely),
            "frequent labels": sum(errors) / len(errors) if errors else None,
            "all pairs": calibration_error(pairs),
            "log-loss": log_loss(pairs)}


def summarise(context, part):
    """Writes, by set, the metrics of every split and the calibration of all."""
    for name in context.sets:
        target = context.results / f"{part}-{name}.json"
        rows = json.loads(target.read_text()) if target.exists() else {}
        written = target.stat().st_mtime if target.exists() else 0
        for row in MEASURED[part]:
            files = [context.split_file(part, name, row, split) for split in range(1, SPLITS + 1)]
            if not all(file.exists() for file in files):
                continue
            newest = max(file.stat().st_mtime for file in files)
            if row in rows and newest <= written:
                continue
            splits = [json.loads(file.read_text()) for file in files]
            rows[row] = {"splits": [split["metrics"] for split in splits],
                         "calibration": pooled(splits)}
            write_whole(target, json.dumps(rows, indent=1) + "\n")
