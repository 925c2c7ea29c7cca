# SPDX-License-Identifier: MIT
from harness.contestant import take_turns
from harness.context import say
from harness.markdown import duration, table

TITLE = "Python"
SET = "bibtex"
SETTING = {"rho": 0.1, "sigma": 0.1, "scaling": "zscore", "tolerance": 1e-4}
WANTED = 1.05
TIMES = 50  # in one turn: once takes a few milliseconds
TURNS = 4  # for each of the other parts: what is asked for is a difference of a few hundredths
PAUSE = 0.01  # seconds: neither calls OpenBLAS here, and after a longer one cores are slow at first


def measure(context):
    say(f"python: {SET}")
    folder = context.folder(SET)
    with context.mugrad() as core, context.peer("python_package.py") as package:
        core.ask("load", path=str(folder / "train.arff"), values="float")
        package.ask("load", path=str(folder / "train.xmc"))
        fits = take_turns({"C++": lambda: core.ask("fit", **SETTING),
                           "Python": lambda: package.ask("fit", **SETTING)}, context.repeats)
        scores, labels = (
            take_turns({"C++": lambda: core.ask(work, times=TIMES),
                        "Python": lambda: package.ask(work, times=TIMES)},
                       TURNS * context.repeats, PAUSE)
            for work in ("score", "predict"))
        return {"fit": fits, "predict_proba": scores, "predict": labels}


def render(result, _):
    rows = [[f"`{work}`", duration(seconds["C++"]), duration(seconds["Python"]),
             f"{seconds['Python'] / seconds['C++']:.3f}"] for work, seconds in result.items()]
    met = all(seconds["Python"] <= WANTED * seconds["C++"] for seconds in result.values())
    return (f"The table compares `MGDClassifier` of the Python package with the same calls in C++ on the "
            f"same rows of {SET}; X is CSR with float32 values for both. They take turns, from data in "
            f"memory to a model, to scores and to labels in memory. `predict` returns a sparse matrix, "
            f"because y is one. NumPy's memory for scores is not filled with zeros first, unlike that of "
            f"a `Matrix`. Target: at most {WANTED:g} of C++'s time; met: {'yes' if met else 'no'}.\n\n"
            + table(["", "C++", "Python", "ratio"], rows))
