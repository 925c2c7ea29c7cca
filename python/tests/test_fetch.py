# SPDX-License-Identifier: MIT
import hashlib
import http.server
import os
import signal
import threading

import numpy as np
import pytest
from sklearn.utils import Bunch

import mugrad
from mugrad import datasets
from mugrad._download import MinimumSpeed, RemoteFile, download, fetch_files, redirected
from mugrad.datasets import dump, fetch, make_multilabel

NAME = next(iter(datasets.names()))
X, Y = make_multilabel(40, 6, 5, random_state=0)


@pytest.fixture
def small_catalog(tmp_path, monkeypatch):
    """A set of the catalog's first name, in a folder of data that is on this machine."""
    folder = tmp_path / NAME
    folder.mkdir()
    dump(folder / f"{NAME}.arff", X, Y)
    monkeypatch.setenv("MUGRAD_DATA", str(tmp_path))


def test_a_set_on_this_machine_is_fetched_without_a_network(small_catalog):
    bunch = fetch(NAME, mirror="http://127.0.0.1:9")
    assert isinstance(bunch, Bunch)
    np.testing.assert_array_equal(bunch.data, X)
    assert datasets.names()[NAME] in bunch.DESCR
    x, y = fetch(NAME, return_X_y=True)
    assert x.shape == X.shape and y.shape == Y.shape


