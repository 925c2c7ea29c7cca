# SPDX-License-Identifier: MIT
"""The commands under attack: what each reads, writes and must leave behind."""

import dataclasses
import gzip
import pathlib
import shutil
import subprocess

QUIET = ["-q", "--threads", "2"]


@dataclasses.dataclass
class Scenario:
    """A command line, run in a folder that holds its inputs and older results.

    `written` lists what the command writes, in groups: the files of a group appear together or not
    at all. Where they are beside other files, a kill may come between two of them: then some are
    missing until the next run, which has them. Of a file in `grows`, what was there stays and whole
    lines are added. A table in `fills` may hold the first scores of each row alone.
    """

    name: str
    arguments: list
    written: list = dataclasses.field(default_factory=list)
    grows: list = dataclasses.field(default_factory=list)
    fills: list = dataclasses.field(default_factory=list)
    again: list = None  # command line that finishes what a killed run began; None: the same
    prints: bool = False  # writes its result to standard output
    environment: dict = dataclasses.field(default_factory=dict)
    template: pathlib.Path = None  # the folder before the command runs
    before: dict = None  # content of every file in it
    after: dict = None  # the same after an undisturbed run
    output: bytes = b""  # of an undisturbed run


def contents(folder):
    """Every file below a folder with its bytes, and every empty folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_file():
            found[name] = path.read_bytes()
        elif path.is_dir() and not any(path.iterdir()):
            found[name + "/"] = b""
    return found


def train(method, *more):
    return ["train", "data.arff", "--method", method, "-o", "out.mugrad", *more, *QUIET]


def scenarios(mirror):
    """All of them; `mirror` is the URL that fetch asks, or None."""
    compare = ["compare", "data.arff", "--methods", "br,llsf", "--untuned", "--repeats", "2",
               "-o", "results.jsonl", *QUIET]
    all_of_them = [
        Scenario("train", train("mgd", "--trace", "trace.csv"),
                 [["out.mugrad"], ["trace.csv"]], prints=True),
        Scenario("train --auto", train("mgd", "--auto", "--rho", "0.1,1", "--sigma", "0.1"),
                 [["out.mugrad"]], prints=True),
        Scenario("train --transfer", train("mgd", "--transfer", "relations.csv"),
                 [["out.mugrad"]], prints=True),
        Scenario("predict", ["predict", "model.mugrad", "data.arff", "-o", "out.csv", *QUIET],
                 [["out.csv"]]),
        Scenario("predict --scores", ["predict", "model.mugrad", "data.arff", "--scores", *QUIET],
                 prints=True),
        Scenario("evaluate", ["evaluate", "model.mugrad", "data.arff", "--per-label", *QUIET],
                 prints=True),
        Scenario("tune", ["tune", "data.arff", "--rho", "0.1,1", "--sigma", "0,0.1",
                          "-o", "out.mugrad", "--table", "out.csv", *QUIET],
                 [["out.mugrad"]], fills=["out.csv"], prints=True),
        Scenario("compare", compare, grows=["results.jsonl"], again=compare + ["--resume"],
                 prints=True),
        Scenario("compare --resume", compare + ["--resume"], grows=["results.jsonl"],
                 prints=True),
        Scenario("compare --retry-failed", compare + ["--resume", "--retry-failed"],
                 grows=["results.jsonl"], prints=True),
        Scenario("study convergence", ["study", "convergence", "data.arff", "--steps", "10",
                                       "-o", "out.json", *QUIET], [["out.json"]], prints=True),
        Scenario("study sensitivity", ["study", "sensitivity", "data.arff", "--rhos", "0.1,1",
                                       "--sigmas", "0,0.1", "-o", "out.json", *QUIET],
                 [["out.json"]], prints=True),
        Scenario("report", ["report", "done.jsonl", "curve.json", "map.json", "model.mugrad",
                            "-o", "out.html", "-q"], [["out.html"]]),
        Scenario("report --format markdown", ["report", "done.jsonl", "--format", "markdown"],
                 prints=True),
        Scenario("info", ["info", "data.arff", "--json"], prints=True),
        Scenario("info of a compressed file", ["info", "data.arff.gz", "--json"], prints=True),
        Scenario("info --relations", ["info", "model.mugrad", "--relations", "out.csv", "-q"],
                 [["out.csv"]], prints=True),
        Scenario("split", ["split", "data.arff", "-o", "parts", "-q"], [["parts"]], prints=True),
        Scenario("split --folds", ["split", "data.arff", "--folds", "2", "-o", "folds", "-q"],
                 [["folds"]], prints=True),
        Scenario("split beside other files", ["split", "data.arff", "-o", ".", "-q"],
                 [[f"{part}.{ending}" for part in ("train", "test")
                   for ending in ("arff", "xml")]], prints=True),
        Scenario("convert to arff", ["convert", "data.arff", "out.arff", "-q"],
                 [["out.arff", "out.xml"]], prints=True),
        Scenario("convert to csv", ["convert", "data.arff", "out.csv", "-q"], [["out.csv"]],
                 prints=True),
        Scenario("convert to libsvm", ["convert", "data.arff", "out.libsvm", "-q"],
                 [["out.libsvm"]], prints=True),
        Scenario("generate", ["generate", "-o", "out.arff", "--rows", "12", "--features", "3",
                              "--labels", "4", "--graph", "graph.csv", "-q"],
                 [["out.arff", "out.xml"], ["graph.csv"]], prints=True),
        Scenario("certify", ["certify", "data.arff", "--check", "--check-iterations", "5", *QUIET],
                 prints=True),
        Scenario("methods", ["methods"], prints=True),
        Scenario("--help", ["train", "--help"], prints=True),
        Scenario("wrong call", ["train", "data.arff", "--no-such-option"]),
        Scenario("wrong data", ["train", "broken.arff"]),
    ]
    all_of_them += [Scenario(f"train --method {method}", train(method, *more), [["out.mugrad"]],
                             prints=True)
                    for method, more in (("br", ()), ("cc", ()), ("ecc", ("--members", "2")),
                                         ("lp", ()), ("rakel", ()), ("clr", ()), ("lift", ()),
                                         ("llsf", ()), ("llsf-dl", ()), ("jfsc", ()),
                                         ("camel", ()), ("mlknn", ()))]
    if mirror is not None:
        all_of_them.append(
            Scenario("fetch", ["fetch", "emotions", "--from", mirror, "-o", "sets", "-q"],
                     [["sets/emotions/emotions.arff", "sets/emotions/emotions.xml"]], prints=True))
    return all_of_them


class Workshop:
    """Makes the folders that the commands start from, with the program itself."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder

    def run(self, folder, arguments):
        done = subprocess.run([str(self.program), *arguments], cwd=folder, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode != 0:
            raise SystemExit(f"mugrad {' '.join(arguments)} failed in {folder}:\n"
                             f"{done.stderr.decode()}")
        return done.stdout

    def inputs(self, name, seed, rows):
        """A folder with all that the commands read."""
        folder = self.folder / name
        folder.mkdir()
        self.run(folder, ["generate", "-o", "data.arff", "--rows", str(rows), "--features", "4",
                          "--labels", "3", "--group-size", "2", "--seed", str(seed), "-q"])
        (folder / "data.arff.gz").write_bytes(gzip.compress((folder / "data.arff").read_bytes()))
        self.run(folder, ["train", "data.arff", "-o", "model.mugrad", "-q"])
        self.run(folder, ["info", "model.mugrad", "--relations", "relations.csv", "-q"])
        self.run(folder, ["compare", "data.arff", "--methods", "br,llsf", "--untuned", "--repeats",
                          "2", "-o", "done.jsonl", "-q"])
        self.run(folder, ["study", "convergence", "data.arff", "--steps", "10", "-o", "curve.json",
                          "-q"])
        self.run(folder, ["study", "sensitivity", "data.arff", "--rhos", "0.1,1", "--sigmas",
                          "0,0.1", "-o", "map.json", "-q"])
        (folder / "broken.arff").write_text("@relation r\n@attribute a numeric\n@data\nx\n")
        return folder

    def start_results(self, scenario):
        """The file that a comparison goes on with: some records, one of a failure."""
        lines = (scenario.template / "done.jsonl").read_text().splitlines(keepends=True)
        kept = lines[:3]
        if "--retry-failed" in scenario.arguments:
            set_and_method = lines[1].split(',"options"')[0]
            kept = [lines[0], set_and_method + ',"failure":"it failed"}\n', lines[2]]
        if "--resume" in scenario.arguments:
            (scenario.template / "results.jsonl").write_text("".join(kept) + lines[3][:20])

    def prepare(self, chosen):
        old = self.inputs("old", 7, 24)
        new = self.inputs("new", 8, 20)
        for number, scenario in enumerate(chosen):
            scenario.template = self.folder / f"template-{number}"
            shutil.copytree(old, scenario.template)
            if not scenario.grows and scenario.written:
                self.run(scenario.template, scenario.arguments)
            for path in new.iterdir():
                shutil.copy(path, scenario.template / path.name)
            if scenario.grows:
                self.start_results(scenario)
            scenario.before = contents(scenario.template)
            undisturbed = self.folder / f"undisturbed-{number}"
            shutil.copytree(scenario.template, undisturbed)
            done = subprocess.run([str(self.program), *scenario.arguments], cwd=undisturbed,
                                  stdin=subprocess.DEVNULL, capture_output=True, check=False)
            expected = {"wrong call": 2, "wrong data": 1}.get(scenario.name, 0)
            if done.returncode != expected:
                raise SystemExit(f"{scenario.name} ended with {done.returncode}:\n"
                                 f"{done.stderr.decode()}")
            scenario.code = done.returncode
            scenario.after = contents(undisturbed)
            scenario.output = done.stdout
            shutil.rmtree(undisturbed)
