#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""scikit-learn on tickets: TfidfVectorizer and one logistic regression per tag, from a file to a
model. The subject and the body of a ticket are one text."""
import json
import os
import sys
import time
import warnings
from pathlib import Path

from protocol import serve
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, label_ranking_average_precision_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MultiLabelBinarizer

THREADS = int(sys.argv[1])


def read(path):
    with open(path, encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return ([f"{record['subject']} {record['body']}" for record in records],
            [record["tags"] for record in records])


def processor_seconds():
    """Of this process and its children, which live on between two trainings."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended since
            continue
        if os.getpid() in (int(stat.parent.name), int(fields[1])):
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


class Texts:
    def train(self, path, vectorizer, regression):
        """With options of TfidfVectorizer and of LogisticRegression."""
        start, before = time.perf_counter(), processor_seconds()
        texts, tags = read(path)
        self.binarizer = MultiLabelBinarizer()
        y = self.binarizer.fit_transform(tags)
        if "ngram_range" in vectorizer:
            vectorizer["ngram_range"] = tuple(vectorizer["ngram_range"])
        self.model = make_pipeline(
            TfidfVectorizer(**vectorizer),
            OneVsRestClassifier(LogisticRegression(**regression), n_jobs=THREADS))
        self.model.fit(texts, y)
        return {"seconds": time.perf_counter() - start,
                "processor_seconds": processor_seconds() - before}

    def evaluate(self, path):
        texts, tags = read(path)
        y, scores = self.binarizer.transform(tags), self.model.predict_proba(texts)
        return {"micro-f1": f1_score(y, scores >= 0.5, average="micro"),
                "average-precision": label_ranking_average_precision_score(y, scores)}


warnings.filterwarnings("ignore", category=ConvergenceWarning)
peer = Texts()
serve({"train": peer.train, "evaluate": peer.evaluate})
