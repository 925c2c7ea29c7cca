# SPDX-License-Identifier: MIT
"""docs/benchmarks.md, from the results of the parts."""
from harness.markdown import table
from harness.parts import PARTS

HEAD = """<!-- Written by bench/run: change that, not this. -->
# Benchmarks

Mugrad and its peers on the same data, with the same threads: each part is one run, and says when it
was and of which revision. Contestants hold their data in memory and take turns; the least time of several
turns is shown where a part does not say otherwise, and ratios are the peer's time over Mugrad's. To repeat it: `make bench`, best on a machine that has nothing else to do, which installs the
peers from Debian packages. The data sets must be on the machine (`mugrad fetch --all`, or
`MUGRAD_DATA`). `bench/run --only iteration,training` measures parts and keeps what is known of the
others; `bench/run --help` has the rest.
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
