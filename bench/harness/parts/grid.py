# SPDX-License-Identifier: MIT
from harness.context import say
from harness.markdown import duration, table

TITLE = "The paper's grid of settings"
SET = "bibtex"
RHOS = [k / 10 for k in range(1, 11)]
SIGMAS = [k / 20 for k in range(7)]
TOLERANCE = 1e-4
WANTED_SECONDS = 60


def measure(context):
    with context.mugrad() as mugrad:
        mugrad.ask("load", path=str(context.folder(SET) / "train.arff"))
        say(f"grid: {SET}, {len(RHOS) * len(SIGMAS)} settings along a path")
        path = mugrad.ask("fit-path", rhos=RHOS, sigmas=SIGMAS, scaling="zscore",
                          tolerance=TOLERANCE)
        say(f"grid: {SET}, one by one")
        alone = {"seconds": 0, "passes": 0, "unfinished": 0}
        for rho in RHOS:
            for sigma in SIGMAS:
                run = mugrad.ask("fit", rho=rho, sigma=sigma, scaling="zscore",
                                 tolerance=TOLERANCE)
                alone["seconds"] += run["seconds"]
                alone["passes"] += run["passes"]
                alone["unfinished"] += run["stop"] != "converged"
    return {"path": path, "alone": alone}


def render(result, _):
    rows = [[name, f"{run['passes']:,}", run["unfinished"], duration(run["seconds"])]
            for name, run in (("along a path (`fit_path`)", result["path"]),
                              ("one by one (`fit`)", result["alone"]))]
    met = result["path"]["seconds"] < WANTED_SECONDS and result["path"]["unfinished"] == 0
    return (
        f"The grid has rho from {RHOS[0]} to {RHOS[-1]} and sigma from {SIGMAS[0]:g} to "
        f"{SIGMAS[-1]:g}: {result['path']['settings']} models of one split of {SET}, z-scored, solved "
        f"to {TOLERANCE:g} of the first residual. Target: under {WANTED_SECONDS} s; "
        f"met: {'yes' if met else 'no'}.\n\n"
        + table(["", "passes", "not converged", "time"], rows))
