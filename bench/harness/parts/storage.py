# SPDX-License-Identifier: MIT
from harness.context import say
from harness.markdown import table

TITLE = "Dense or sparse"
SHAPES = ({"method": "mgd", "features": 500, "labels": 6}, {"method": "mgd", "features": 500, "labels": 50},
          {"method": "mgd", "features": 2000, "labels": 200},
          {"method": "ecc", "features": 500, "labels": 20, "options": {"members": "3"}})


def measure(context):
    result = []
    for shape in SHAPES:
        say(f"storage: {shape}")
        result += context.program("storage", **shape)
    return result


def render(result, _):
    densities = sorted({line["density"] for line in result})
    rows = {}
    for line in result:
        for work in ("training", "scoring"):
            name = f"{line['method']}, {line['features']} features, {line['labels']} labels: {work}"
            rows.setdefault(name, {})[line["density"]] = line["dense"][work] / line["sparse"][work]
    return ("The table has the processor time with dense storage divided by that with sparse storage, by "
            f"the share of non-zero values; {result[0]['rows']:,} generated rows, one thread, the shortest of "
            "three runs. Above 1, sparse storage is faster.\n\n"
            + table(["", *(f"{100 * density:g} %" for density in densities)],
                    [[name, *(f"{of[density]:.2f}" for density in densities)]
                     for name, of in rows.items()]))
