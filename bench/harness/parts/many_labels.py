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
    rows = [[f"{line['labels']:,}", duration(line["seconds"]), line["passes"], line["stop"],
             size(line["peak_bytes"], "B"), size(line["data_bytes"], "B")] for line in result]
    first = result[0]
    return (f"{first['rows']:,} generated rows of {first['nonzeros']} non-zeros among "
            f"{first['features']:,} features, cardinality {first['cardinality']}, "
            f"{first['neighbours']} neighbours, rho {first['rho']}, sigma {first['sigma']}, to "
            f"{first['tolerance']:g}. A process per size; peak memory is that of the whole "
            "process.\n\n"
            + table(["labels", "training", "passes", "stop", "peak memory", "of it the data"],
                    rows))
