"""Reading: once, completely, within bounds."""

from __future__ import annotations

import errno
import os
import resource
import subprocess
import sys
import threading
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trees import deep, fill, links, odd_names, open_files, specials

from plantwin.errors import RootError
from plantwin.private.observe import beneath as module
from plantwin.private.observe.beneath import CHUNK, HEAD, WHOLE, WINDOW, Beneath, read


class Sink:
    """Keeps what passes, and insists that it comes in order and without gaps."""

    def __init__(self):
        self.digest = sha256()
        self.size = 0

    def __call__(self, chunk, offset):
        assert offset == self.size
        assert 0 < len(chunk) <= CHUNK + 1
        self.digest.update(chunk)
        self.size += len(chunk)


def sample(path: Path, expected: int | None = None, sink=None):
    fd = os.open(path, os.O_RDONLY)
    try:
        return read(fd, path.name, path.stat().st_size if expected is None else expected, sink)
    finally:
        os.close(fd)


@pytest.mark.parametrize("size", [0, 1, 4095, 4096, 4097, 70_000, WHOLE - 1, WHOLE])
@pytest.mark.parametrize("expected", ["right", "zero", "double"])
def test_a_file_up_to_the_bound_is_kept_whole(tmp_path, size, expected):
    content = os.urandom(size)
    (tmp_path / "f").write_bytes(content)
    sink = Sink()
    found = sample(tmp_path / "f", {"right": size, "zero": 0, "double": 2 * size}[expected], sink)
    assert found.head == content
    assert (found.size, found.windows, found.whole, found.warnings) == (size, (), True, ())
    assert found.digest == sha256(content).digest()
    assert sink.size == 0


