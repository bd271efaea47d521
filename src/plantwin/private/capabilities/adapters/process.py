"""Run an engine's program in here, which is a sandbox without a network, over copies of its inputs."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from plantwin.private.facts import private
from plantwin.private.formats.document import Text

SECONDS = 30.0
MOST = 24 << 20
"""Bytes of an answer that are read."""


class EngineError(Exception):
    """An engine gave no answer. The message says how, in words for a report, and quotes nothing."""


class TooSlowError(EngineError):
    """An engine took too long, and would on the half of it too."""


def run(
    words: Sequence[str],
    folder: str,
    *,
    seconds: float = SECONDS,
    most: int = MOST,
    fine: Sequence[int] = (0, 1),
    errors: bool = False,
    more: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    """Return what a program prints. `folder`: where it is started. `fine`: the exit codes of an answer.

    `errors`: whether what it prints to the standard error belongs to that. `more`: further variables for it.
    """
    environment = {
        "PATH": "/usr/bin:/bin", "HOME": folder, "TMPDIR": folder, "LANG": "C.UTF-8", "RAYON_NUM_THREADS": "1",
        "OXC_LOG": "off", "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1", **more,
    }  # fmt: skip
    with tempfile.TemporaryFile() as out:
        try:
            done = subprocess.run(
                words,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT if errors else subprocess.DEVNULL,
                env=environment,
                cwd=folder,
                timeout=seconds,
                check=False,
            )
        except OSError as error:
            raise EngineError("could not be started") from error
        except subprocess.TimeoutExpired as error:
            raise TooSlowError("took too long") from error
        if done.returncode not in fine:
            raise EngineError("failed")
        out.seek(0)
        answer = out.read(most + 1)
    if len(answer) > most:
        raise EngineError("said more than is read")
    return answer


def python(module: str, *words: str) -> list[str]:
    """Return the command that calls `main` of a module of ours in a process of its own, with our own search path."""
    code = (
        "import sys; n = int(sys.argv[1]); sys.path[:0] = sys.argv[2:2 + n]; del sys.argv[1:2 + n]; "
        f"from {module} import main; main()"
    )
    folders = [folder for folder in sys.path if folder]
    return [sys.executable, "-I", "-S", "-B", "-c", code, str(len(folders)), *folders, *words]


_PLAIN = re.compile(r"[\w.@+=,~() -]{1,120}")
_SETTINGS = re.compile(
    r"\.oxlintrc\.jsonc?|oxlint\.config\.\w+|\.shellcheckrc|shellcheckrc|\.?hadolint\.ya?ml|\.?zizmor\.ya?ml"
    r"|\.?checkov\.ya?ml|\.?ruff\.toml|pyproject\.toml|\.gitignore|\.eslintignore|tsconfig\.json",
    re.IGNORECASE,
)
"""Settings of the engines themselves, which a file of the folder does not get to change."""
_PASSED_OVER = re.compile(r"[._-]min\.")
"""Names that oxlint passes over without a word, whatever the file holds."""


class Copy(NamedTuple):
    """What is written for one input."""

    source: Text
    text: str
    ending: str = ""
    """Appended to its name, where the engine needs another."""
    folder: str = ""
    """Into which it is put, where the engine tells files apart by it."""


@private
class Checkout(NamedTuple):
    """A folder with copies."""

    folder: str
    names: tuple[str, ...]
    """Relative paths of the copies."""
    sources: dict[str, Text]
    """The input behind each of them."""

    def source(self, path: str) -> Text | None:
        """Return the input that an engine means, by a path that is relative, absolute or begins at the folder."""
        path = path.removeprefix("file://").removeprefix(f"{self.folder}/").removeprefix("./").lstrip("/")
        return self.sources.get(path)


@contextmanager
def checkout(copies: Iterable[Copy]) -> Iterator[Checkout]:
    """Write copies into a new folder, and remove it in the end."""
    with tempfile.TemporaryDirectory(prefix="engine-") as folder:
        sources: dict[str, Text] = {}
        for number, copy in enumerate(copies):
            name = f"{copy.folder}/{_placed(copy, number, sources)}".lstrip("/")
            file = Path(folder, name)
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(copy.text.encode("utf-8", "replace"))
            except OSError:  # a file of one name and a folder of it
                name = f"{copy.folder}/input-{number}{copy.ending or Path(name).suffix}".lstrip("/")
                Path(folder, name).write_bytes(copy.text.encode("utf-8", "replace"))
            sources[name] = copy.source
        yield Checkout(folder, tuple(sources), sources)


def _placed(copy: Copy, number: int, taken: dict[str, Text]) -> str:
    """Return the input's own path where that is safe, else one that says no more than its ending."""
    path = copy.source.name + copy.ending
    parts = path.split("/")
    base = parts[-1]
    safe = all(_PLAIN.fullmatch(part) and part not in (".", "..") and part[0] not in "-~" for part in parts)
    other = _SETTINGS.fullmatch(base) or _PASSED_OVER.search(base)
    if not safe or f"{copy.folder}/{path}".lstrip("/") in taken or len(path) > 400 or other:
        ending = "".join(re.findall(r"\.\w{1,12}$", base)[-1:])
        return f"input-{number}{ending}"
    return path
