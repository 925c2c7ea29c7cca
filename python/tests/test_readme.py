# SPDX-License-Identifier: MIT
"""The lines of README.md are tried as they stand there."""
import re
from pathlib import Path

README = Path(__file__).resolve().parents[2] / "README.md"


def test_python_of_the_readme_gives_predictions_with_names(capsys):
    blocks = re.findall(r"^```python\n(.*?)^```$", README.read_text(), flags=re.M | re.S)
    assert blocks
    for block in blocks:
        exec(compile(block, str(README), "exec"), {})
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].split() == ["art", "law", "sport", "tech"]
    assert len(shown) == 6
