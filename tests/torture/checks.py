# SPDX-License-Identifier: MIT
"""What must hold after an attack, and the counts of what was seen."""

import collections
import csv
import io
import re
import threading

HANGS_AFTER = 60  # seconds; undisturbed, a command takes a fraction of one


class Wrong(Exception):
    """Something was lost, half-written, left over, or ended in a way that no one should see."""


def is_in_group(name, group):
    return any(name == member or name.startswith(member + "/") for member in group)


def is_hidden(name):
    """Whether it is, or is in, a temporary file or folder of a run that was ended."""
    return re.search(r"(^|/)\.mugrad-[^/]*\.(tmp|set)(/|$)", name) is not None


def state_of(files, group):
    return {name: data for name, data in files.items()
            if is_in_group(name, group) and not is_hidden(name)}


def is_part_of(state, whole):
    return all(whole.get(name) == data for name, data in state.items())


def check_files(scenario, found, may_be_unfinished=False):
    """Every result is the old one or the new one, whole; every input is as it was.

    Where the program could not go on, files of a set may be missing that the next run names.
    """
    is_to_be_finished = may_be_unfinished and any(
        re.search(r"\.mugrad-[^/]*\.set(/|$)", name) for name in found)
    written = [name for group in scenario.written for name in group]
    written += scenario.grows + scenario.fills
    for name, data in scenario.before.items():
        if not is_in_group(name, written) and found.get(name) != data:
            raise Wrong(f"{name} is not as it was")
    for group in scenario.written:
        state = state_of(found, group)
        wholes = (state_of(scenario.before, group), state_of(scenario.after, group))
        if is_to_be_finished and any(is_part_of(state, whole) for whole in wholes):
            continue
        if state not in wholes:
            raise Wrong(f"{', '.join(group)}: neither the old result nor the new one")
    for name in scenario.grows:
        check_grown(name, scenario, found.get(name, b""))
    for name in scenario.fills:
        if found.get(name) != scenario.before.get(name):
            check_filled(name, scenario.after[name], found.get(name, b""))


def check_grown(name, scenario, data):
    """No record that was there is lost, but those of failures, and whole lines follow."""
    whole = data[: data.rfind(b"\n") + 1].splitlines()
    expected = scenario.after[name].splitlines()
    old = scenario.before.get(name, b"")
    for line in old[: old.rfind(b"\n") + 1].splitlines():
        if b'"failure"' not in line and line not in whole:
            raise Wrong(f"{name} lost a record")
    for line in whole:
        if line not in expected and line not in old.splitlines():
            raise Wrong(f"{name} has a line that no undisturbed run writes")


def check_filled(name, whole, data):
    """Whole lines of a table of settings, each with the first of its scores."""
    def rows_of(table):
        rows = list(csv.DictReader(io.StringIO(table.decode())))
        return {tuple(row.get(option) for option in ("rho", "sigma")):
                (row.get("folds") or "").split() for row in rows}

    if not data.endswith(b"\n") or data.splitlines()[0] != whole.splitlines()[0]:
        raise Wrong(f"{name} is half a table")
    scores = rows_of(whole)
    for setting, first in rows_of(data).items():
        if not first or first != scores.get(setting, [])[: len(first)]:
            raise Wrong(f"{name} has scores that no undisturbed run has")


def leftovers(scenario, found):
    """Files that neither the start nor an undisturbed run has."""
    return sorted(set(found) - set(scenario.before) - set(scenario.after))


def visible_leftovers(scenario, found):
    """Those that the next run does not remove."""
    return [name for name in leftovers(scenario, found) if not is_hidden(name)]


def check_finished(scenario, found):
    """As an undisturbed run leaves it."""
    for name in leftovers(scenario, found):
        raise Wrong(f"{shown(name)} is left over")
    if found != scenario.after:
        different = sorted(name for name in set(found) | set(scenario.after)
                           if found.get(name) != scenario.after.get(name))
        raise Wrong(f"finished anew, these are not as in an undisturbed run: {different}")


class Tally:
    """Counts attacks per command and kind, and keeps what went wrong."""

    def __init__(self):
        self.lock = threading.Lock()
        self.counts = collections.defaultdict(collections.Counter)
        self.failures = []

    def count(self, kind, scenario, outcome):
        with self.lock:
            self.counts[kind][scenario.name, outcome] += 1

    def wrong(self, kind, scenario, attack, why):
        with self.lock:
            self.counts[kind][scenario.name, "wrong"] += 1
            self.failures.append((kind, scenario.name, attack, str(why)))

    def grouped_failures(self):
        groups = collections.defaultdict(list)
        for kind, name, attack, why in self.failures:
            groups[kind, name, why].append(attack)
        return groups

    def of_kind(self, kind):
        return sum(self.counts[kind].values())

    def table(self):
        names = list(dict.fromkeys(name for kind in self.counts.values() for name, _ in kind))
        kinds = list(self.counts)
        rows = [["command", *kinds, "wrong"]]
        for name in names:
            row = [name]
            for kind in kinds:
                row.append(str(sum(n for (other, _), n in self.counts[kind].items()
                                   if other == name)))
            row.append(str(sum(1 for failure in self.failures if failure[1] == name)))
            rows.append(row)
        rows.append(["all", *(str(self.of_kind(kind)) for kind in kinds),
                     str(len(self.failures))])
        widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
        return "\n".join("  ".join(cell.ljust(width) if k == 0 else cell.rjust(width)
                                   for k, (cell, width) in enumerate(zip(row, widths)))
                         for row in rows)

    def outcomes(self):
        lines = []
        for kind, counter in self.counts.items():
            by_outcome = collections.Counter()
            for (_, outcome), number in counter.items():
                by_outcome[outcome] += number
            lines.append(f"{kind}: " + ", ".join(f"{outcome} {number}" for outcome, number
                                                 in sorted(by_outcome.items())))
        return "\n".join(lines)


def shown(name):
    """Without the random part of a temporary file's name."""
    return re.sub(r"[0-9a-f]{16}", "*", name)


def first_line(text):
    text = text.decode(errors="replace").strip()
    return text.splitlines()[0][:160] if text else "nothing said"


