# SPDX-License-Identifier: MIT
"""The chart of README.md: training times of the part "training", relative to Mugrad's."""
from harness.markdown import duration, times

BARS = (("mugrad", "Mugrad", "#0b6e4f"), ("program", "LIBLINEAR's program", "#9aa5b1"),
        ("liblinear", "scikit-learn, liblinear", "#9aa5b1"),
        ("lbfgs", "scikit-learn, lbfgs", "#9aa5b1"))
WIDTH, LEFT, RIGHT = 760, 250, 130  # pixels: the whole, the names, the times
TOP, BAR, GAP = 52, 20, 16  # pixels: above the bars, per bar, between data sets


def text(x, y, content, style=""):
    return f'<text x="{x:.0f}" y="{y:.0f}"{style}>{content}</text>'


def picture(result):
    """An SVG image; `result` is what the part measured: seconds per data set and contestant."""
    slowest = max(line["seconds"][name] / line["seconds"]["mugrad"]
                  for line in result for name, *_ in BARS)
    height = TOP + len(result) * (len(BARS) * BAR + GAP)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
             f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="13" fill="#1f2933">',
             "<title>Training time on three public data sets, shorter is better</title>",
             f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
             text(16, 28, "Training time, one linear classifier per label: shorter is better",
                  ' font-size="16" font-weight="bold"')]
    y = TOP
    for line in result:
        parts.append(text(16, y + BAR - 6, line["set"], ' font-weight="bold"'))
        for name, title, colour in BARS:
            ratio = line["seconds"][name] / line["seconds"]["mugrad"]
            width = (WIDTH - LEFT - RIGHT) * ratio / slowest
            label = duration(line["seconds"][name])
            if name != "mugrad":
                label += f" ({times(ratio)})"
            parts += [text(LEFT - 8, y + BAR - 6, title, ' text-anchor="end"'),
                      f'<rect x="{LEFT}" y="{y + 3}" width="{width:.1f}" height="{BAR - 5}" fill="{colour}"/>',
                      text(LEFT + width + 6, y + BAR - 6, label)]
            y += BAR
        y += GAP
    return "\n".join([*parts, "</svg>"]) + "\n"
