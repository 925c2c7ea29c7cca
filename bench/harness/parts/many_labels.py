# SPDX-License-Identifier: MIT
from harness.context import say
from harness.markdown import duration, size, table

TITLE = "Many labels"


def measure(context):
    result = []
    for labels in context.labels:
        say(f"many-labels: {labels}")
        result += context.program("many_labels", labels=labels, threads=context.threads)
    return result


def render(result, _):
    rows = []
    for before, line in zip([None, *result], result):
        growth = per_label(line) / per_label(before) if before else None
        rows.append([f"{line['labels']:,}", duration(line["seconds"]),
                     f"{growth:.2f}x" if growth else "", line["passes"], line["stop"],
                     size(line["peak_bytes"], "B"), size(line["data_bytes"], "B")])
    first = result[0]
    return (f"The data is {first['rows']:,} generated rows of {first['nonzeros']} non-zeros among "
            f"{first['features']:,} features, with cardinality {first['cardinality']}. The setting is "
            f"{first['neighbours']} neighbours, rho {first['rho']}, sigma {first['sigma']} and tolerance "
            f"{first['tolerance']:g}. Each size is one run in its own process; peak memory is that of "
            "the whole process. Growth is the time per label relative to the previous size. "
            "Target: within 16 GB, and no more than linear.\n\n"
            + table(["labels", "training", "growth", "passes", "stop", "peak memory",
                     "data alone"], rows))


def per_label(line):
    return line["seconds"] / line["labels"]
