# SPDX-License-Identifier: MIT
import tempfile

from harness.context import BUILD, say
from harness.markdown import duration, met, size, table

TITLE = "Reading data files"
WANTED = 150e6


def measure(context):
    say("reading")
    with tempfile.TemporaryDirectory(dir=BUILD) as folder:
        return context.program("reading", folder=folder)


def render(result, _):
    rows = [[line["format"], line["values"], size(line["bytes"], "B"), duration(line["seconds"]),
             size(line["bytes"] / line["seconds"], "B/s"), f">= {size(WANTED, 'B/s')}",
             met(line["bytes"] / line["seconds"] >= WANTED)] for line in result]
    return ("The sparse files contain generated rows in the shape of bibtex, with values of 17 digits or with "
            "ones; the dense ones have 100 features and 10 labels, and every value. One thread reads them from "
            "the page cache. Times are medians of three readings.\n\n"
            + table(["format", "values", "file", "time", "rate", "target", "met"], rows))
