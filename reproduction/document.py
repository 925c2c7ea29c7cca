# SPDX-License-Identifier: MIT
"""Writes docs/reproduction.md from the results."""
import datetime
import subprocess

from account import account
from comparison import control_section, incomplete, published_section
from markdown import table
from measured import calibration_section, defaults_section
from paper import counterparts_section, paper_section
from plan import PARTS, ROOT

ABOUT = {
    "tuned": "`mgd`, `br` and `br-zscore`, tuned for each metric",
    "one": "the same, one model for all metrics",
    "paper": "`mgd-paper`",
    "published": "`mgd-published`",
    "defaults": "`mugrad train`",
    "calibration": "`mugrad train --auto`, with and without calibration",
    "scikit-learn": "scikit-learn, on raw and on z-scored features",
    "others": "all methods with their defaults",
    "studies": "convergence and sensitivity",
    "twenty": "`mgd` on twenty splits of emotions and of sets with a published figure not reached",
}


def revision():
    return subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True,
                          text=True, check=False).stdout.strip() or "unknown"


def runs_table(results):
    """Where, when and how long the parts ran."""
    rows = []
    for part in PARTS:
        run = results.run(part)
        if run is None:
            rows.append([f"`{part}`", ABOUT[part], "not run", "", "", ""])
            continue
        seconds = sum(run["seconds"].values())
        rows.append([f"`{part}`", ABOUT[part], f"{seconds / 60:.1f}", run["date"], run["program"],
                     "; ".join(run["machines"])])
    return table(["part", "runs", "minutes", "ended", "program", "machine"], rows)


def report_of(results, control, *parts):
    text = results.report(parts, control, "markdown")
    notes = "".join(incomplete(results, part) for part in parts)
    return notes + (text or "Not run.\n")


def tables_section(results):
    return f"""## Tuned for each metric, all figures

{report_of(results, "br", "tuned")}
## One model for all metrics, all figures

`mgd-published` uses the paper's settings, with rho, sigma and threshold chosen by a held-out fifth of the training part
from a part of its grid.

{report_of(results, "br-one", "one", "published")}
## All methods with their defaults

No option is tuned here, and thresholds are those of the methods, so this compares defaults, not
methods. `br-weka` has the penalty that the paper's BR seems to have had.

{report_of(results, "br-default", "others")}"""


def document(results):
    when = datetime.date.today().isoformat()
    return "\n".join([f"""<!-- Written by reproduction/run: change that, not this. -->
# Reproduction of the published comparison

This document shows how good tuned MGD is compared with independent classifiers (BR), with the figures published for six
methods, and with scikit-learn. It uses six public sets and five random splits with 80 % for training, seeds 1 to 5. The
splits are not the paper's, which are not known. Test parts are never used for a choice, except in the part `paper`.

`make reproduce` runs everything and writes this document. `MUGRAD_DATA` names the folder of the data sets;
`mugrad fetch --all` downloads them. It was written on {when} at revision {revision()}. The last section says where and when
the parts ran.
""", control_section(results), published_section(results), defaults_section(results),
                      calibration_section(results), account(results), paper_section(results),
                      counterparts_section(results), tables_section(results), f"""## Runs

Minutes are sums over the commands of a part, which may have run at the same time.

{runs_table(results)}"""])
