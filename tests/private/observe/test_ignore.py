"""Ignore rules: what git ignores, what `.plantwinignore` changes, what is never entered."""

from __future__ import annotations

import os
import time
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from trees import fill, git

from plantwin.private.observe import ignore as module
from plantwin.private.observe.ignore import DEFAULTS, KEPT, Ignore, Scope
from plantwin.private.observe.patterns import Patterns, lines
from plantwin.private.observe.walk import Tally, walk

NAMES = ["a", "b", "ab", "a.b", "foo", "foobar", "a b", "b ", "!a", "#a", "a[b", "a]", "-", "a\\", "é", "x.tar.gz", "A"]
PIECES = [
    *("a", "b", "foo", ".b", "bar", "é", " ", "-", ".", "A", "*", "**", "***", "?", "*a", "*.b", "/", "/", "/", "**/"),
    *("/**", "[ab]", "[!a]", "[^b]", "[a-f]", "[]a]", "[a-]", "[b-a]", "[a-c-e]", "[!]]", "[\\]]", "[\\a-b]", "[", "]"),
    *(
        "[[:alpha:]]",
        "[[:punct:]]",
        "[[:space:][:upper:]]",
        "[[:x:]]",
        "[[:",
        "[[:a]",
        "\\a",
        "\\*",
        "\\ ",
        "\\",
        "\\[",
    ),
    *("\\/", "**\\/"),
]
PATTERNS = st.builds(
    lambda negated, anchored, pieces, end: negated + anchored + "".join(pieces) + end,
    st.sampled_from(["", "", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=5),
    st.sampled_from(["", "", "", "/", " ", "\r"]),
)
FEW = ("a", "b", "foo", "a.b")
PATHS = st.lists(st.sampled_from(FEW), min_size=1, max_size=4).map("/".join) | st.sampled_from(NAMES)
EVERY_PATH = [
    *("/".join(names) for depth in (1, 2, 3) for names in product(FEW, repeat=depth)),
    *(folder + name for folder in ("", "a/", "foo/b/") for name in NAMES if name not in FEW),
    *("a/a/a/a", "foo/a/b/a.b/a", "fooa/b/bar", "foobar/b/a", "foo/bar", "foobar"),
]


def kept(scope: Scope, path: str) -> bool:
    """Whether a file is kept, by asking about each folder on the way to it."""
    *folders, name = path.split("/")
    for folder in folders:
        if scope.verdict(folder, folder=True) != KEPT:
            return False
        scope = scope.below(folder)
    return scope.verdict(name, folder=False) == KEPT


def ignored_by_git(root: Path, paths: list[str]) -> set[str]:
    asked = b"".join(os.fsencode(path) + b"\0" for path in paths)
    (root.parent / "asked").write_bytes(asked)
    command = "git check-ignore --no-index --stdin -z < ../asked || test $? -eq 1"
    answer = git(root, "-c", f"alias.ask=!{command}", "ask")
    return {os.fsdecode(each) for each in answer.split(b"\0") if each}


@pytest.fixture(scope="module")
def empty_repository(tmp_path_factory):
    root = tmp_path_factory.mktemp("repository") / "root"
    root.mkdir()
    git(root, "init", "-q")
    return root


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(PATTERNS, min_size=1, max_size=6))
@example(["foo**/a"])
@example(["/foo**"])
@example(["*/b"])
@example(["foo/*/a"])
@example(["a/**/b"])
@example(["a/**\\/b"])
@example(["a/**b"])
@example(["?", "!??"])
@example(["a\\ ", "b\\  "])
@example(["a\r"])
@example(["[^a]*"])
@example(["/*", "!/a", "/a/*", "!/a/b"])
@example(["*", "!*/", "!*.b"])
def test_one_file_decides_as_git_does(empty_repository, patterns):
    content = "\n".join([*patterns, ""]).encode()
    (empty_repository / ".gitignore").write_bytes(content)
    scope = Scope().with_git(Patterns(content))
    expected = ignored_by_git(empty_repository, EVERY_PATH)
    assert {path for path in EVERY_PATH if not kept(scope, path)} == expected


