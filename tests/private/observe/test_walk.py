"""The walk: every regular file below the root, and nothing else, whatever the tree does; and what it left out."""

from __future__ import annotations

import os
import py_compile
import resource
import stat
import time
from pathlib import Path

import pytest
from trees import deep, fill, links, odd_names, open_files, open_to_all, specials, unprivileged

from plantwin.errors import RootError
from plantwin.private.facts import Entry
from plantwin.private.observe import walk as module
from plantwin.private.observe.changes import common_folder, placed
from plantwin.private.observe.walk import Tally, unobserved, walk


def paths(root: Path, **options) -> list[str]:
    return [entry.path for entry in walk(root, **options)]


def test_every_file_once_in_the_order_of_names(tmp_path):
    fill(tmp_path, {"b/z": "1", "b/a/x": "2", "c": "3", "a": "4", "empty/": ""})
    tally = Tally()
    assert paths(tmp_path, tally=tally) == ["a", "c", "b/z", "b/a/x"]
    assert (tally.files, tally.folders, tally.skipped, tally.ignored, tally.unreadable) == (4, 4, 0, 0, 0)


def test_an_entry_is_what_the_file_system_says(tmp_path):
    fill(tmp_path, {"run.sh": "#!/bin/sh\n"})
    (tmp_path / "run.sh").chmod(0o755)
    (entry,) = walk(tmp_path)
    status = (tmp_path / "run.sh").stat()
    assert type(entry) is Entry
    assert tuple(entry) == (
        "run.sh",
        10,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
        stat.S_IFREG | 0o755,
    )


def test_the_root_may_be_a_link_and_must_be_a_folder(tmp_path):
    fill(tmp_path, {"real/f": "1"})
    (tmp_path / "link").symlink_to("real")
    assert paths(tmp_path / "link") == ["f"]
    for bad in ("real/f", "missing", "nul\0"):
        with pytest.raises(RootError) as caught:
            walk(tmp_path / bad)
        assert caught.value.__cause__ is None
        assert "missing" not in str(caught.value)


def test_links_are_counted_and_never_followed(tmp_path):
    outside = fill(tmp_path / "outside", {"secret": "s"})
    root = fill(tmp_path / "root", {"sub/real": "1"})
    expected = links(root / "sub", outside)
    tally = Tally()
    assert paths(root, tally=tally) == ["sub/real"]
    assert tally.links == tally.skipped == expected


def test_specials_are_counted_and_never_opened(tmp_path):
    expected = specials(fill(tmp_path, {"f": "1"}))
    tally = Tally()
    assert paths(tmp_path, tally=tally) == ["f"]
    assert tally.specials == tally.skipped == expected
    if expected == 2:
        with pytest.raises(PermissionError):
            os.mknod(tmp_path / "other", stat.S_IFCHR | 0o600, os.makedev(1, 3))


def test_odd_names_are_paths_like_others(tmp_path):
    expected = odd_names(tmp_path)
    found = paths(tmp_path)
    assert set(found) == expected
    assert len(found) == len(expected)
    assert all((tmp_path / path).read_bytes() == b"x" for path in found)


def test_four_thousand_deep_with_few_descriptors(tmp_path):
    # Siblings before and after the chain at every hundredth level make the walk climb back in steps.
    with deep(tmp_path, 4_000, every=100) as expected:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (128, hard))
        try:
            started = time.perf_counter()
            assert paths(tmp_path) == expected
            assert len(expected[-1]) > os.pathconf(tmp_path, "PC_PATH_MAX")
            assert time.perf_counter() - started < 10
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_zigzag_far_down_is_walked_on_the_way_back(tmp_path):
    with deep(tmp_path, 600, every=600):
        fd = os.open(tmp_path, os.O_RDONLY)
        expected = {"d/" * 600 + "f"}
        for level in range(600):
            os.mkdir("z", dir_fd=fd)
            os.close(os.open("z/g", os.O_WRONLY | os.O_CREAT, dir_fd=fd))
            expected.add("d/" * level + "z/g")
            below = os.open("d", os.O_RDONLY, dir_fd=fd)
            os.close(fd)
            fd = below
        os.close(fd)
        before = open_files()
        assert set(paths(tmp_path)) == expected
        assert open_files() == before