def test_a_set_that_is_nowhere_is_said_to_be(tmp_path, monkeypatch):
    monkeypatch.setenv("MUGRAD_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=NAME):
        fetch(NAME, download_if_missing=False)
    with pytest.raises(FileNotFoundError, match=NAME):
        fetch(NAME, folder=tmp_path, download_if_missing=False)
    for folder in (None, tmp_path):
        with pytest.raises(ValueError, match=f"no data set 'nothing'.*'{NAME}'"):
            fetch("nothing", folder=folder)


DATA, LABELS = b"@relation tiny", b"<labels/>"
DATA_PATH, LABELS_PATH = "/mirror/tiny/Tiny-v1.arff", "/mirror/tiny/Tiny.xml"
TINY = [
    RemoteFile(path[len("/mirror/") :], name, hashlib.sha256(body).hexdigest(), len(body))
    for path, name, body in [(LABELS_PATH, "tiny.xml", LABELS), (DATA_PATH, "tiny.arff", DATA)]
]


class Mirror:
    """A web server that has the tiny set, unless a test replaces its answers."""

    def __init__(self):
        self.answers = {DATA_PATH: {"body": DATA}, LABELS_PATH: {"body": LABELS}}
        self.requests = []
        self.stopped = threading.Event()
        mirror = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                mirror.requests.append(self.path)
                try:
                    mirror.answer(self, mirror.answers.get(self.path, {"status": 404}))
                except OSError:
                    pass  # the client has gone

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/mirror"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()

    def answer(self, request, answer):
        body = answer.get("body", b"")
        request.send_response(answer.get("status", 200))
        if "then" not in answer or "length" in answer:
            request.send_header("Content-Length", str(answer.get("length", len(body))))
        if "location" in answer:
            request.send_header("Location", answer["location"])
        request.end_headers()
        request.wfile.write(body)
        request.wfile.flush()
        answer.get("then", lambda *_: None)(request)

    def be_silent(self, *_):
        self.stopped.wait()

    def repeat(self, request):
        while not self.stopped.is_set():
            request.wfile.write(b"x" * 65536)

    def stop(self):
        self.stopped.set()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def mirror(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    mirror = Mirror()
    yield mirror
    mirror.stop()


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "sets" / "tiny"


def refuse(mirror, folder, words, url=None):
    """Fetching fails with these words, names the URL, says what to do, and leaves nothing."""
    with pytest.raises(mugrad.InputError) as raised:
        fetch_files(TINY, str(folder), url or mirror.url)
    text = str(raised.value)
    assert (url or mirror.url) + "/tiny/Tiny" in text and words in text
    assert text.endswith(
        "mirror=URL, or put tiny/tiny.arff and tiny/tiny.xml into the folder that MUGRAD_DATA names"
    )
    assert not folder.parent.exists()


@pytest.mark.parametrize("slash", ["", "/"])
def test_both_files_appear_under_their_local_names(mirror, folder, slash):
    fetch_files(TINY, str(folder), mirror.url + slash)
    assert sorted(os.listdir(folder)) == ["tiny.arff", "tiny.xml"]
    assert (folder / "tiny.arff").read_bytes() == DATA
    assert (folder / "tiny.xml").read_bytes() == LABELS
    assert mirror.requests == [LABELS_PATH, DATA_PATH]


def test_only_what_is_missing_or_damaged_is_downloaded(mirror, folder):
    fetch_files(TINY, str(folder), mirror.url)
    mirror.requests.clear()
    fetch_files(TINY, str(folder), mirror.url)
    assert not mirror.requests
    (folder / "tiny.arff").write_bytes(DATA.upper())
    fetch_files(TINY, str(folder), mirror.url)
    assert mirror.requests == [DATA_PATH] and (folder / "tiny.arff").read_bytes() == DATA


def test_a_file_with_another_hash_is_refused(mirror, folder):
    mirror.answers[DATA_PATH] = {"body": DATA.upper()}
    refuse(mirror, folder, f"expected {TINY[1].sha256}: the file has changed or is damaged")


def test_a_file_that_is_there_stays_when_the_new_one_is_refused(mirror, folder):
    folder.mkdir(parents=True)
    (folder / "tiny.arff").write_bytes(b"old")
    mirror.answers[DATA_PATH] = {"body": b"other"}
    with pytest.raises(mugrad.InputError):
        fetch_files(TINY, str(folder), mirror.url)
    assert (folder / "tiny.arff").read_bytes() == b"old" and os.listdir(folder) == ["tiny.arff"]


def test_a_body_that_is_longer_than_the_file_is_an_error(mirror, folder):
    mirror.answers[DATA_PATH] = {"body": DATA + b"!"}
    refuse(mirror, folder, "has more than the 14 bytes expected")
    mirror.answers[DATA_PATH] = {"then": mirror.repeat}
    refuse(mirror, folder, "has more than the 14 bytes expected")


def test_a_transfer_that_breaks_off_is_an_error(mirror, folder):
    mirror.answers[DATA_PATH] = {"body": b"@relation", "length": 14}
    refuse(mirror, folder, "the transfer was aborted after 9 of 14 bytes")


def test_a_server_that_has_no_such_file_is_an_error(mirror, folder):
    del mirror.answers[LABELS_PATH]
    refuse(mirror, folder, "the server answered HTTP 404")


def test_servers_and_hosts_that_are_not_there_are_errors(mirror, folder):
    nobody = Mirror()
    nobody.stop()
    refuse(mirror, folder, "no connection to its host", nobody.url)
    # Longer than any part of a host name may be: refused without asking anyone.
    refuse(mirror, folder, "its host is unknown", f"http://{'x' * 64}.invalid")


def test_redirects_are_followed_to_the_web_alone(mirror, folder, tmp_path):
    (tmp_path / "secret").write_bytes(DATA)
    mirror.answers[DATA_PATH] = {"status": 302, "location": f"file://{tmp_path}/secret"}
    refuse(mirror, folder, "which is not allowed")
    mirror.answers[DATA_PATH] = {"status": 302, "location": DATA_PATH}
    refuse(mirror, folder, "redirects more than 5 times")
    mirror.answers["/elsewhere"] = {"body": DATA}
    # Nobody waits for the end of the redirect's own body.
    mirror.answers[DATA_PATH] = {
        "status": 302, "location": "/elsewhere", "body": b"go", "then": mirror.be_silent,
    }
    fetch_files(TINY, str(folder), mirror.url)
    assert (folder / "tiny.arff").read_bytes() == DATA


def test_a_redirect_never_leads_from_https_to_http():
    assert redirected("https://a/b", "https://c/d") == "https://c/d"
    assert redirected("http://a/b", "/d") == "http://a/d"
    with pytest.raises(OSError, match="not allowed"):
        redirected("https://a/b", "http://c/d")


@pytest.mark.parametrize("address", ["ftp://example.org", "file:///tmp", "/tmp", "example.org"])
def test_mirrors_that_are_no_web_address_are_refused(folder, address):
    with pytest.raises(ValueError, match=f"http:// or https:// address, got '{address}'"):
        fetch_files(TINY, str(folder), address)
    assert not folder.parent.exists()


def test_a_folder_that_cannot_be_made_costs_no_download(mirror, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(mugrad.InputError, match="cannot create the folder"):
        fetch_files(TINY, str(tmp_path / "file" / "tiny"), mirror.url)
    assert not mirror.requests


def test_a_download_ends_when_hardly_anything_arrives(mirror):
    """The clock goes on by ten seconds whenever it is looked at after the first bytes."""
    mirror.answers[DATA_PATH] = {"body": b"@r", "length": 14, "then": mirror.be_silent}
    now, seen = [0.0], []

    def clock():
        now[0] += 10 if any(received == 2 for _, received, _ in seen) else 0
        return now[0]

    with pytest.raises(Exception, match="fewer than 1000 bytes per second arrived for 30 seconds"):
        download(mirror.url + "/tiny/Tiny-v1.arff", TINY[1], lambda *told: seen.append(told), clock)
    assert ("tiny.arff", 2, 14) in seen


def test_a_server_that_never_answers_is_given_up(mirror):
    mirror.answer = mirror.be_silent
    times = iter(range(0, 1000, 10))
    with pytest.raises(Exception, match="for 30 seconds"):
        download(mirror.url + "/tiny/Tiny-v1.arff", TINY[1], clock=lambda: next(times))


def test_minimum_speed_is_an_average_over_thirty_seconds():
    slow, steady, stalled = MinimumSpeed(0), MinimumSpeed(0), MinimumSpeed(0)
    assert [slow.is_missed(2 * second, second) for second in range(31)] == [False] * 30 + [True]
    assert not any(steady.is_missed(1000 * second, second) for second in range(10_000))
    assert not stalled.is_missed(10**9, 1) and not stalled.is_missed(10**9, 30)
    assert stalled.is_missed(10**9, 31)


def test_an_interrupt_ends_a_download_that_waits(mirror, folder):
    def interrupt(*_):
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        mirror.be_silent()

    mirror.answers[DATA_PATH] = {"body": b"@r", "length": 14, "then": interrupt}
    with pytest.raises(KeyboardInterrupt):
        fetch_files(TINY, str(folder), mirror.url)
    assert not folder.parent.exists()


def test_progress_is_told_of_each_file_and_ends_the_download_when_it_raises(mirror, folder):
    most = {}

    def watch(file, received, total):
        assert total == 0 or received <= total
        most[file] = max(most.get(file, 0), received)

    def stop(file, received, total):
        raise RuntimeError(f"enough of {file}")

    with pytest.raises(RuntimeError, match="enough of tiny.xml"):
        fetch_files(TINY, str(folder), mirror.url, stop)
    assert not folder.parent.exists()
    fetch_files(TINY, str(folder), mirror.url, watch)
    assert most == {"tiny.xml": 9, "tiny.arff": 14}


def test_what_is_fetched_by_name_is_checked_and_told_on_one_line(tmp_path, mirror, capsys):
    size = 323  # of the first file of emotions
    mirror.answers[f"/mirror/{NAME}/{NAME}.xml"] = {"body": b"0" * size}
    with pytest.raises(mugrad.InputError, match="SHA-256"):
        fetch(NAME, folder=tmp_path, mirror=mirror.url, progress=True)
    assert "100 %" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_set_that_was_fetched_is_read(tmp_path, mirror, monkeypatch):
    dump(tmp_path / "made.arff", X, Y)
    bodies = [(tmp_path / "made.xml").read_bytes(), (tmp_path / "made.arff").read_bytes()]
    files = []
    for ending, body in zip(("xml", "arff"), bodies):
        mirror.answers[f"/mirror/up.{ending}"] = {"body": body}
        hashed = hashlib.sha256(body).hexdigest()
        files.append((f"up.{ending}", f"{NAME}.{ending}", hashed, len(body)))
    monkeypatch.setattr(datasets._core, "catalog", lambda: [(NAME, "made", files)])
    np.testing.assert_array_equal(fetch(NAME, folder=tmp_path, mirror=mirror.url).data, X)
    assert sorted(os.listdir(tmp_path / NAME)) == [f"{NAME}.arff", f"{NAME}.xml"]
