# SPDX-License-Identifier: MIT
"""The attacks: kills, failing system calls, failing allocations, streams and limits."""

import collections
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import tempfile

from checks import (HANGS_AFTER, Wrong, check_files, check_finished, first_line, leftovers,
                    shown, visible_leftovers)
from scenarios import contents

# What touches files; opens and reads included, since a kill at one comes between two writes.
FILE_CALLS = ("openat,creat,read,write,pwrite64,writev,close,fstat,newfstatat,statx,mmap,munmap,"
              "rename,renameat,renameat2,link,linkat,symlinkat,unlink,unlinkat,ftruncate,"
              "truncate,fallocate,fsync,fdatasync,sync_file_range,mkdir,mkdirat,rmdir,flock,fcntl,"
              "lseek,fchmod,fchmodat,chmod,utimensat,copy_file_range,getdents64,statfs,readlink,"
              "readlinkat")
# Calls that a full disk or a broken one lets fail.
WRITING_CALLS = {"write": "ENOSPC", "pwrite64": "ENOSPC", "writev": "ENOSPC", "fsync": "EIO",
                 "fdatasync": "EIO", "ftruncate": "ENOSPC", "fallocate": "ENOSPC",
                 "rename": "ENOSPC", "renameat": "ENOSPC", "renameat2": "ENOSPC",
                 "link": "ENOSPC", "linkat": "ENOSPC", "mkdir": "ENOSPC", "mkdirat": "ENOSPC",
                 "openat": "ENOSPC", "close": "EIO"}
ENDS_BY_ITSELF = (0, 1, 2)


class Result:
    def __init__(self, code, output, error):
        self.code = code
        self.output = output
        self.error = error


class Field:
    """Where attacks take place: folders, the program, what is counted."""

    def __init__(self, program, preload, scratch, tally):
        self.program = str(program)
        self.preload = str(preload)
        self.scratch = scratch
        self.tally = tally

    def folder(self, scenario):
        return Folder(self.scratch, scenario)

    def run(self, command, folder, environment=None, **more):
        """Runs a command in a folder; its exit code is negative when a signal ended it."""
        more.setdefault("stdin", subprocess.DEVNULL)
        more.setdefault("stdout", subprocess.PIPE)
        more.setdefault("stderr", subprocess.PIPE)
        process = subprocess.Popen(command, cwd=folder, start_new_session=True,
                                   env={**os.environ, **(environment or {})}, **more)
        try:
            output, error = process.communicate(timeout=HANGS_AFTER)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise Wrong(f"still running after {HANGS_AFTER} s") from None
        return Result(process.returncode, output or b"", error or b"")

    def finish(self, scenario, folder):
        """An ordinary run after the attack: it must end as if there had been none."""
        arguments = scenario.arguments
        if scenario.again is not None and (folder / scenario.grows[0]).exists():
            arguments = scenario.again
        done = self.run([self.program, *arguments], folder)
        if done.code != scenario.code:
            raise Wrong(f"the next run ended with {done.code}: {first_line(done.error)}")
        check_finished(scenario, contents(folder))


class Folder:
    """A copy of the folder that a scenario starts from."""

    def __init__(self, scratch, scenario):
        self.path = pathlib.Path(tempfile.mkdtemp(dir=scratch, prefix="run-"))
        shutil.copytree(scenario.template, self.path, dirs_exist_ok=True)

    def __enter__(self):
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


def sample(items, most, seed):
    items = list(items)
    if most is None or len(items) <= most:
        return items
    chosen = random.Random(seed).sample(range(len(items)), most)
    return [items[k] for k in sorted(chosen)]


def strace(*more):
    return ["strace", "-f", "-qq", "-e", "signal=none", *more]


class SystemCalls:
    """The calls of an undisturbed run that touch files, as pairs (name, number from 1 on).

    `changing` has those that change files, `looking` the others, of which the dynamic linker makes
    most.
    """

    LINE = re.compile(r"^(\d+)\s+(\w+)\((.*)")
    OPENS_TO_WRITE = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TMPFILE")
    LOOKING = ("read", "close", "fstat", "newfstatat", "statx", "mmap", "munmap", "fcntl", "lseek",
               "getdents64", "statfs", "readlink", "readlinkat", "openat")

    def __init__(self, field, scenario):
        with field.folder(scenario) as folder, tempfile.NamedTemporaryFile() as log:
            done = field.run([*strace("-o", log.name, "-e", f"trace={FILE_CALLS}"),
                              field.program, *scenario.arguments], folder)
            if done.code != scenario.code:
                raise SystemExit(f"strace: {scenario.name} ended with {done.code}: "
                                 f"{first_line(done.error)}")
            lines = pathlib.Path(log.name).read_text(errors="replace").splitlines()
        # strace counts the calls of each name in each thread.
        numbers = collections.Counter()
        places = {}
        for thread, name, rest in (match.groups() for match in map(self.LINE.match, lines)
                                   if match):
            numbers[thread, name] += 1
            changes = name not in self.LOOKING or (
                name == "openat" and self.OPENS_TO_WRITE.search(rest) is not None)
            place = (name, numbers[thread, name])
            places[place] = places.get(place, False) or changes
        self.changing = sorted(place for place, changes in places.items() if changes)
        self.looking = sorted(place for place, changes in places.items() if not changes)


