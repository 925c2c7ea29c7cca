# SPDX-License-Identifier: MIT
"""Runs several commands at once, and records where they ran and how long they took."""
import concurrent.futures
import datetime
import json
import os
import signal
import subprocess
import threading
import time


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return "unknown processor"


def write_whole(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.part")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)


def content(file):
    return file.read_bytes() if file.exists() else None


def say(text):
    print(f"reproduction: {text}", flush=True)


class Runner:
    """Commands of several parts, `jobs` at once. After an interruption, the same commands resume."""

    def __init__(self, context, jobs):
        self.context = context
        self.jobs = jobs
        self.running = set()
        self.is_stopped = False
        self.lock = threading.Lock()
        version = subprocess.run([str(context.program), "--version"], capture_output=True,
                                 text=True, check=True)
        self.program = version.stdout.strip()
        self.machine = (f"{processor()}, {len(os.sched_getaffinity(0))} cores, "
                        f"threads per command: {context.threads}, commands at once: {jobs}")

    def run(self, commands):
        """Takes pairs of part and command; returns the names of those that failed."""
        failed, done = [], 0
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            futures = {pool.submit(self.run_one, part, command): command
                       for part, command in commands}
            try:
                for future in concurrent.futures.as_completed(futures):
                    seconds, message = future.result()
                    done += 1
                    name = futures[future].name
                    say(f"{done}/{len(commands)} {name}: {seconds:.0f} s{message}")
                    if message:
                        failed.append(name)
            except BaseException:
                self.stop()
                pool.shutdown(cancel_futures=True)
                raise
        return failed

    def run_one(self, part, command):
        """Seconds, and a message if the command failed."""
        started = time.monotonic()
        before = content(command.output)
        log = self.context.results / "logs" / f"{command.name}.txt"
        with open(log, "w", encoding="utf-8") as output:
            with self.lock:
                if self.is_stopped:
                    return 0, ", not started"
                # A session of its own, so that stop() also ends the programs that it starts.
                process = subprocess.Popen([str(word) for word in command.words], stdout=output,
                                           stderr=subprocess.STDOUT, start_new_session=True)
                self.running.add(process)
            status = process.wait()
        seconds = time.monotonic() - started
        with self.lock:
            self.running.discard(process)
            # A command that found everything done says nothing about where the results come from.
            if content(command.output) != before:
                self.record(part, command.name, seconds)
        if status == 0:
            return seconds, ""
        last = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-3:]
        return seconds, f", FAILED with status {status}: " + " / ".join(last)

    def record(self, part, name, seconds):
        """Keeps what earlier runs recorded: their seconds are added, their machines listed."""
        file = self.context.results / f"run-{part}.json"
        kept = json.loads(file.read_text()) if file.exists() else {"machines": [], "seconds": {}}
        if self.machine not in kept["machines"]:
            kept["machines"].append(self.machine)
        kept["seconds"][name] = round(kept["seconds"].get(name, 0) + seconds, 1)
        kept["date"] = datetime.date.today().isoformat()
        kept["program"] = self.program
        write_whole(file, json.dumps(kept, indent=1) + "\n")

    def stop(self):
        with self.lock:
            self.is_stopped = True
            for process in self.running:
                try:
                    os.killpg(process.pid, signal.SIGTERM)
                except ProcessLookupError:
                    pass
