# SPDX-License-Identifier: MIT
"""What was measured on, and with what."""
import os
import re
import subprocess

from harness.context import BUILD, ROOT


def output_of(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          check=False, cwd=ROOT).stdout.strip()


def package_version(name):
    return output_of("dpkg-query", "-W", "-f=${Version}", name)


def describe():
    cpu = dict(re.findall(r"^(.+?):\s+(.+)$", output_of("lscpu"), re.MULTILINE))
    kib = int(re.search(r"MemTotal:\s+(\d+)", open("/proc/meminfo", encoding="utf-8").read())[1])
    compiler = re.search(r"CMAKE_CXX_COMPILER:\w+=(.*)",
                         (BUILD / "CMakeCache.txt").read_text(encoding="utf-8"))[1]
    return {
        "processor": f"{cpu.get('Model name', 'unknown')}, {len(os.sched_getaffinity(0))} cores"
                     + (", virtual" if "Hypervisor vendor" in cpu else ""),
        "caches": ", ".join(f"{name[:-6]} {cpu[name]}" for name in
                            ("L1d cache", "L2 cache", "L3 cache") if name in cpu),
        "memory": f"{kib / 2**20:.0f} GiB",
        "system": re.search(r'PRETTY_NAME="(.*)"',
                            open("/etc/os-release", encoding="utf-8").read())[1],
        "compiler": output_of(compiler, "--version").splitlines()[0],
        "peers": ", ".join(f"{title} {package_version(package)}" for title, package in (
            ("NumPy", "python3-numpy"), ("SciPy", "python3-scipy"),
            ("scikit-learn", "python3-sklearn"), ("LIBLINEAR", "liblinear-tools"),
            ("OpenBLAS", "libopenblas0-pthread"))),
    }


def revision():
    changed = output_of("git", "status", "--porcelain", "--untracked-files=no", "--", "src",
                        "include", "bench")
    return output_of("git", "rev-parse", "--short", "HEAD") + (" with changes" if changed else "")