def kill_attacks(field, scenario, most, seed):
    """The program killed as it enters one of its system calls."""
    def attack(name, number):
        with field.folder(scenario) as folder:
            done = field.run([*strace("-o", "/dev/null", "-e", f"trace={name}", "-e",
                                      f"inject={name}:signal=KILL:when={number}"),
                              field.program, *scenario.arguments], folder)
            if done.code not in (-signal.SIGKILL, 128 + signal.SIGKILL, scenario.code):
                raise Wrong(f"ended with {done.code}: {first_line(done.error)}")
            check_files(scenario, contents(folder), may_be_unfinished=True)
            field.finish(scenario, folder)
            return "killed" if done.code != scenario.code else "not reached"

    calls = SystemCalls(field, scenario)
    chosen = sample(calls.changing, most, seed)
    chosen += sample(calls.looking, None if most is None else most - len(chosen), seed)
    for name, number in chosen:
        yield f"killed at {name} {number}", lambda name=name, number=number: attack(name, number)


def call_attacks(field, scenario, most, seed):
    """One of the calls that write fails, as on a full or broken disk; that one, or all from it."""
    def attack(name, when):
        with field.folder(scenario) as folder:
            done = field.run([*strace("-o", "/dev/null", "-e", f"trace={name}", "-e",
                                      f"inject={name}:error={WRITING_CALLS[name]}:when={when}"),
                              field.program, *scenario.arguments], folder)
            # The dynamic linker has its own words and 127 for a library that it cannot open.
            if done.code not in (*ENDS_BY_ITSELF, 127):
                raise Wrong(f"ended with {done.code}: {first_line(done.error)}")
            check_ended(scenario, done, contents(folder), when.endswith("+"))
            field.finish(scenario, folder)
            return "refused" if done.code else "done without"

    calls = SystemCalls(field, scenario)
    places = [place for place in calls.changing + calls.looking if place[0] in WRITING_CALLS]
    for name, number in sample(places, most, seed):
        for when in (f"{number}", f"{number}+"):
            yield f"{name} fails, {when}", lambda name=name, when=when: attack(name, when)


def check_ended(scenario, done, found, may_be_unfinished=False):
    """After a run that ended by itself: with its results, or with a message and without."""
    check_files(scenario, found, may_be_unfinished)
    for name in visible_leftovers(scenario, found):
        raise Wrong(f"{shown(name)} is left over")
    if done.code == scenario.code:
        for group in [*scenario.written, scenario.fills]:
            for name, data in scenario.after.items():
                if any(name == member or name.startswith(member + "/") for member in group):
                    if found.get(name) != data:
                        raise Wrong(f"ended with {done.code}, but {name} is not the new result")


def count_requests(field, scenario, arguments):
    with field.folder(scenario) as folder:
        end, start = os.pipe()
        field.run([field.program, *arguments], folder,
                  {"LD_PRELOAD": field.preload, "TORTURE_REPORT": str(start)}, pass_fds=[start])
        os.close(start)
        with open(end, "rb") as report:
            return int(report.read().split()[-1])


