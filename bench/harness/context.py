# SPDX-License-Identifier: MIT
"""Where programs and data are, and how much is to be measured."""
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from harness.contestant import Contestant, results_of

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "bench"
PEERS = ROOT / "bench" / "peers"
SETS = ("emotions", "genbase", "cal500", "enron", "corel5k", "bibtex")


@dataclass
class Context:
    sets: tuple = SETS
    threads: int = 2
    repeats: int = 5
    plain_seconds: float = 120  # that one run of the plain iteration may take
    labels: tuple = (1000, 10_000, 100_000)  # sizes of the part many-labels

    def only(self, wanted):
        """Those of the wanted sets that are to be measured."""
        return [name for name in wanted if name in self.sets]

    def folder(self, name):
        """The shared split of a data set: 80 % of the rows, drawn once, as train.arff for Mugrad
        and as train.xmc, the same numbers, for the peers."""
        folder = BUILD / "data" / name
        if not (folder / "train.xmc").exists():
            mugrad(["split", name, "-o", folder, "--train", "0.8", "--seed", "1"])
            mugrad(["convert", folder / "train.arff", folder / "train.xmc"])
        return folder

    def mugrad(self):
        return Contestant([BUILD / "bench" / "contestant", json.dumps({"threads": self.threads})])

    def peer(self, script, blas_threads=None):
        return Contestant([sys.executable, PEERS / script, self.threads],
                          blas_threads or self.threads)

    def program(self, name, **parameters):
        """What a program of bench/programs prints."""
        return results_of([BUILD / "bench" / name, json.dumps(parameters)])


def mugrad(arguments):
    command = [str(word) for word in (BUILD / "mugrad", *arguments, "--quiet")]
    finished = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False)
    if finished.returncode != 0:
        raise SystemExit(f"bench: {finished.stderr.strip()}\n"
                         "bench: MUGRAD_DATA may also name a folder that has the data sets")


def say(message):
    print(f"bench: {message}", file=sys.stderr, flush=True)
