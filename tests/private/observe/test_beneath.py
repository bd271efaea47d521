"""Opening below a root: regular files only, by no link, at any depth."""

from __future__ import annotations

import errno
import os
import resource

import pytest
from trees import deep, fill, links, odd_names, open_files, specials

from plantwin.errors import RootError
from plantwin.private.observe.beneath import Beneath


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
