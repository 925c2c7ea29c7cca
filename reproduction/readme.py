# SPDX-License-Identifier: MIT
"""The figures of README.md."""
import textwrap

from comparison import accuracy_sentence, accuracy_table
from markdown import between
from runner import write_whole

WIDTH = 108
CAPTION = """
All are tuned on the training parts of five random splits, and evaluated on the test parts; **bold** marks the best
of three. BR trains every label alone, on z-scored features or on features whose representation is tuned as for MGD.
"""


def replaced(text, name, new):
    """The text with new content between two marks, which it must have."""
    found = between(text, name)
    if found is None:
        raise SystemExit(f"reproduction: README.md lacks the marks <!-- {name} --> and <!-- /{name} -->")
    return text[:found[0]] + new + text[found[1]:]


def update_readme(file, results):
    """Writes the sentence and the table of accuracy; False if the results are not complete."""
    table = accuracy_table(results)
    if table is None:
        return False
    sentence = textwrap.indent(textwrap.fill(accuracy_sentence(results), WIDTH), "  ")
    text = file.read_text(encoding="utf-8")
    text = replaced(text, "accurate", f"\n{sentence}\n  ")
    text = replaced(text, "accuracy", f"\n{table}{CAPTION}")
    write_whole(file, text)
    return True
