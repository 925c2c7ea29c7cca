# SPDX-License-Identifier: MIT
"""What is measured, in the order of the document. A part is a module with TITLE, measure(context),
which returns what JSON can hold, and render(result, results), which makes the section of it;
`results` has what is known of the other parts. A new part is a new module named here."""
from harness.parts import (grid, iteration, many_labels, passes, prediction, python_package,
                           reading, roofline, storage, texts, training)

PARTS = {
    "iteration": iteration,
    "training": training,
    "passes": passes,
    "grid": grid,
    "roofline": roofline,
    "reading": reading,
    "texts": texts,
    "storage": storage,
    "prediction": prediction,
    "many-labels": many_labels,
    "python": python_package,
}
