# SPDX-License-Identifier: MIT
import statistics
import tempfile
import time
from pathlib import Path

from harness.context import BUILD, mugrad, say
from harness.markdown import duration, percent, size, table

TITLE = "Prediction"
OUTPUTS = {"labels": [], "scores": ["--scores"]}


def measure(context):
    say("prediction")
    with tempfile.TemporaryDirectory(dir=BUILD) as name:
        folder = Path(name)
        result = context.program("prediction", threads=context.threads, folder=name)[0]
        result["file_bytes"] = (folder / "prediction.svm").stat().st_size
        result["commands"] = {output: command_seconds(context, folder, options)
                              for output, options in OUTPUTS.items()}
    return result


def command_seconds(context, folder, options):
    """Of the whole program: model loaded, rows read, scored and written."""
    seconds = []
    for _ in range(context.repeats):
        start = time.perf_counter()
        mugrad(["predict", folder / "prediction.mugrad", folder / "prediction.svm", *options,
                "--threads", context.threads, "-o", folder / "predictions.csv"])
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def render(result, results):
    rate = result["bytes"] / result["seconds"]
    share = "-"
    if "roofline" in results:
        levels = results["roofline"]["machine"]["levels"]
        memory = next(level for level in levels if level["level"] == "memory")
        share = percent(rate / memory["load"])
    rows = [["in memory", duration(result["seconds"]),
             f"{result['rows'] / result['seconds']:,.0f}", size(rate, "B/s"), share]]
    for name, seconds in result.get("commands", {}).items():
        rows.append([f"`mugrad predict`, {name}", duration(seconds),
                     f"{result['rows'] / seconds:,.0f}",
                     size(result["file_bytes"] / seconds, "B/s"), "-"])
    return (f"The data is {result['rows']:,} generated sparse rows with {result['labels']} labels and "
            f"{result['nonzeros'] / result['rows']:.0f} non-zeros per row. In memory, rows are scored in "
            "blocks of 1024; the bytes are the features read and the scores written, once each, in "
            f"double precision. The program reads a LIBSVM file of {size(result['file_bytes'], 'B')} and "
            "writes text; its bytes are those of that file. Times are medians of five runs in memory and "
            "of three runs of the program.\n\n"
            + table(["", "time", "rows/s", "bytes/s", "of memory bandwidth"], rows))
