# SPDX-License-Identifier: MIT
"""What is run: parts, each a list of independent commands."""
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build" / "release" / "mugrad"
RESULTS = ROOT / "build" / "reproduction"
SETS = ["emotions", "genbase", "cal500", "enron", "corel5k", "bibtex"]
SPLITS = 5
MANY_SPLITS = 20

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

# The rho of the usual search of mgd and br.
RHO = "0.0001,0.0003,0.001,0.003,0.01,0.03,0.1,0.3,1"
ROWS = {"mgd": "mgd", "br": "br", "br-zscore": f"br --representation zscore --rho {RHO}"}

UNTUNED = ["mgd", "br", "cc", "llsf", "llsf-dl", "ecc", "rakel", "lift", "jfsc", "clr", "camel",
           "lp", "mlknn"]

# By part and name of the row, the entries of `mugrad compare`.
ENTRIES = {
    # Every metric at the setting that inner folds find best by it.
    "tuned": {row: f"{text} --metric each" for row, text in ROWS.items()},
    # One setting for all metrics.
    "one": {f"{row}-one": text for row, text in ROWS.items()},
    "paper": {"mgd-paper": "mgd --preset paper"},
    "published": {"mgd-published":
                  "mgd --preset paper --rho 0.1,0.3,1 --sigma 0,0.1,0.3 --holdout 0.2"},
    # No option tuned, no threshold chosen.
    "others": {"br-weka": "br --weka-ridge --thresholds keep",
               **{f"{name}-default" if name in ROWS else name: f"{name} --thresholds keep"
                  for name in UNTUNED}},
    "twenty": {"mgd": "mgd --metric each"},
}
MORE = {"paper": ["--untuned"], "others": ["--untuned"], "twenty": ["--repeats", str(MANY_SPLITS)]}

# By part and name of the row, what measure.py trains on every split.
MEASURED = {
    "defaults": {"default": ["train"]},
    "calibration": {"auto": ["train", "--auto"],
                    "uncalibrated": ["train", "--auto", "--no-calibrate"]},
    "scikit-learn": {"zscore": ["scikit-learn", "zscore"], "raw": ["scikit-learn", "raw"]},
}

# The last part begins when the others have ended, because it depends on them.
PARTS = ["tuned", "one", "paper", "published", *MEASURED, "others", "studies", "twenty"]


@dataclass(frozen=True)
class Command:
    words: list
    output: Path

    @property
    def name(self):
        return self.output.stem


@dataclass(frozen=True)
class Context:
    """Where and how commands run."""
    program: Path = PROGRAM
    results: Path = RESULTS
    sets: tuple = tuple(SETS)
    threads: int = 1

    def split_file(self, part, name, row, split):
        return self.results / "splits" / f"{part}-{name}-{row}-{split}.json"


def comparisons(context, part, sets):
    for name in sets:
        for row, entry in ENTRIES[part].items():
            setting = " " + PAPER_SETTINGS[name] if part == "paper" else ""
            file = context.results / f"{part}-{name}-{row}.jsonl"
            yield Command([
                context.program, "compare", name, "--entry", f"{row}: {entry}{setting}",
                "-o", file, "--resume", "--timings", "--quiet", "--threads", context.threads,
                *MORE.get(part, [])], file)


def measurements(context, part):
    """Trainings on one split, those that are missing."""
    script = Path(__file__).parent / "measure.py"
    for name in context.sets:
        for row, how in MEASURED[part].items():
            for split in range(1, SPLITS + 1):
                file = context.split_file(part, name, row, split)
                if not file.exists():
                    yield Command([
                        sys.executable, script, name, split, file, "--program", context.program,
                        "--threads", context.threads, "--", *how], file)


def studies(context):
    def study(name, *words):
        file = context.results / f"{name}.json"
        return Command([context.program, "study", *words, "--quiet", "--threads", context.threads,
                        "-o", file], file)
    if "emotions" in context.sets:
        yield study("convergence-zero", "convergence", "emotions", "--sigma", "0.3")
        yield study("convergence-random", "convergence", "emotions", "--sigma", "0.3", "--start",
                    "random")
    for name in ["emotions", "cal500", "enron"]:
        if name in context.sets:
            yield study(f"sensitivity-{name}", "sensitivity", name, "--transfer", "pearson",
                        "--neighbours", "10", "--tolerance", "0.001", "--repeats", "2")


def commands_of(part, context, missed=()):
    """`missed` names the sets of which the part twenty runs more splits."""
    if part in MEASURED:
        return list(measurements(context, part))
    if part == "studies":
        return list(studies(context))
    sets = [name for name in context.sets if part != "twenty" or name in missed]
    return list(comparisons(context, part, sets))
