# SPDX-License-Identifier: MIT
"""Tables, and numbers as text."""


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def number(value, digits=3):
    return "-" if value is None else f"{value:.{digits}f}"


def listed(texts):
    """A, B and C."""
    texts = list(texts)
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts) or "none"


def between(text, name):
    """The positions of the text between the marks <!-- name --> and <!-- /name -->, or None."""
    mark = f"<!-- {name} -->"
    first, end = text.find(mark), text.find(f"<!-- /{name} -->")
    return None if first < 0 or end < 0 else (first + len(mark), end)
