# SPDX-License-Identifier: MIT
import json
import subprocess

from harness.context import BUILD, SETS, say
from harness.markdown import duration, met, percent, size, table

TITLE = "The fused pass against the machine"
WANTED = 0.5
FLOAT = 4  # bytes
# Labels in a cache line: the narrowest panel of weights whose every byte fetched is used.
PANEL = 16


def measure(context):
    say("roofline: the machine")
    machine = context.program("roofline", threads=context.threads)[0]
    say("roofline: the kernels")
    files = [str(context.folder(name) / "train.arff") for name in context.sets]
    output = subprocess.run([BUILD / "bench" / "kernels", "--benchmark_format=json",
                             str(context.threads), *files],
                            stdout=subprocess.PIPE, text=True, check=True).stdout
    kernels = {run["name"].removesuffix("/real_time"): run
               for run in json.loads(output)["benchmarks"]}
    shapes = {}
    for name in context.only(SETS):
        with context.mugrad() as mugrad:
            shapes[name] = mugrad.ask("load", path=str(context.folder(name) / "train.arff"))
    return {"machine": machine, "kernels": kernels, "shapes": shapes}


def level_that_holds(machine, needed):
    return next(level for level in machine["levels"]
                if level["capacity"] >= needed or level["level"] == "memory")


def bounds(machine, shape):
    """Seconds below which no pass can be, by what would limit it."""
    rows, columns, labels = shape["rows"], shape["features"] + 1, shape["labels"]
    entries = shape["nonzeros"] if shape["sparse"] else rows * columns
    # A multiply-add for the score and one for the gradient.
    result = {"arithmetic": 4 * entries * labels / machine["flops"]}

    # The features are read once, sparse ones with their columns; weights are read, gradients
    # written. They come from memory unless all of it fits into a cache.
    features = entries * (2 * FLOAT if shape["sparse"] else FLOAT)
    level = level_that_holds(machine, features + 2 * FLOAT * columns * labels)
    result[f"features from {level['level']}"] = (
        (features + 2 * FLOAT * columns * labels) / level["load"])

    if shape["sparse"]:
        # Each non-zero and label: a weight loaded for the score, a gradient (or, walking columns,
        # a residual) for the other multiply-add. Walking rows or columns one by one, consecutive
        # non-zeros have nothing in common that a register could keep but one sum: a load per
        # multiply-add. They come from the cache that holds a panel of weights and gradients.
        level = level_that_holds(machine, 2 * columns * PANEL * FLOAT)
        result[f"loads from {level['level']}"] = 2 * FLOAT * entries * labels / level["load"]
    return result


def render(result, _):
    machine, kernels = result["machine"], result["kernels"]
    levels = [[level["level"], size(level["capacity"], "B") if level["capacity"] else "",
               size(level["load"], "B/s"), size(level["load_store"], "B/s")]
              for level in machine["levels"]]
    rows = []
    for name, shape in result["shapes"].items():
        seconds = kernels[f"gradient/{name}/float"]["real_time"] * 1e-6
        rate = kernels[f"gradient/{name}/float"]["flops"]
        limit, bound = max(bounds(machine, shape).items(), key=lambda item: item[1])
        share = bound / seconds
        judged = name == "bibtex"
        rows.append([name, duration(seconds), size(rate, "FLOP/s"),
                     percent(rate / machine["flops"]), duration(bound), limit, percent(share),
                     f">= {percent(WANTED)}" if judged else "",
                     met(share >= WANTED) if judged else ""])
    others = [[name, duration(run["real_time"] * {"us": 1e-6, "ns": 1e-9}[run["time_unit"]]),
               size(run["items_per_second"], "/s") if "items_per_second" in run else ""]
              for name, run in kernels.items() if not name.endswith("/float") or "logistic" in name]
    return (
        f"All threads together reach {size(machine['flops'], 'FLOP/s')} of single-precision "
        f"multiply-adds ({machine['instruction_set']}), and these bandwidths:\n\n"
        + table(["level", "capacity of one", "loads", "loads and stores"], levels)
        + "\n\nThe bound is the largest of three times. Arithmetic: 4 flops per non-zero and label. "
        "Features: 8 bytes per non-zero (4 per value of dense data), once, plus weights and "
        "gradients once. Loads, for sparse features: 4 bytes of weights for the score and 4 of "
        "gradient or residual for the accumulation, per non-zero and label, from the cache that "
        "holds a panel of weights and gradients 16 labels wide. That is one load per multiply-add, "
        "the minimum if rows or columns are processed one by one, and does not count stores. The "
        "bound does not include the n T sigmoids.\n\n"
        + table(["set", "pass", "rate", "of peak", "bound", "by", "bound / pass", "target", "met"],
                rows)
        + "\n\nThe other kernels are: `apply`, the product with the transfer (matrix and low-rank are its "
        "two forms), `logistic`, 4096 residuals on one thread, and `gradient`, the pass in double "
        "precision:\n\n" + table(["kernel", "time", "rate"], others))
