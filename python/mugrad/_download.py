# SPDX-License-Identifier: MIT
"""Downloads of public data sets: through urllib, with size, speed and SHA-256 checked."""

from __future__ import annotations

import hashlib
import http.client
import os
import socket
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Optional

from . import _core

#: A transfer is given up when fewer bytes per second than these arrive for so many seconds.
LEAST_BYTES_PER_SECOND = 1000
PATIENCE_SECONDS = 30
MOST_REDIRECTS = 5
#: How often a transfer is looked at, in seconds.
LOOK_SECONDS = 0.1
PIECE_BYTES = 1 << 16


class RemoteFile(NamedTuple):
    """A file of a public data set."""

    upstream: str  # below the base URL
    local: str
    sha256: str
    size: int


class DownloadError(Exception):
    """The other side failed, or has not the file that was expected."""


class MinimumSpeed:
    """Whether a transfer is still worth waiting for."""

    def __init__(self, start: float) -> None:
        self.since = start
        self.before = 0

    def is_missed(self, received: int, now: float) -> bool:
        if received - self.before >= LEAST_BYTES_PER_SECOND * PATIENCE_SECONDS:
            self.since, self.before = now, received
        return now - self.since >= PATIENCE_SECONDS


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """urllib would read the whole body of a redirect, however long."""

    def redirect_request(self, *_: Any) -> None:
        return None


def redirected(url: str, location: str) -> str:
    """Where a redirect leads: to https only, or to http as well where the URL itself is http."""
    target = urllib.parse.urljoin(url, location)
    allowed = ("http", "https") if url.startswith("http://") else ("https",)
    if urllib.parse.urlsplit(target).scheme not in allowed:
        raise OSError(f"it redirects to {target}, which is not allowed")
    return target


def _opened(url: str) -> http.client.HTTPResponse:
    opener = urllib.request.build_opener(_NoRedirects)
    for _ in range(MOST_REDIRECTS + 1):
        headers = {"User-Agent": f"mugrad/{_core.__version__}"}
        try:
            # The timeout ends transfers that nobody waits for any more.
            return opener.open(
                urllib.request.Request(url, headers=headers), timeout=2 * PATIENCE_SECONDS
            )
        except urllib.error.HTTPError as answer:
            with answer:
                location = answer.headers.get("Location")
                if answer.code not in (301, 302, 303, 307, 308) or location is None:
                    raise
        url = redirected(url, location)
    raise OSError(f"it redirects more than {MOST_REDIRECTS} times")


class _Transfer(threading.Thread):
    """Receives a body while the calling thread looks after time, progress and Ctrl-C.

    That thread could do neither while it waits for a resolver or for a server's headers.
    """

    def __init__(self, url: str, most: int) -> None:
        super().__init__(name="mugrad download", daemon=True)
        self.url, self.most = url, most
        self.content = bytearray()
        self.total = 0  # unknown
        self.error: Optional[Exception] = None
        self.ended = threading.Event()
        self.is_wanted = True

    def run(self) -> None:
        try:
            with _opened(self.url) as response:
                self.total = response.length or 0
                piece = b"begin"
                while piece and self.is_wanted and len(self.content) < self.most:
                    piece = response.read1(PIECE_BYTES)
                    self.content += piece
        except Exception as error:
            self.error = error
        finally:
            self.ended.set()


def _reason(error: Any) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"the server answered HTTP {error.code}"
    if isinstance(error, urllib.error.URLError):
        error = error.reason
    if isinstance(error, (socket.gaierror, UnicodeError)):  # UnicodeError: no name of a host
        return "its host is unknown"
    if isinstance(error, ConnectionRefusedError):
        return "no connection to its host"
    return str(error) or type(error).__name__


def download(
    url: str,
    expected: RemoteFile,
    progress: Optional[Callable[[str, int, int], None]] = None,
    clock: Callable[[], float] = time.monotonic,
) -> bytes:
    """The content of the URL, whose size and SHA-256 are those expected. Always ends."""

    def changed(what: str) -> DownloadError:
        return DownloadError(
            f"{url} has {what}: the file has changed or is damaged; nothing was kept"
        )

    speed = MinimumSpeed(clock())
    transfer = _Transfer(url, expected.size + 1)
    transfer.start()
    try:
        has_ended = False
        while not has_ended:
            has_ended = transfer.ended.wait(LOOK_SECONDS)
            received = len(transfer.content)
            if received > expected.size:
                raise changed(f"more than the {expected.size} bytes expected")
            if not has_ended and speed.is_missed(received, clock()):
                raise DownloadError(
                    f"cannot fetch {url}: fewer than {LEAST_BYTES_PER_SECOND} bytes per second "
                    f"arrived for {PATIENCE_SECONDS} seconds"
                )
            if progress is not None:
                progress(expected.local, received, transfer.total)
    finally:
        transfer.is_wanted = False
    if received < transfer.total:
        reason = f"the transfer was aborted after {received} of {transfer.total} bytes"
        raise DownloadError(f"cannot fetch {url}: {reason}")
    if isinstance(transfer.error, (OSError, ValueError, http.client.HTTPException)):
        raise DownloadError(f"cannot fetch {url}: {_reason(transfer.error)}")
    if transfer.error is not None:
        raise transfer.error
    sha256 = hashlib.sha256(transfer.content).hexdigest()
    if sha256 != expected.sha256:
        raise changed(f"SHA-256 {sha256}, expected {expected.sha256}")
    return bytes(transfer.content)


def _is_there(path: str, expected: RemoteFile) -> bool:
    if not os.path.isfile(path) or os.path.getsize(path) != expected.size:
        return False
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest() == expected.sha256


def fetch_files(
    files: Sequence[RemoteFile],
    folder: str,
    mirror: Optional[str] = None,
    progress: Optional[Callable[[str, int, int], None]] = None,
) -> None:
    """Downloads the files that are not in the folder yet, and writes them once all have arrived."""
    base = mirror or _core.CATALOG_URL
    if not base.startswith(("https://", "http://")):
        raise ValueError(f"a mirror must be an http:// or https:// address, got '{mirror}'")
    _core.write_files(folder, [])  # a folder that cannot be made costs no download
    missing = [file for file in files if not _is_there(os.path.join(folder, file.local), file)]
    try:
        contents = [
            (file.local, download(f"{base.rstrip('/')}/{file.upstream}", file, progress))
            for file in missing
        ]
    except DownloadError as error:
        name = os.path.basename(folder)
        wanted = " and ".join(f"{name}/{file.local}" for file in reversed(files))
        raise _core.InputError(
            f"{error}; fetch from another server with mirror=URL, or put {wanted} into the folder "
            "that MUGRAD_DATA names"
        ) from None
    _core.write_files(folder, contents)


class Line:
    """Progress on one line of stderr, written again as bytes arrive."""

    def __init__(self) -> None:
        self._last = ""

    def __call__(self, file: str, received: int, total: int) -> None:
        share = f"{100 * received // total} %" if total else f"{received // 1024} KiB"
        line = f"{file}  {share}"
        if line != self._last:
            sys.stderr.write(f"\r{line:<{len(self._last)}}")
            sys.stderr.flush()
            self._last = line

    def end(self) -> None:
        if self._last:
            sys.stderr.write("\n")
