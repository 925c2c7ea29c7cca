# SPDX-License-Identifier: MIT
"""A progress bar for a terminal or a notebook: tqdm if it is installed, otherwise a plain line."""

from __future__ import annotations

import sys
import time
import warnings
from types import TracebackType
from typing import Any, Optional


# Standard error may be full, closed or None; training must not fail because of that.
CANNOT_SHOW = (AttributeError, OSError, ValueError)


class PlainBar:
    """Rewrites one line of standard error."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.start = time.monotonic()
        self.width = 0

    def show(self, share: float) -> None:
        spent = time.monotonic() - self.start
        left = f", {spent / share - spent:.0f} s left" if 0.02 < share < 1 else ""
        line = f"{self.label}: {share:4.0%}, {spent:.0f} s{left}"
        sys.stderr.write("\r" + line.ljust(self.width))
        sys.stderr.flush()
        self.width = len(line)

    def close(self) -> None:
        sys.stderr.write("\n")


class TqdmBar:
    """tqdm's bar, which supports notebooks."""

    def __init__(self, label: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about missing notebook widgets
            from tqdm.auto import tqdm
        form = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}"
        self.bar: Any = tqdm(total=100, desc=label, bar_format=form)

    def show(self, share: float) -> None:
        self.bar.update(100 * share - self.bar.n)

    def close(self) -> None:
        self.bar.close()


class Progress:
    """Called with the completed share of the work.

    Shows nothing unless `verbose` is set.
    """

    def __init__(self, label: str, verbose: Any) -> None:
        self.bar: Any = None
        self.label = label
        self.verbose = verbose

    def __enter__(self) -> "Optional[Progress]":
        if not self.verbose:
            return None
        try:
            self.bar = TqdmBar(self.label)
        except ImportError:
            self.bar = PlainBar(self.label)
        except CANNOT_SHOW:
            self.bar = None
        return self

    def __call__(self, share: float) -> None:
        if self.bar is None:
            return
        try:
            self.bar.show(share)
        except CANNOT_SHOW:
            self.bar = None

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if kind is None:
            self(1.0)
        if self.bar is None:
            return
        try:
            self.bar.close()
        except CANNOT_SHOW:
            pass
