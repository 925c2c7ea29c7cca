# SPDX-License-Identifier: MIT
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from harness.contestant import take_turns
from harness.context import BUILD, ROOT, mugrad, say
from harness.markdown import duration, met, size, table, times

TITLE = "Texts and tags"
ROWS, TRAINED_ON = 20_000, 16_000
WANTED_RATIO = 5
WANTED_RATE = 10e6  # bytes of text per second of a core
TURNS = 2
SAME_TERMS = {"ngram_range": [1, 2], "min_df": 2, "sublinear_tf": True}
# Options of `mugrad train --tags tags`, and of TfidfVectorizer and LogisticRegression.
OURS = {"the defaults": [], "`--thresholds keep`": ["--thresholds", "keep"],
        "`--max-words 1`": ["--max-words", 1],
        "`--max-words 1 --thresholds keep --sigma 0`":
            ["--max-words", 1, "--thresholds", "keep", "--sigma", 0]}
PEERS = {"the defaults": ({}, {}), "C = 10": ({}, {"C": 10, "max_iter": 1000}),
         "Mugrad's terms": (SAME_TERMS, {})}


def tickets():
    """The files of the training and the test rows."""
    folder = BUILD / "data" / "tickets"
    folder.mkdir(parents=True, exist_ok=True)
    script = ROOT / "examples" / "tickets.py"
    lines = subprocess.run([sys.executable, str(script), "--rows", str(ROWS)],
                           stdout=subprocess.PIPE, check=True).stdout.splitlines(keepends=True)
    files = folder / "train.jsonl", folder / "test.jsonl"
    for file, part in zip(files, (lines[:TRAINED_ON], lines[TRAINED_ON:])):
        file.write_bytes(b"".join(part))
    return files


def processor_seconds_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def keep_least(seconds, name, value):
    seconds[name] = min(value, seconds.get(name, value))


def quality(model, test):
    answer = subprocess.run([str(BUILD / "mugrad"), "evaluate", str(model), str(test), "--json",
                             "--quiet"], stdout=subprocess.PIPE, check=True).stdout
    metrics = json.loads(answer)["metrics"]
    return {name: metrics[name] for name in ("micro-f1", "average-precision")}


def measure(context):
    train, test = tickets()
    with context.peer("texts.py") as peer, tempfile.TemporaryDirectory(dir=BUILD) as folder:
        qualities, processor = {}, {}

        def ours(name):
            model = Path(folder) / "tickets.mugrad"
            start, before = time.perf_counter(), processor_seconds_of_children()
            mugrad(["train", train, "--tags", "tags", *OURS[name], "--threads", context.threads,
                    "-o", model])
            seconds = time.perf_counter() - start
            keep_least(processor, f"Mugrad, {name}", processor_seconds_of_children() - before)
            qualities.setdefault(f"Mugrad, {name}", quality(model, test))
            return {"seconds": seconds}

        def theirs(name):
            vectorizer, regression = PEERS[name]
            answer = peer.ask("train", path=str(train), vectorizer=vectorizer,
                              regression=regression)
            keep_least(processor, f"scikit-learn, {name}", answer["processor_seconds"])
            if f"scikit-learn, {name}" not in qualities:
                qualities[f"scikit-learn, {name}"] = peer.ask("evaluate", path=str(test))
            return answer

        turns = {f"Mugrad, {name}": lambda name=name: ours(name) for name in OURS}
        turns |= {f"scikit-learn, {name}": lambda name=name: theirs(name) for name in PEERS}
        say("texts: training")
        seconds = take_turns(turns, min(TURNS, context.repeats))
    say("texts: terms")
    counts = context.program("texts", file=str(train), threads=context.threads)
    return {"training": {name: {"seconds": seconds[name], "processor_seconds": processor[name],
                                **qualities[name]} for name in turns},
            "bytes": train.stat().st_size, "counts": counts}


def training_rows(training):
    peer = training["scikit-learn, the defaults"]
    for name, line in training.items():
        ratio, wanted, reached = peer["processor_seconds"] / line["processor_seconds"], "", ""
        if name.startswith("Mugrad"):
            wanted = f">= {WANTED_RATIO}x"
            reached = met(ratio >= WANTED_RATIO and line["micro-f1"] >= peer["micro-f1"])
        yield [name, duration(line["seconds"]), duration(line["processor_seconds"]), times(ratio),
               f"{line['micro-f1']:.4f}", f"{line['average-precision']:.4f}", wanted, reached]


def count_rows(counts):
    for line in counts:
        rate = line["bytes"] / line["counting"]
        learning = line["bytes"] / line["learning"] if line["learning"] else 0
        yield [line["terms"], f"{line['features']:,}", line["threads"],
               size(learning, "B/s") if learning else "", size(rate, "B/s"),
               f">= {size(WANTED_RATE, 'B/s')}", met(rate >= WANTED_RATE),
               "yes" if line["same"] else "no"]


def render(result, _):
    counts = result["counts"]
    return (f"The data is {TRAINED_ON:,} tickets of `examples/tickets.py` ({size(result['bytes'], 'B')} "
            f"of JSON lines) to train on and {ROWS - TRAINED_ON:,} to test. Times are from a file to a "
            "model: for Mugrad, of the whole program `mugrad train --tags tags`, for scikit-learn, in a "
            "process that has loaded its modules. By default, Mugrad takes the words and pairs of words "
            "of subject and body and the other columns, and trains once more, on an inner fold, to "
            "choose a threshold and calibrate; `--thresholds keep` trains once. scikit-learn has "
            "`TfidfVectorizer` on subject and body as one text, and "
            "`OneVsRestClassifier(LogisticRegression())`, with a threshold of 0.5 and as many "
            "processes; Mugrad's terms are words and pairs that occur in two texts, counted 1 + ln c. "
            "Processor time is that of all threads and processes, which other programs change less. The "
            "ratio is that of scikit-learn's defaults divided by that of the row. Target: at least "
            f"{WANTED_RATIO} times as fast at equal or better micro-F1.\n\n"
            + table(["", "time", "processor time", "ratio", "micro-F1", "average precision",
                     "target", "met"], training_rows(result["training"]))
            + f"\n\nThe bodies of the training rows ({size(counts[0]['bytes'], 'B')}) become a "
            "vocabulary and counts, in memory. Rates are bytes of text per second of processor time of "
            "all threads; the last column says whether results are the same for one thread and for "
            "all.\n\n"
            + table(["terms", "features", "threads", "vocabulary", "counts", "target", "met", "same"],
                    count_rows(counts)))