TREES = st.fixed_dictionaries(
    {
        "rules": st.dictionaries(
            st.sampled_from(["", "a/", "foo/", "a/b/", "foo/a/", "a/foo/b/"]),
            st.lists(PATTERNS, min_size=1, max_size=4),
            min_size=1,
            max_size=4,
        ),
        "exclude": st.lists(PATTERNS, max_size=3),
        "files": st.lists(PATHS, min_size=10, max_size=25, unique=True),
    }
)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(TREES)
def test_nested_files_leave_out_what_git_leaves_out(tmp_path_factory, tree):
    root = tmp_path_factory.mktemp("tree")
    git(root, "init", "-q")
    for path in tree["files"]:
        place = root / path
        if not any(parent.is_file() for parent in place.parents) and not place.is_dir():
            fill(root, {path: "x"})
    for folder, patterns in tree["rules"].items():
        if not any((root / folder / "x").parents[level].is_file() for level in range(4)):
            fill(root, {f"{folder}.gitignore": "\n".join(patterns)})
    fill(root, {".git/info/exclude": "\n".join(tree["exclude"])})
    listed = git(root, "ls-files", "-z", "--others", "--exclude-standard").split(b"\0")
    assert {entry.path for entry in walk(root)} == {os.fsdecode(each) for each in listed if each}


def paths(root: Path, **options) -> list[str]:
    return sorted(entry.path for entry in walk(root, **options))


def test_a_folder_left_out_is_not_entered_and_counts_once(tmp_path):
    fill(tmp_path, {".gitignore": "build/\n!build/keep\n*.log\n", "build/keep": "1", "build/x": "2", "a.log": "3"})
    tally = Tally()
    assert paths(tmp_path, tally=tally) == [".gitignore"]
    assert tally.ignored == 2


def test_own_rules_win_over_git_rules_of_any_folder(tmp_path):
    fill(
        tmp_path,
        {
            ".gitignore": "data/\n*.env\nsecret\n",
            ".plantwinignore": "!data/\n!*.env\nprivate/\nsub/notes\n",
            "data/rows": "1",
            "prod.env": "2",
            "secret": "3",
            "private/f": "4",
            "sub/.gitignore": "!notes\nhere.env\n",
            "sub/notes": "5",
            "sub/here.env": "6",
        },
    )
    found = [path for path in paths(tmp_path) if "ignore" not in path]
    assert found == ["data/rows", "prod.env", "sub/here.env"]


def test_a_deeper_own_file_wins_over_a_higher_one(tmp_path):
    fill(tmp_path, {".plantwinignore": "*.csv\n", "a/.plantwinignore": "!b.csv\n", "a/b.csv": "1", "a/c.csv": "2"})
    assert paths(tmp_path) == [".plantwinignore", "a/.plantwinignore", "a/b.csv"]


def test_names_that_are_left_out_by_default(tmp_path):
    fill(tmp_path, {f"x/{name}/f": "1" for name in DEFAULTS} | {".DS_Store": "2", "x/node_modules_not/f": "3"})
    assert paths(tmp_path) == ["x/node_modules_not/f"]
    fill(tmp_path, {"venv_file/venv": "a file, not a folder"})
    assert paths(tmp_path) == ["venv_file/venv", "x/node_modules_not/f"]


def test_defaults_can_be_brought_back_by_own_rules_alone(tmp_path):
    fill(tmp_path, {"venv/f": "1", "node_modules/f": "2", ".DS_Store": "3", ".gitignore": "!venv/\n!node_modules/\n"})
    assert paths(tmp_path) == [".gitignore"]
    fill(tmp_path, {".plantwinignore": "!venv/\n!.DS_Store\n"})
    assert paths(tmp_path) == [".DS_Store", ".gitignore", ".plantwinignore", "venv/f"]


