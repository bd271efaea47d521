"""The state folder as `plantwin doctor` sees it: its place, its permissions, its size. Nothing is changed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from plantwin.surfaces.render.text import plural, printable, size

MOST_FILES = 10_000


def state_findings(chosen: str | None) -> Iterator[tuple[str, bool, str]]:
    """Name, whether it is sound, and detail."""
    from plantwin.private.state import state_folder

    folder = Path(chosen).absolute() if chosen else state_folder()
    try:
        status = folder.stat()
    except FileNotFoundError:
        yield "folder", _can_be_made(folder), f"{printable(str(folder))} (made by the first scan)"
        return
    except OSError as error:
        yield "folder", False, f"{printable(str(folder))}: {error.strerror}"
        return
    if not stat.S_ISDIR(status.st_mode):
        yield "folder", False, f"{printable(str(folder))} is not a folder"
        return
    usable = os.access(folder, os.R_OK | os.W_OK | os.X_OK)
    yield "folder", usable, printable(str(folder)) + ("" if usable else " cannot be written")
    yield _permissions(folder, status)
    number, total = _contents(folder)
    yield "size", True, f"{size(total)} in {plural(number, 'file')}" + (" or more" if number >= MOST_FILES else "")


def _permissions(folder: Path, status: os.stat_result) -> tuple[str, bool, str]:
    """Only the owner may look inside."""
    mode = stat.S_IMODE(status.st_mode)
    foreign = status.st_uid != os.geteuid()
    detail = f"{mode:04o}, owned by {'another user' if foreign else 'you'}"
    sound = not foreign and not mode & 0o077
    return "permissions", sound, detail if sound else f"{detail}: run chmod 700 {printable(str(folder))}"


def _contents(folder: Path) -> tuple[int, int]:
    number = total = 0
    for place, _, files in os.walk(folder):
        for file in files:
            try:
                total += os.lstat(os.path.join(place, file)).st_size  # noqa: PTH118
            except OSError:
                continue
            number += 1
            if number >= MOST_FILES:
                return number, total
    return number, total


def _can_be_made(folder: Path) -> bool:
    """Whether the nearest existing parent may be written."""
    for parent in folder.parents:
        if parent.exists():
            return parent.is_dir() and os.access(parent, os.W_OK | os.X_OK)
    return False