def allocation_attacks(field, scenario, most, seed):
    """A request for memory fails: that one alone, or that one and all that follow."""
    def attack(number, fails_ever_after):
        environment = {"LD_PRELOAD": field.preload, "TORTURE_FAIL_AT": str(number)}
        if fails_ever_after:
            environment["TORTURE_FAIL_ALL"] = "1"
        with field.folder(scenario) as folder:
            done = field.run([field.program, *scenario.arguments], folder, environment)
            if done.code not in {0, 1, scenario.code}:
                raise Wrong(f"ended with {done.code}: {first_line(done.error)}")
            if done.code == 1 and not done.error.startswith(b"mugrad: "):
                raise Wrong(f"says no reason: {first_line(done.error)}")
            if done.code == 0 and done.output != scenario.output:
                raise Wrong("printed something else")
            found = contents(folder)
            check_ended(scenario, done, found, fails_ever_after)
            if leftovers(scenario, found):
                field.finish(scenario, folder)
            return "refused" if done.code != scenario.code else "done without"

    count = count_requests(field, scenario, scenario.arguments)
    places = [(number, mode) for number in range(1, count + 1) for mode in (False, True)]
    # All commands start alike, by setting up options: a quarter of the sample is for that.
    common = 2 * min(count, count_requests(field, scenario, ["--version"]))
    chosen = sample(places[:common], None if most is None else most // 4, f"{seed} {scenario.name}")
    chosen += sample(places[common:], None if most is None else most - len(chosen), seed)
    for number, mode in chosen:
        yield (f"request {number}{' and all that follow' if mode else ''} of {count} fails",
               lambda number=number, mode=mode: attack(number, mode))


def stream_attacks(field, scenario, *_):
    """Standard streams that are closed, full, or both."""
    def attack(redirection, loses_output):
        with field.folder(scenario) as folder:
            command = f'exec "$0" "$@" {redirection}'
            # Not --quiet: there must be messages to lose.
            arguments = [argument for argument in scenario.arguments if argument != "-q"]
            done = field.run(["sh", "-c", command, field.program, *arguments], folder)
            expected = 1 if loses_output and scenario.prints and scenario.output else scenario.code
            if done.code != expected:
                raise Wrong(f"ended with {done.code}, not {expected}: {first_line(done.error)}")
            check_ended(scenario, done, contents(folder))
            if not loses_output and done.output != scenario.output:
                raise Wrong("standard output is not as it was")
            return "refused" if expected != scenario.code else "as ever"

    for redirection, loses_output in (("<&-", False), ("2>&-", False), ("2>/dev/full", False),
                                      (">&-", True), (">/dev/full", True),
                                      ("<&- 2>&-", False), (">/dev/full 2>/dev/full", True),
                                      ("<&- >&- 2>&-", True)):
        yield redirection, lambda r=redirection, loses=loses_output: attack(r, loses)


def bytes_mapped(program):
    """Of the segments that the system maps when it starts a 64-bit ELF program."""
    with open(program, "rb") as file:
        header = file.read(64)
        start, size, count = (int.from_bytes(header[at: at + length], "little")
                              for at, length in ((32, 8), (54, 2), (56, 2)))
        file.seek(start)
        segments = [file.read(size) for _ in range(count)]
    is_loaded = 1
    return sum(int.from_bytes(segment[40:48], "little") for segment in segments
               if int.from_bytes(segment[:4], "little") == is_loaded)


def limit_attacks(field, scenario, most, seed):
    """Less and less address space."""
    def attack(megabytes):
        with field.folder(scenario) as folder:
            command = f'ulimit -v {megabytes << 10}; exec "$0" "$@"'
            done = field.run(["sh", "-c", command, field.program, *scenario.arguments], folder)
            # Where not even the program fits, the system ends it before it has begun; where only its
            # libraries do not, the dynamic linker says so.
            if done.code in (-signal.SIGSEGV, -signal.SIGKILL) and megabytes << 20 < needed:
                return "no room for the program"
            if done.code not in (*ENDS_BY_ITSELF, 127):
                raise Wrong(f"ended with {done.code}: {first_line(done.error)}")
            if done.code == 127 and b"shared librar" not in done.error:
                raise Wrong(f"ended with {done.code}: {first_line(done.error)}")
            check_ended(scenario, done, contents(folder))
            return "refused" if done.code != scenario.code else "as ever"

    needed = bytes_mapped(field.program) + (4 << 20)  # the stack and the dynamic linker, too
    ladder = [*range(10, 120, 5), *range(120, 400, 20), *range(400, 2000, 200)]
    for megabytes in sample(ladder, most, seed):
        yield f"address space of {megabytes} MiB", lambda m=megabytes: attack(m)


def disk_attacks(field, scenario, *_):
    """A file system with room for less and less. Only root can make one."""
    def attack(kilobytes):
        with field.folder(scenario) as folder:
            # A namespace of its own, so that nothing stays mounted whatever happens.
            script = (f'mount -t tmpfs -o size={kilobytes}k none "$1" && cp -a "$2"/. "$1" '
                      '|| exit 99; cd "$1"; shift 2; "$@"; code=$?; cp -a . "$OLDPWD"/found; '
                      'exit $code')
            place = folder.parent / (folder.name + "-disk")
            place.mkdir()
            (folder / "found").mkdir()
            try:
                done = field.run(["unshare", "--mount", "sh", "-c", script, "sh", str(place),
                                  str(scenario.template), field.program, *scenario.arguments],
                                 folder)
            finally:
                place.rmdir()
            if done.code == 99:
                return "no room for the inputs"
            if done.code not in ENDS_BY_ITSELF:
                raise Wrong(f"ended with {done.code}: {first_line(done.error)}")
            check_ended(scenario, done, contents(folder / "found"))
            return "refused" if done.code != scenario.code else "as ever"

    if not scenario.written and not scenario.grows or os.geteuid() != 0:
        return
    size = sum(-(-len(data) // 4096) * 4 for data in scenario.before.values()) + 8
    for extra in range(0, 64, 4):
        yield f"disk with {size + extra} KiB", lambda k=size + extra: attack(k)
