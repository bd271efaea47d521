"""Runs git over an untrusted repository so that nothing in the repository can run."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # imported where git is really run: most commands never do
    import subprocess

CHUNK = 1 << 18
MAX_FIELD = 1 << 20
MAX_ERROR = 1 << 14

_OPTIONS = ("--no-pager", "--no-optional-locks", "--no-replace-objects", "--literal-pathspecs")
# A repository's own settings cannot be switched off, only overridden one by one.
_SETTINGS = (
    "core.alternateRefsCommand=false",
    "core.askPass=false",
    "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null",
    "core.fsmonitor=false",
    "core.gitProxy=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.sshCommand=false",
    "credential.helper=",
    "diff.trustExitCode=false",
    "gpg.program=false",
    "gpg.ssh.program=false",
    "gpg.x509.program=false",
    "log.mailmap=false",
    "log.showRoot=true",
    "log.showSignature=false",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
)
_ENVIRONMENT = {
    # Unlike `protocol.allow`, this cannot be undone by a setting for one protocol.
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PROTOCOL_FROM_USER": "0",
    "GIT_SSH_COMMAND": "false",
    "GIT_TERMINAL_PROMPT": "0",
    "HOME": "/nonexistent",
    "LC_ALL": "C",
}
_CODES = (
    (b"dubious ownership", "git_foreign_owner"),
    (b"bad revision 'HEAD'", "git_no_commit"),
)


class CommandError(Exception):
    """Git could not answer; `code` says why, and nothing of its output is kept."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Command:
    """Git in one folder, until a deadline (of `time.monotonic`)."""

    def __init__(self, folder: Path, deadline: float) -> None:
        import shutil

        # A relative search path would find programs inside the observed folder.
        search = os.pathsep.join(each for each in os.get_exec_path() if Path(each).is_absolute())
        program = shutil.which("git", path=search)
        if program is None:
            raise CommandError("git_missing")
        self._start = [program, *_OPTIONS]
        for setting in _SETTINGS:
            self._start += ("-c", setting)
        self._environment = {**_ENVIRONMENT, "PATH": search}
        self._folder = folder
        self._deadline = deadline

    def output(self, arguments: Sequence[str], most: int) -> Generator[bytes, None, None]:
        """What git prints, piece by piece. Closing the iterator ends git."""
        import subprocess

        try:
            process = subprocess.Popen(
                [*self._start, *arguments],
                cwd=self._folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError:
            raise CommandError("git_missing") from None
        try:
            errors = yield from self._pieces(process, most)
            if process.wait(max(0.0, self._deadline - time.monotonic())):
                raise CommandError(next((code for words, code in _CODES if words in errors), "git_failed"))
        except subprocess.TimeoutExpired:
            raise CommandError("git_timeout") from None
        finally:
            _end(process)

    def _pieces(self, process: subprocess.Popen[bytes], most: int) -> Generator[bytes, None, bytes]:
        """Standard output piece by piece; returns standard error."""
        import selectors

        if process.stdout is None or process.stderr is None:
            raise CommandError("git_failed")
        out, err = process.stdout.fileno(), process.stderr.fileno()
        errors = b""
        with selectors.DefaultSelector() as selector:
            selector.register(out, selectors.EVENT_READ)
            selector.register(err, selectors.EVENT_READ)
            while selector.get_map():
                ready = selector.select(max(0.0, self._deadline - time.monotonic()))
                if not ready:
                    raise CommandError("git_timeout")
                for key, _ in ready:
                    piece = os.read(key.fd, CHUNK)
                    if not piece:
                        selector.unregister(key.fd)
                    elif key.fd == err:
                        errors = (errors + piece)[:MAX_ERROR]
                    else:
                        most -= len(piece)
                        if most < 0:
                            raise CommandError("git_output_cut")
                        yield piece
        return errors

    def fields(self, arguments: Sequence[str], most: int) -> Generator[bytes, None, None]:
        """What git prints, split at NUL."""
        rest: list[bytes] = []
        held = 0
        pieces = self.output(arguments, most)
        try:
            for piece in pieces:
                first, *others = piece.split(b"\0")
                rest.append(first)
                held += len(first)
                if held > MAX_FIELD:
                    raise CommandError("git_output_cut")
                if others:
                    yield b"".join(rest)
                    yield from others[:-1]
                    rest, held = [others[-1]], len(others[-1])
            if held:
                yield b"".join(rest)
        finally:
            pieces.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End git and whatever it started, and collect it."""
    if process.returncode is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except OSError:
            process.kill()
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
    process.wait()