def test_repository_folders_are_never_entered(tmp_path):
    fill(tmp_path, {".git/config": "1", "a/.hg/f": "2", "a/.svn/f": "3", "sub/.git": "gitdir: x", "b": "4"})
    fill(tmp_path, {".plantwinignore": "!.git\n!.git/\n!.hg/\n!.svn/\n"})
    tracked = frozenset({".git/config", "a/.hg/f"})
    assert paths(tmp_path, tracked=tracked) == [".plantwinignore", "b"]
    assert paths(tmp_path, ignore=False) == [".plantwinignore", "b"]


def test_without_rules_all_else_is_walked(tmp_path):
    fill(tmp_path, {".gitignore": "*\n", "node_modules/f": "1", "a": "2"})
    assert paths(tmp_path, ignore=False) == [".gitignore", "a", "node_modules/f"]


def test_tracked_files_stay_unless_own_rules_say_otherwise(tmp_path):
    fill(tmp_path, {".gitignore": "build/\n*.log\n", "build/a/kept": "1", "build/a/other": "2", "build/b/other": "3"})
    fill(tmp_path, {"x.log": "4", "y.log": "5", "venv/lib/kept": "6", "venv/lib/other": "7"})
    tracked = frozenset({"build/a/kept", "x.log", "venv/lib/kept", ".gitignore"})
    assert paths(tmp_path, tracked=tracked) == [".gitignore", "build/a/kept", "venv/lib/kept", "x.log"]
    fill(tmp_path, {".plantwinignore": "x.log\nbuild/\n"})
    assert paths(tmp_path, tracked=tracked) == [".gitignore", ".plantwinignore", "venv/lib/kept"]
    fill(tmp_path, {".plantwinignore": "", "build/.plantwinignore": "kept\n"})
    assert paths(tmp_path, tracked=tracked) == [".gitignore", ".plantwinignore", "venv/lib/kept", "x.log"]


def test_rules_above_the_root_apply_up_to_the_top_of_the_repository(tmp_path):
    fill(
        tmp_path,
        {".gitignore": "stray\n", "top/.git/HEAD": "ref: refs/heads/main\n", "top/.gitignore": "/a/b/x\n*.o\n"},
    )
    fill(
        tmp_path, {"top/.git/info/exclude": "excluded\n", "top/.plantwinignore": "own\n", "top/a/.gitignore": "!y.o\n"}
    )
    names = ("x", "stray", "m.o", "y.o", "excluded", "own", "c/x")
    root = fill(tmp_path / "top/a/b", dict.fromkeys(names, "1"))
    assert paths(root) == ["c/x", "stray", "y.o"]
    (tmp_path / "link").symlink_to(root)
    assert paths(tmp_path / "link") == ["c/x", "stray", "y.o"]


def test_a_root_that_is_left_out_from_outside_is_walked_all_the_same(tmp_path):
    fill(
        tmp_path, {".git/HEAD": "x", ".gitignore": "build/\nbuild/**\n*.o\n", "build/sub/f": "1", "build/sub/m.o": "2"}
    )
    assert paths(tmp_path / "build") == ["sub/f", "sub/m.o"]
    assert paths(tmp_path / "build/sub") == ["f", "m.o"]


def test_a_repository_inside_has_its_own_rules(tmp_path):
    fill(tmp_path, {".gitignore": "*.log\n", "in/.git/HEAD": "x", "in/.git/info/exclude": "*.tmp\n", "in/a.log": "1"})
    fill(tmp_path, {"in/a.tmp": "2", "not/.git/": "", "not/a.log": "3", "tree/.git": "gitdir: ../x", "tree/a.log": "4"})
    warnings = []
    shown = paths(tmp_path, warn=lambda *warning: warnings.append(warning))
    assert (shown, warnings) == ([".gitignore", "in/a.log", "tree/a.log"], []), "a worktree is nothing to warn of"


