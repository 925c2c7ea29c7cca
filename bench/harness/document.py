# SPDX-License-Identifier: MIT
"""docs/benchmarks.md, from the results of the parts."""
from harness.markdown import table
from harness.parts import PARTS

HEAD = """<!-- Written by bench/run: change that, not this. -->
# Benchmarks

This document compares Mugrad with its peers on the same data, with the same number of threads. Each part is one
run, and states its date and revision. Contestants keep their data in memory and take turns. Times are the shortest of
several turns unless a part says otherwise, and ratios are the peer's time divided by Mugrad's.

To repeat the measurements, run `make bench`, preferably on an idle machine; it installs the peers from Debian packages.
The data sets must be on the machine (`mugrad fetch --all`, or `MUGRAD_DATA`). `bench/run --only iteration,training`
measures some parts and keeps the results of the others; `bench/run --help` lists all options.
"""


def document(kept):
    """`kept` has, by part, the result and when and on what it was measured."""
    results = {name: part["result"] for name, part in kept.items()}
    sections = [HEAD]
    if kept:
        latest = max(kept.values(), key=lambda part: part["measured"])
        sections.append(table(["measured on", ""], latest["machine"].items()) + "\n")
    for name, module in PARTS.items():
        if name not in kept:
            continue
        part = kept[name]
        sections.append(f"## {module.TITLE}\n\n{module.render(part['result'], results)}\n\n"
                        f"Measured {part['measured']}, revision {part['revision']}, "
                        f"{part['threads']} threads.\n")
    return "\n".join(sections)
