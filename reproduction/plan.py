# SPDX-License-Identifier: MIT
"""What is run: parts, each some commands of the program."""
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "release" / "mugrad"
RESULTS = ROOT / "build" / "reproduction"
SETS = ["emotions", "genbase", "cal500", "enron", "corel5k", "bibtex"]

# MGD as the paper ran it, with one setting of its grid per set: those that trial runs found nearest
# to its figures, which were chosen by looking at test parts.
PAPER_SETTINGS = {
    "emotions": "--rho 0.1 --sigma 0.1 --iterations 1000 --threshold 0.3",
    "genbase": "--rho 0.1 --sigma 0.15 --iterations 1000 --threshold 0.3",
    "cal500": "--rho 1 --sigma 0.1 --iterations 3000 --threshold 0.2",
    "enron": "--rho 0.5 --sigma 0.1 --iterations 1000 --threshold 0.2",
    "corel5k": "--rho 0.5 --sigma 0.1 --iterations 500 --threshold 0.2",
    "bibtex": "--rho 0.1 --sigma 0.1 --iterations 500 --threshold 0.3",
}

# Every metric at the setting that inner folds find best by it, and one setting for all metrics.
TUNED = ["mgd: mgd --metric each", "br: br --metric each"]
ONE = ["mgd-one: mgd", "br-one: br"]
PUBLISHED = ["mgd-published: mgd --preset paper --rho 0.1,0.3,1 --sigma 0,0.1,0.3 --holdout 0.2"]
# All as they are: no option tuned, no threshold chosen.
OTHERS = [
    "mgd-default: mgd --thresholds keep",
    "br-default: br --thresholds keep",
    "br-weka: br --weka-ridge --thresholds keep",
    "cc: cc --thresholds keep",
    "llsf: llsf --thresholds keep",
    "llsf-dl: llsf-dl --thresholds keep",
    "ecc: ecc --thresholds keep",
    "rakel: rakel --thresholds keep",
    "lift: lift --thresholds keep",
    "jfsc: jfsc --thresholds keep",
    "clr: clr --thresholds keep",
    "camel: camel --thresholds keep",
    "lp: lp --thresholds keep",
]

PARTS = ["tuned", "one", "paper", "published", "others", "ten", "studies"]


def compare(file, sets, entries, *more):
    """A comparison by the paper's protocol that is gone on with."""
    command = [PROGRAM, "compare", *sets, "-o", RESULTS / file, "--resume", "--timings"]
    for entry in entries:
        command += ["--entry", entry]
    return [*command, *more]


def studies():
    yield [PROGRAM, "study", "convergence", "emotions", "--quiet", "--sigma", "0.3",
           "-o", RESULTS / "convergence-zero.json"]
    yield [PROGRAM, "study", "convergence", "emotions", "--quiet", "--sigma", "0.3", "--start",
           "random", "-o", RESULTS / "convergence-random.json"]
    for name in ["emotions", "cal500", "enron"]:
        yield [PROGRAM, "study", "sensitivity", name, "--quiet", "--transfer", "pearson",
               "--neighbours", "10", "--tolerance", "0.001", "--repeats", "2",
               "-o", RESULTS / f"sensitivity-{name}.json"]


def commands_of(part):
    if part == "tuned":
        return [compare("tuned.jsonl", SETS, TUNED)]
    if part == "one":
        return [compare("one.jsonl", SETS, ONE)]
    if part == "paper":
        return [compare(f"paper-{name}.jsonl", [name],
                        [f"mgd-paper: mgd --preset paper {setting}"], "--untuned")
                for name, setting in PAPER_SETTINGS.items()]
    if part == "published":
        return [compare("published.jsonl", SETS, PUBLISHED)]
    if part == "ten":
        return [compare("ten/emotions.jsonl", ["emotions"], TUNED, "--repeats", "10")]
    if part == "others":
        return [compare("others.jsonl", SETS, OTHERS, "--untuned")]
    return list(studies())
