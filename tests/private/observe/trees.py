"""Builders of hostile and ordinary folder trees."""

from __future__ import annotations

import os
import pickle
import shutil
import socket
import stat
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NOBODY = 65534


def fill(root: Path, files: dict[str, str | bytes]) -> Path:
    """Write files by relative path; a path that ends in `/` is an empty folder."""
    for path, content in files.items():
        place = root / path
        if path.endswith("/"):
            place.mkdir(parents=True, exist_ok=True)
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


@contextmanager
def deep(root: Path, depth: int, name: str = "d", every: int = 1) -> Iterator[list[str]]:
    """A chain of folders with a file in every so many of them: gives the files' paths, and takes the chain down."""
    paths = []
    fds = [os.open(root, os.O_RDONLY)]
    fd = fds[0]
    try:
        for level in range(1, depth + 1):
            os.mkdir(name, dir_fd=fd)
            below = os.open(name, os.O_RDONLY | os.O_DIRECTORY, dir_fd=fd)
            if fd != fds[0]:
                os.close(fd)
            fd = below
            if level % every == 0:
                file = os.open("f", os.O_WRONLY | os.O_CREAT, 0o600, dir_fd=fd)
                os.write(file, b"%d\n" % level)
                os.close(file)
                paths.append(f"{name}/" * level + "f")
        os.close(fd)
        yield paths
    finally:
        os.close(fds[0])
        # Deeper than `shutil.rmtree` can go.
        subprocess.run(["rm", "-rf", "--", str(root / name)], check=True)


def specials(root: Path) -> int:
    """A FIFO, a socket and, where it is permitted, a device: how many there are."""
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(root)
        try:
            server.bind("socket")
        finally:
            os.chdir(here)
    try:
        os.mknod(root / "device", stat.S_IFCHR | 0o600, os.makedev(1, 3))
    except PermissionError:
        return 2
    return 3


def links(root: Path, outside: Path) -> int:
    """Links to a file, to a folder above (a loop), to itself, out of the root, and to nothing: how many there are."""
    (root / "to_loop").symlink_to("..")
    (root / "to_self").symlink_to("to_self")
    (root / "to_root").symlink_to(root)
    (root / "to_outside").symlink_to(outside)
    (root / "to_outside_file").symlink_to(outside / "secret")
    (root / "to_nothing").symlink_to("missing")
    return 6


ODD_NAMES = (
    b"new\nline",
    b"tab\tand\x01control\x7f",
    b"bad\xff\xfeutf8",
    b"\xed\xa0\x80surrogate",
    "é combining e\u0301".encode(),
    b"-rf",
    b"*?[x]",
    b" ",
    b"...",
    b"a" * 255,
)


def odd_names(root: Path) -> set[str]:
    """Files with odd names, and a folder of each: the files' paths."""
    paths = set()
    for name in ODD_NAMES:
        for folder in (b"", b"dir " + name[:200] + b"/"):
            path = os.fsdecode(folder + name)
            fill(root, {path: b"x"})
            paths.add(path)
    return paths


def git(root: Path, *arguments: str, when: int | None = None, **environment: str) -> bytes:
    """Run git for a test, independent of the settings of whoever runs it."""
    dates = {} if when is None else {"GIT_AUTHOR_DATE": f"@{when} +0000", "GIT_COMMITTER_DATE": f"@{when} +0000"}
    identity = ["-c", "user.name=Example", "-c", "user.email=example@example.invalid", "-c", "init.defaultBranch=main"]
    return subprocess.run(
        ["git", *identity, "-c", "protocol.file.allow=always", *arguments],
        cwd=root,
        check=True,
        capture_output=True,
        env={
            "PATH": os.environ["PATH"],
            "HOME": "/nonexistent",
            "GIT_CONFIG_NOSYSTEM": "1",
            **dates,
            **environment,
        },
    ).stdout


def commit(root: Path, files: dict[str, str | bytes], when: int) -> str:
    """Write files, commit everything, and give the commit's id."""
    fill(root, files)
    git(root, "add", "-A", "-f")
    git(root, "commit", "-q", "-m", "change", "--allow-empty", when=when)
    return git(root, "rev-parse", "HEAD").decode().strip()


def open_files() -> int:
    """How many descriptors this process has open."""
    return len(list(Path("/dev/fd").iterdir()))


@contextmanager
def open_to_all() -> Iterator[Path]:
    """A temporary folder that another user can enter."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        for place, folders, _ in os.walk(folder):
            for name in folders:
                if not (Path(place) / name).is_symlink():
                    (Path(place) / name).chmod(0o755)
        shutil.rmtree(folder)


def unprivileged(function: Callable[[], Any]) -> Any:
    """What a function gives when it does not run as root: in a child that has given its privileges up."""
    if os.geteuid() != 0:
        return function()
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receive)
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            answer = pickle.dumps((True, function()))
        except BaseException as error:
            answer = pickle.dumps((False, repr(error)))
        with os.fdopen(send, "wb") as pipe:
            pipe.write(answer)
        os._exit(0)
    os.close(send)
    with os.fdopen(receive, "rb") as pipe:
        fine, value = pickle.loads(pipe.read())
    os.waitpid(child, 0)
    if not fine:
        raise AssertionError(value)
    return value