@settings(max_examples=25, deadline=None)
@given(extra=st.integers(1, 3 << 20), ends=st.sampled_from(["lines", "none", "utf16"]))
def test_a_larger_file_passes_completely_and_is_sampled(tmp_path_factory, extra, ends):
    size = WHOLE + extra
    path = tmp_path_factory.getbasetemp() / "large"
    if ends == "none":
        content = Random(extra).randbytes(size).replace(b"\n", b"x")
    elif ends == "lines":
        content = b"".join(b"%d %s\n" % (number, b"y" * (number % 90)) for number in range(size // 40))[:size]
        content += b"tail" * (size - len(content))
    else:
        content = "\ufeff".encode("utf-16-le") + "".join(f"zeile {number}\n" for number in range(size // 10)).encode(
            "utf-16-le"
        )
    path.write_bytes(content)
    sink = Sink()
    found = sample(path, sink=sink)
    assert found.size == sink.size == len(content)
    assert found.digest == sink.digest.digest() == sha256(content).digest()
    assert not found.whole
    assert len(found.head) <= HEAD
    assert content.startswith(found.head)
    assert 1 <= len(found.windows) <= 4
    place = len(found.head)
    for window in found.windows:
        assert 0 < len(window) <= WINDOW
        place = content.index(window, place) + len(window)
    assert place == len(content), "the last window is the tail"
    if ends == "lines":
        for window in (found.head, *found.windows[:-1]):
            assert window.endswith(b"\n")
        for window in found.windows:
            assert content[: content.index(window)].endswith(b"\n")
    if ends == "utf16":
        for window in (found.head, *found.windows):
            assert "zeile" in window.decode("utf-16-le")


def test_windows_spread_through_the_file(tmp_path):
    lines = [b"%09d\n" % number for number in range(1_000_000)]
    (tmp_path / "log").write_bytes(b"".join(lines))
    found = sample(tmp_path / "log")
    starts = [int(window[:9]) for window in found.windows]
    assert len(starts) == 4
    for start, share in zip(starts, (0.27, 0.51, 0.75, 0.99), strict=True):
        assert abs(start / 1_000_000 - share) < 0.02
    assert found.windows[-1].endswith(b"000999999\n")


def test_a_hundred_megabytes_in_one_line_stay_small_in_memory(tmp_path):
    path = tmp_path / "line"
    with path.open("wb") as file:
        for _ in range(100):
            file.write(b"a" * (1 << 20))
    code = (
        "import os, resource, sys\n"
        "from plantwin.private.observe.beneath import read\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "seen = []\n"
        "fd = os.open(sys.argv[1], os.O_RDONLY)\n"
        "sample = read(fd, 'line', 100 << 20, lambda chunk, offset: seen.append(len(chunk)))\n"
        "after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "print(sample.size, sum(seen), (after - before) // 1024)\n"
    )
    answer = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, check=True).stdout
    path.unlink()
    size, seen, megabytes = map(int, answer.split())
    assert size == seen == 100 << 20
    assert megabytes < 16


def test_a_sparse_file_is_read_as_zeros(tmp_path):
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(200 << 20)
    sink = Sink()
    found = sample(tmp_path / "sparse", sink=sink)
    assert found.size == sink.size == 200 << 20
    assert found.head == b"\0" * HEAD
    assert found.warnings == ()


def test_the_holes_of_an_enormous_file_are_passed_over(tmp_path):
    path = tmp_path / "enormous"
    with path.open("wb") as file:
        file.write(b"start\n")
        file.truncate(1 << 40)
        file.seek(1 << 39)
        file.write(b"middle\n")
        file.seek((1 << 40) - 4)
        file.write(b"end\n")
    if path.stat().st_blocks * 512 > 1 << 30:
        pytest.fail("this file system has no holes: the file above has just filled it")
    seen = []
    found = sample(path, sink=lambda chunk, offset: seen.append((offset, chunk)))
    assert found.size == 1 << 40
    assert found.warnings == ()
    assert found.head.startswith(b"start\n")
    text = b"".join(chunk for _, chunk in seen)
    assert b"middle\n" in text and text.endswith(b"end\n")
    assert len(text) < 1 << 24
    assert all(chunk == b"middle\n" or offset + chunk.find(b"middle\n") == 1 << 39 for offset, chunk in seen[1:2])
    assert sample(path).digest == found.digest


def test_a_file_that_never_ends_stops_at_a_bound(monkeypatch):
    monkeypatch.setattr(module, "SLACK", 3 << 20)
    seen = []
    found = sample(Path("/dev/zero"), 0, lambda chunk, offset: seen.append(len(chunk)))
    assert found.size == sum(seen) == 3 << 20
    assert found.warnings == ("file_growing",)
    found = sample(Path("/dev/zero"), 2 << 20)
    assert found.size == 4 << 20, "twice what was expected"


def test_a_file_that_grows_while_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "SLACK", 4 << 20)
    path = tmp_path / "log"
    path.write_bytes(b"x" * (2 << 20))

    def grow(chunk, offset):
        with path.open("ab") as file:
            file.write(b"y" * (2 << 20))

    found = sample(path, sink=grow)
    assert found.size == 4 << 20
    assert found.warnings == ("file_growing",)


def test_a_file_that_shrinks_gives_what_was_there(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(b"x" * (4 << 20))
    found = sample(path, sink=lambda chunk, offset: os.truncate(path, 2 << 20))
    assert found.size == 2 << 20
    assert found.warnings == ()
    path.write_bytes(b"short")
    assert sample(path, 500_000).head == b"short"


def test_files_without_a_size_are_read():
    found = sample(Path("/proc/self/status"), 0)
    assert found.head.startswith(b"Name:")
    assert found.whole


def test_a_failing_read_is_a_warning(tmp_path):
    found = sample(tmp_path, 10)
    assert (found.size, found.head, found.warnings) == (0, b"", ("read_failed",))
    assert found.digest == sha256().digest()


@pytest.mark.parametrize("after", [1, 2, 4])
def test_a_read_that_fails_midway_gives_what_was_read(tmp_path, monkeypatch, after):
    (tmp_path / "f").write_bytes(b"z" * (6 << 20))
    real, calls = os.read, []

    def failing(fd, size):
        calls.append(size)
        if len(calls) > after:
            raise OSError(5, "input/output error")
        return real(fd, min(size, 600_000))

    monkeypatch.setattr(os, "read", failing)
    found = sample(tmp_path / "f")
    assert found.warnings == ("read_failed",)
    assert 0 < found.size < 6 << 20
    assert found.digest == sha256(b"z" * found.size).digest()


def test_executables_are_told(tmp_path):
    (tmp_path / "f").write_bytes(b"x")
    assert not sample(tmp_path / "f").executable
    (tmp_path / "f").chmod(0o755)
    assert sample(tmp_path / "f").executable


def test_a_pipe_that_gives_little_at_a_time():
    receive, send = os.pipe()

    def write():
        for _ in range(400):
            os.write(send, b"line of text\n" * 300)
        os.close(send)

    writer = threading.Thread(target=write)
    writer.start()
    sink = Sink()
    found = read(receive, "pipe", 0, sink)
    writer.join()
    os.close(receive)
    assert found.size == sink.size == 400 * 300 * 13
    assert found.digest == sha256(b"line of text\n" * 120_000).digest()


def test_a_sample_prints_nothing_of_the_file(tmp_path):
    (tmp_path / "f").write_bytes(b"password")
    assert "password" not in repr(sample(tmp_path / "f"))


# Opening below a root: regular files only, by no link, at any depth


def content(beneath: Beneath, path: str) -> bytes:
    fd = beneath.open(path)
    try:
        return os.read(fd, 100)
    finally:
        os.close(fd)


def test_files_open_by_path_in_any_order(tmp_path):
    files = {"a": "1", "b/c": "2", "b/d/e": "3", "b/d/f": "4", "g/h": "5"}
    fill(tmp_path, files)
    order = [*files, *reversed(files), "b/d/e", "a", "g/h", "b/c"]
    with Beneath(tmp_path) as beneath:
        assert [content(beneath, path) for path in order] == [files[path].encode() for path in order]


def test_odd_names_open(tmp_path):
    with Beneath(tmp_path) as beneath:
        assert {content(beneath, path) for path in odd_names(tmp_path)} == {b"x"}


def test_four_thousand_deep_with_few_descriptors(tmp_path):
    with deep(tmp_path, 4_000, every=40) as paths:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (128, hard))
        try:
            with Beneath(tmp_path) as beneath:
                for path in (*paths, *reversed(paths), paths[0], paths[-1]):
                    assert content(beneath, path) == b"%d\n" % path.count("/")
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_links_are_refused_wherever_they_stand(tmp_path):
    outside = fill(tmp_path / "outside", {"secret": "s", "sub/secret": "s"})
    root = fill(tmp_path / "root", {"sub/real": "1"})
    links(root, outside)
    with Beneath(root) as beneath:
        for path in ("to_outside_file", "to_outside/secret", "to_outside/sub/secret", "to_root/sub/real", "to_self"):
            with pytest.raises(OSError):
                beneath.open(path)
        assert content(beneath, "sub/real") == b"1"


def test_a_folder_swapped_for_a_link_is_refused(tmp_path):
    outside = fill(tmp_path / "outside", {"f": "secret"})
    root = fill(tmp_path / "root", {"a/f": "1", "b/f": "2"})
    with Beneath(root) as beneath:
        assert content(beneath, "a/f") == b"1"
        (root / "b").rename(root / "c")
        (root / "b").symlink_to(outside)
        with pytest.raises(OSError):
            beneath.open("b/f")
        (root / "a/f").unlink()
        (root / "a/f").symlink_to(outside / "f")
        with pytest.raises(OSError):
            beneath.open("a/f")


def test_only_regular_files_open_and_a_pipe_does_not_block(tmp_path):
    specials(fill(tmp_path, {"folder/f": "1"}))
    with Beneath(tmp_path) as beneath:
        for path in ("pipe", "socket", "device", "folder"):
            with pytest.raises(OSError):
                beneath.open(path)


@pytest.mark.parametrize(
    "path", ["", "/", "/etc/passwd", "../f", "a/../f", "./f", "a//f", "a/", "a/.", "a/..", "f\0", "a\0/f"]
)
def test_only_plain_relative_paths_open(tmp_path, path):
    root = fill(tmp_path / "root", {"f": "1", "a/f": "2"})
    fill(tmp_path, {"f": "outside"})
    with Beneath(root) as beneath:
        for _ in range(2):
            with pytest.raises(OSError) as caught:
                beneath.open(path)
            assert caught.value.errno == errno.EINVAL
        assert content(beneath, "a/f") == b"2"


def test_what_is_missing_is_refused_and_the_rest_still_opens(tmp_path):
    fill(tmp_path, {"a/b/f": "1", "a/g": "2"})
    with Beneath(tmp_path) as beneath:
        for path in ("a/b/missing", "a/missing/f", "missing/b/f", "a/b/f/g"):
            with pytest.raises(OSError):
                beneath.open(path)
            assert content(beneath, "a/g") == b"2"


def test_nothing_stays_open(tmp_path):
    fill(tmp_path, {"a/b/c/f": "1"})
    before = open_files()
    with Beneath(tmp_path) as beneath:
        content(beneath, "a/b/c/f")
        with pytest.raises(OSError):
            beneath.open("a/b/c")
    assert open_files() == before
    with pytest.raises(RootError):
        Beneath(tmp_path / "missing")


def test_descriptors_are_not_inherited(tmp_path):
    fill(tmp_path, {"f": "1"})
    with Beneath(tmp_path) as beneath:
        fd = beneath.open("f")
        assert not os.get_inheritable(fd)
        os.close(fd)
