# SPDX-License-Identifier: MIT
from harness.context import say
from harness.markdown import duration, percent, size, table

TITLE = "Prediction"


def measure(context):
    say("prediction")
    return context.program("prediction", threads=context.threads)[0]


def render(result, results):
    rate = result["bytes"] / result["seconds"]
    share = "-"
    if "roofline" in results:
        levels = results["roofline"]["machine"]["levels"]
        memory = next(level for level in levels if level["level"] == "memory")
        share = percent(rate / memory["load"])
    row = [f"{result['rows']:,}", result["labels"], f"{result['nonzeros'] / result['rows']:.0f}",
           duration(result["seconds"]), f"{result['rows'] / result['seconds']:,.0f}",
           size(rate, "B/s"), share]
    return ("Scores of generated sparse rows in blocks of 1024. Bytes: the features read and the "
            "scores written, once, as double precision.\n\n"
            + table(["rows", "labels", "non-zeros a row", "time", "rows/s", "bytes/s",
                     "of memory bandwidth"], [row]))
