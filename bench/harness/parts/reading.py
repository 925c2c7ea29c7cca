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
    csv = {line["values"]: line["seconds"] for line in result if line["format"] == "csv"}
    rows = []
    for line in result:
        rate, values = line["bytes"] / line["seconds"], line["values"]
        beside = f"{line['seconds'] / csv[values]:.2f}" if values in csv else ""
        rows.append([line["format"], values, size(line["bytes"], "B"), duration(line["seconds"]),
                     size(rate, "B/s"), f">= {size(WANTED, 'B/s')}", met(rate >= WANTED), beside])
    return ("The sparse files contain generated rows in the shape of bibtex, with values of 17 digits or with "
            "ones; the dense ones have 100 features and 10 labels, and every value. One thread reads them from "
            "the page cache. Times are medians of three readings; the last column has the time relative to CSV "
            "with commas.\n\n"
            + table(["format", "values", "file", "time", "rate", "target", "met", "of CSV"], rows))
