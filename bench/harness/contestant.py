# SPDX-License-Identifier: MIT
"""Contestants are processes that hold their data and wait; they are asked to work in turns, so that
whatever else the machine does hits all of them alike."""
import json
import os
import subprocess
import time


class Contestant:
    """A program that answers each request, a JSON object a line, with a line."""

    def __init__(self, command, blas_threads=None):
        environment = dict(os.environ)
        if blas_threads:
            for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
                environment[name] = str(blas_threads)
        self.command = [str(word) for word in command]
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, text=True,
                                        stdout=subprocess.PIPE, env=environment)

    def ask(self, what, **request):
        self.process.stdin.write(json.dumps({"do": what, **request}) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"bench: {' '.join(self.command)} ended without an answer")
        return json.loads(answer)

    def __enter__(self):
        return self

    def __exit__(self, failure, *_):
        if failure:
            self.process.kill()
        self.process.stdin.close()
        self.process.wait()


def take_turns(turns, repeats, pause=0.2):
    """The least of the "seconds" that each of `turns`, functions by name, answers: what else goes
    on in the machine only ever adds to them."""
    seconds = {name: [] for name in turns}
    for _ in range(repeats):
        for name, turn in turns.items():
            # OpenBLAS's threads go on spinning for a while after their work.
            time.sleep(pause)
            seconds[name].append(turn()["seconds"])
    return {name: min(values) for name, values in seconds.items()}


def results_of(command):
    """The JSON lines that a program prints."""
    output = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True,
                            check=True).stdout
    return [json.loads(line) for line in output.splitlines()]
