# SPDX-License-Identifier: MIT
"""No function of the package is too long to take in at a glance."""
import ast
from pathlib import Path

import mugrad

MOST_LINES = 60


def lengths(source):
    """The lines of each function by its name, without its docstring: that is documentation."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            lines = node.end_lineno - node.lineno + 1
            if ast.get_docstring(node) is not None:
                lines -= node.body[0].end_lineno - node.body[0].lineno + 1
            yield node.name, lines


def test_lines_of_docstrings_are_not_counted():
    source = 'def f(\n    x,\n):\n    """Two\n    lines."""\n    return x\n'
    assert list(lengths(source)) == [("f", 4)]


def test_no_function_has_more_than_sixty_lines():
    found = [
        (file.name, *function)
        for file in Path(mugrad.__file__).parent.rglob("*.py")
        for function in lengths(file.read_text(encoding="utf-8"))
    ]
    assert len(found) > 200
    assert [function for function in found if function[2] > MOST_LINES] == []
