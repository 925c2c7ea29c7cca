# SPDX-License-Identifier: MIT
"""Trains on one split of a set; stores metrics, scores and labels of the test part.

measure.py SET SPLIT FILE --program FILE -- train [OPTIONS]    trains with the program
measure.py SET SPLIT FILE --program FILE -- scikit-learn zscore|raw
"""
import argparse
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from calibration import encode
from figures import METRICS
from runner import write_whole


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("set")
    parser.add_argument("split", type=int, help="number of the split, which is its seed")
    parser.add_argument("output", type=Path)
    parser.add_argument("--program", required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("how", nargs="+")
    return parser.parse_args()


def labels_of_rows(file):
    """The sets of true labels in a LIBSVM file."""
    with open(file, encoding="utf-8") as lines:
        first = [line.split(" ", 1)[0].strip() for line in lines]
    return [{int(label) for label in text.split(",")} if text and ":" not in text else set()
            for text in first]


class Split:
    """The parts of a split, those of `mugrad compare`, as ARFF and LIBSVM files in a folder."""

    def __init__(self, given, folder):
        self.given = given
        self.folder = folder
        self.program("split", given.set, "-o", folder / "parts", "--seed", given.split)
        for part in ["train", "test"]:
            self.program("convert", self.file(part, "arff"), self.file(part, "svm"))

    def file(self, part, form):
        return self.folder / "parts" / f"{part}.{form}"

    def program(self, *words):
        command = [str(word) for word in [self.given.program, *words, "--quiet"]]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"mugrad {words[0]} ended with status {done.returncode}")
        return done.stdout


def train(split, options):
    """Metrics and scores of a model of the program."""
    threads = ["--threads", split.given.threads]
    model, scores = split.folder / "model.mugrad", split.folder / "scores.csv"
    test = split.file("test", "arff")
    split.program("train", split.file("train", "arff"), *options, "-o", model, *threads)
    metrics = json.loads(split.program("evaluate", model, test, "--json", *threads))["metrics"]
    split.program("predict", model, test, "--scores", "-o", scores, *threads)
    with open(scores, encoding="utf-8", newline="") as lines:
        rows = [[float(cell) for cell in row[1:]] for row in list(csv.reader(lines))[1:]]
    return metrics, rows


def main():
    given = parse()
    with tempfile.TemporaryDirectory() as folder:
        split = Split(given, Path(folder))
        kind, *options = given.how
        if kind == "train":
            metrics, rows = train(split, options)
        else:
            from peer import scikit_learn  # not installed everywhere
            metrics, rows = scikit_learn(split, options[0] == "zscore")
        truths = labels_of_rows(split.file("test", "svm"))
    count = len(rows[0])
    write_whole(given.output, json.dumps({
        "metrics": {metric: metrics[metric] for metric in METRICS}, "labels": count,
        "scores": encode(score for row in rows for score in row),
        "truths": encode(label in row for row in truths for label in range(count))}) + "\n")


if __name__ == "__main__":
    main()
