"""Files that commands read and write: streams, results that appear whole or not at all, private maps."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from plantwin.errors import InputError
from plantwin.surfaces.cli.output import write_bytes

CHUNK = 1 << 20
STANDARD = "-"


def read_chunks(path: str) -> Iterator[bytes]:
    """The bytes of a file or, for `-`, of stdin. What cannot be opened is refused at once."""
    if path == STANDARD:
        return _chunks(sys.stdin.buffer.fileno(), close=False) if _descriptor() else iter((sys.stdin.buffer.read(),))
    try:
        return _chunks(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY), close=True)
    except FileNotFoundError:
        from plantwin.private.observe.changes import missing

        raise missing(path) from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read '{path}': {reason(error)}") from None


def _descriptor() -> bool:
    try:
        sys.stdin.buffer.fileno()
    except (OSError, ValueError):
        return False
    return True


def _chunks(descriptor: int, *, close: bool) -> Iterator[bytes]:
    try:
        while chunk := os.read(descriptor, CHUNK):
            yield chunk
    except OSError as error:
        raise InputError(f"cannot read the input to its end: {reason(error)}") from None
    finally:
        if close:
            os.close(descriptor)


def write_chunks(path: str | None, chunks: Iterable[bytes], mode: int) -> None:
    """Write to stdout, or to a file that appears when it is complete."""
    if path is None or path == STANDARD:
        for chunk in chunks:
            write_bytes(chunk)
        return
    try:
        if _special(path):
            with Path(path).open("wb") as file:
                file.writelines(chunks)
            return
        handle, name = tempfile.mkstemp(dir=Path(path).parent, prefix=".plantwin-")
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write '{path}': {reason(error)}") from None
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            for chunk in chunks:
                file.write(chunk)
        temporary.chmod(mode)
        temporary.replace(path)
    except BaseException as error:
        temporary.unlink()
        if isinstance(error, OSError):
            raise InputError(f"cannot write '{path}': {reason(error)}") from None
        raise


def _special(path: str) -> bool:
    """A device, FIFO or the like, which is written to and not replaced."""
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except FileNotFoundError:
        return False


def usual_mode() -> int:
    """The mode of a new file that anyone may read whom the umask lets."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def new_private(path: str) -> int:
    """Create a file that only its owner can read; one that is there already is never replaced."""
    try:
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        raise InputError(f"'{path}' is there already: a map is never replaced; give another name") from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write '{path}': {reason(error)}") from None


def same(one: str | None, other: str | None) -> bool:
    """Whether two paths lead to one file."""
    if not one or not other or STANDARD in (one, other):
        return False
    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):
        return Path(one).absolute() == Path(other).absolute()


def reason(error: Exception) -> str:
    """Why, in the system's words."""
    return (error.strerror or "failed") if isinstance(error, OSError) else "not a path"