def test_paths_beyond_the_bound_are_left_out_with_a_warning(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MAX_PATH", 9)
    fill(tmp_path, {"dddd/eeee/f": "1", "dddd/f": "2"})
    tally, warnings = Tally(), []
    found = paths(tmp_path, tally=tally, warn=lambda *warning: warnings.append(warning))
    assert found == ["dddd/f"]
    assert warnings == [("folder_too_deep", "dddd/eeee")]
    assert tally.unreadable == 1


def test_unreadable_folders_are_a_warning():
    with open_to_all() as root:
        fill(root, {"closed/f": "1", "listed/f": "2", "open/f": "3", "z": "4"})
        (root / "closed").chmod(0o000)
        (root / "listed").chmod(0o744)

        def observe():
            tally, warnings = Tally(), []
            found = paths(root, tally=tally, warn=lambda *warning: warnings.append(warning))
            return found, warnings, tally.unreadable

        if os.geteuid() != 0:
            (root / "listed").chmod(0o444)
        found, warnings, unreadable = unprivileged(observe)
        assert found == ["z", "open/f"]
        assert warnings == [("folder_unreadable", "closed"), ("folder_unreadable", "listed")]
        assert unreadable == 2


def test_an_unreadable_root_is_an_error():
    with open_to_all() as root:
        fill(root, {"closed/f": "1"})
        (root / "closed").chmod(0o000)

        def observe():
            try:
                walk(root / "closed")
            except RootError:
                return "refused"
            return "walked"

        assert unprivileged(observe) == "refused"


def test_what_vanishes_during_the_walk_is_not_there(tmp_path):
    fill(tmp_path, {"a": "1", "b": "2", "c/f": "3", "d/f": "4", "e/f": "5", "e/deep/f": "6"})
    tally, warnings = Tally(), []
    entries = walk(tmp_path, tally=tally, warn=lambda *warning: warnings.append(warning))
    assert next(entries).path == "a"
    (tmp_path / "b").unlink()
    (tmp_path / "c/f").unlink()
    (tmp_path / "c").rmdir()
    (tmp_path / "d/f").unlink()
    (tmp_path / "d").rmdir()
    (tmp_path / "d").write_text("now a file")
    assert [entry.path for entry in entries] == ["e/f", "e/deep/f"]
    assert warnings == []
    assert tally.unreadable == 0


def test_a_folder_swapped_for_a_link_does_not_lead_out(tmp_path):
    outside = fill(tmp_path / "outside", {"secret": "s"})
    root = fill(tmp_path / "root", {"a": "1", "b/f": "2"})
    entries = walk(root)
    assert next(entries).path == "a"
    (root / "b").rename(root / "gone")
    (root / "b").symlink_to(outside)
    assert list(entries) == []


def test_a_folder_moved_while_the_walk_is_below_it(tmp_path):
    with deep(tmp_path, 80, every=80):
        fill(tmp_path / ("d/" * 60) / "z", {"late": "1"})
        warnings = []
        entries = walk(tmp_path, warn=lambda *warning: warnings.append(warning))
        assert next(entries).path == "d/" * 80 + "f"
        (tmp_path / ("d/" * 50)).rename(tmp_path / ("d/" * 49) / "moved")
        assert list(entries) == []
        assert [code for code, _ in warnings] == ["folder_moved"]


def test_stopping_early_leaves_nothing_open(tmp_path):
    fill(tmp_path, {f"a/b/c/{number}": "1" for number in range(5)})
    before = open_files()
    entries = walk(tmp_path)
    next(entries)
    entries.close()
    walk(tmp_path)
    assert open_files() == before


def test_entries_and_tallies_print_nothing_of_the_tree(tmp_path):
    fill(tmp_path, {"payroll.csv": "1"})
    (entry,) = walk(tmp_path)
    assert "payroll" not in f"{entry!r}{entry}{[entry]}"


def test_compiled_and_cached_copies_of_a_hidden_file_are_hidden(tmp_path):
    for path in ("app/keys.py", ".terraform/terraform.tfstate", ".idea/dataSources.xml", ".mypy_cache/keys.json"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text('KEY = "tr0ub4dor-and-3-staples-x"\n')
    compiled = py_compile.compile(str(tmp_path / "app/keys.py"))
    assert compiled
    # Control: it holds what its source holds.
    assert b"tr0ub4dor-and-3-staples-x" in Path(compiled).read_bytes()
    hidden = unobserved(tmp_path, {"app/keys.py"})
    assert hidden == {"app/__pycache__", ".terraform", ".idea", ".mypy_cache"}


def test_installed_packages_and_links_stay_and_what_is_observed_in_a_cache_too(tmp_path):
    for path in ("venv/lib/package.py", "node_modules/x/index.js", ".idea/kept.xml", ".idea/other.xml", "notes.txt"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x")
    (tmp_path / "link").symlink_to("notes.txt")
    assert unobserved(tmp_path, {".idea/kept.xml"}) == {".idea/other.xml", "notes.txt"}


def test_the_folder_to_observe_is_the_project_that_paths_lie_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one/.git", "one/src", "plain/src"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "one/src/a.py").write_text("a = 1\n")
    for here, path, found in (
        (".", "one", "one"), (".", "one/src/a.py", "one"), (".", "one/src/*.py", "one"), (".", "plain/src", "."),
        ("one", "src", "one"), ("one/src", "a.py", "one/src"), ("plain", "../one/src", "one/src"),
    ):  # fmt: skip
        monkeypatch.chdir(tmp_path / here)
        assert common_folder([path]) == tmp_path / found, (here, path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "plain"))
    assert common_folder(["plain/src"]) == tmp_path / "plain/src"
    for path, found in (("src", tmp_path / "one/src"), ("one/src", "one/src"), ("*.py", tmp_path / "one/*.py")):
        assert placed(path, tmp_path / "one") == str(found)