@pytest.mark.parametrize("name", [".gitignore", ".plantwinignore"])
def test_links_and_specials_are_no_ignore_files(tmp_path, name):
    root = fill(tmp_path / "root", {"a/f": "1", "b/f": "2", "c/f": "3"})
    fill(tmp_path, {"outside": "f\n"})
    (root / "a" / name).symlink_to(tmp_path / "outside")
    os.mkfifo(root / "b" / name)
    (root / "c" / name).mkdir()
    warnings = []
    assert paths(root, warn=lambda *warning: warnings.append(warning)) == ["a/f", "b/f", "c/f"]
    assert sorted(warnings) == [("ignore_unreadable", each) for each in "abc"]


def test_hostile_ignore_files_are_bounded_and_said(tmp_path):
    hostile = b"*a*a*a*a*a*a*a*a*b\n" * 60_000 + b"f\n"
    fill(tmp_path, {"a/.gitignore": hostile, "a/f": "1", "a/" + "a" * 250: "2"})
    fill(tmp_path, {"b/.gitignore": os.urandom(1 << 16) + b"\nlast\n", "b/last": "3", "b/other": "4"})
    fill(tmp_path, {"c/.gitignore": b"[" * 100_000 + b"\nc\\\nbad[\n[[:nope:]]\nlast\n", "c/last": "5"})
    fill(tmp_path, {"d/.gitignore": b"[[:" + b"[:" * 200_000 + b"x]\n", "d/f": "6"})
    warnings = set()
    started = time.process_time()
    found = paths(tmp_path, warn=lambda *warning: warnings.add(warning))
    assert time.process_time() - started < 5
    assert {("ignore_cut", "a"), ("ignore_bad_pattern", "c"), ("ignore_cut", "d")} <= warnings
    assert "a/f" in found, "it stands after the first megabyte"
    assert "b/last" not in found
    assert "c/last" not in found
    assert "d/f" in found


def test_many_hostile_files_share_one_bound(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MAX_WILD_TOTAL", 40)
    for number in range(6):
        fill(tmp_path, {f"{number}/.gitignore": f"x*{number}*y*z\nplain\n", f"{number}/plain": "1", f"{number}/k": "2"})
    warnings = []
    found = paths(tmp_path, warn=lambda *warning: warnings.append(warning))
    assert [path for path in found if path.endswith("plain")] == []
    assert warnings == [("ignore_cut", "5")]


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        (b"*a*a*a*a*a*a*a*a*a*a*b", "a" * 255),
        (b"a/**/a/**/a/**/a/**/a/**/b", "a/" * 5_000 + "c"),
        (b"/**/*a*/**/*a*/**/*a*b", "a/" * 5_000 + "c"),
        (b"?*?*?*?*?*?*?*?*b", "a" * 255),
        (b"[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*[0-9]", "a" * 255),
    ],
)
def test_matching_is_linear(pattern, path):
    matcher = Patterns(pattern).files
    folder, slash, name = path.rpartition("/")
    started = time.process_time()
    assert matcher.by_name(name) == 0
    assert matcher.by_path(folder + slash, name) == 0
    assert time.process_time() - started < 0.2


def test_lines_are_read_as_git_reads_them():
    content = b"\xef\xbb\xbfa\n\n# no\n\\#yes\n!b\r\nc  \nd\\  \n/e/\nf\0g\n   \n!\n/\n"
    found = [(line.text, line.rank & 1, line.folders_only, line.whole_path) for line in lines(content)]
    assert found == [
        (b"a", 0, False, False),
        (b"\\#yes", 0, False, False),
        (b"b", 1, False, False),
        (b"c", 0, False, False),
        (b"d\\ ", 0, False, False),
        (b"/e", 0, True, True),
        (b"f", 0, False, False),
    ]


def test_equal_files_are_compiled_once(tmp_path):
    fill(tmp_path, {f"{number}/.gitignore": "*.py[cod]\n" for number in range(20)})
    reader = Ignore(lambda code, path: None)
    fds = [os.open(tmp_path / str(number), os.O_RDONLY) for number in range(20)]
    for fd in fds:
        reader.enter(Scope(), fd, "", [".gitignore"])
        os.close(fd)
    assert len(reader._compiled) == 1
