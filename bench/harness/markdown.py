# SPDX-License-Identifier: MIT
"""Tables, and numbers as people read them."""


def table(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def duration(seconds):
    if seconds >= 99.95:
        return f"{seconds:.0f} s"
    for unit, factor in (("s", 1), ("ms", 1e-3)):
        if seconds >= 0.9995 * factor:
            return f"{seconds / factor:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} us"


def size(count, unit):
    """1.5 GB/s, 20 GFLOP/s: decimal prefixes."""
    for prefix, factor in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if count >= factor:
            return f"{count / factor:.3g} {prefix}{unit}"
    return f"{count:.3g} {unit}"


def times(ratio):
    return f"{ratio:.2f}x" if ratio < 10 else f"{ratio:.1f}x"


def percent(share):
    return f"{100 * share:.0f} %"


def met(yes):
    return "yes" if yes else "no"
