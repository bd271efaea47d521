"""Any program as a planner: the conversation on its standard input, the plan on its standard output.

It gets a few variables of the environment, an empty folder of its own to work in, and no more time and room than
it may have. What it does with what it reads is its own affair, so it counts as remote.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import PurePath
from typing import Final

from plantwin.boundary.release import Released
from plantwin.cloud import supervisor
from plantwin.cloud.conversation import Conversation, Talk
from plantwin.cloud.planner import Witnessed
from plantwin.errors import InputError, PlannerError
from plantwin.types.capability import Capability

PASSED: Final = (
    "PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "SHELL", "TERM",
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "SSL_CERT_FILE", "SSL_CERT_DIR",
)  # fmt: skip
"""Variables that every program gets; others are named in the configuration."""
AUDIENCE: Final = "command"
"""Of every program that the person has given no other: which provider a command reaches cannot be read from it.

`env claude`, `timeout 60 claude`, `sh -c 'claude -p'` and a script that calls it are one provider under four names.
"""
UNSTARTED: Final = 127
"""The exit code of a program that could not be started, as shells have it."""
MAX_OUTPUT: Final = 1 << 20
TURN: Final = {"user": "# Messages to you", "assistant": "# Your earlier answer"}


class Command(Witnessed):
    """A program that is started anew for every turn, with the whole conversation."""

    locality = "remote"
    sends = True

    def __init__(
        self,
        arguments: Sequence[str],
        catalog: Mapping[str, Capability],
        *,
        name: str | None = None,
        audience: str | None = None,
        seconds: float = 120.0,
        environment: Sequence[str] = (),
        shell: bool = False,
    ) -> None:
        super().__init__()
        if not arguments:
            raise InputError("a command that is empty: name a program")
        program = PurePath(arguments[0].split()[0] if shell and arguments[0].split() else arguments[0]).name
        word = "".join(
            character if character.isascii() and (character.isalnum() or character in "._-") else "-"
            for character in program
        )
        # Arguments may hold anything, keys too: only the program's name is ever shown or recorded.
        self.name = name or f"command:{word}"
        self.audience = audience or AUDIENCE
        self._arguments = ["/bin/sh", "-c", " ".join(arguments)] if shell else list(arguments)
        self._seconds = seconds
        self._names = (*PASSED, *environment)
        self._conversation = Conversation(catalog)

    @classmethod
    def from_text(cls, text: str, catalog: Mapping[str, Capability]) -> Command:
        """`command:CMD`, taken apart as a shell would, but run without one."""
        try:
            return cls(shlex.split(text), catalog)
        except ValueError:
            raise InputError("a command with an open quote: close it") from None

    def __repr__(self) -> str:
        return f"<Command {self.audience}>"

    def ready(self) -> None:
        """Say so where there is no such program, before anything is told for it."""
        if shutil.which(self._arguments[0]) is None:
            raise PlannerError("the command is not a program that can be started: check its name and the PATH")

    def plan(self, envelopes: Sequence[Released]) -> bytes:
        """Start the program with the conversation so far, and take what it prints."""
        talk = self._conversation.hear(envelopes)
        try:
            answer = self._printed(prompt_of(talk).encode())
        except BaseException:
            self._conversation.unheard()
            raise
        self._conversation.answered(answer.decode("utf-8", "replace"))
        return answer

    def _printed(self, prompt: bytes) -> bytes:
        environment = {name: os.environ[name] for name in self._names if name in os.environ}
        with tempfile.TemporaryDirectory(prefix="plantwin-") as folder, tempfile.TemporaryFile() as source:
            source.write(prompt)
            source.seek(0)
            self.witness(prompt, self.name, self._conversation.version)
            ours, theirs = os.pipe()
            try:
                process = subprocess.Popen(
                    # -I -S: neither the environment nor the folder it works in decides what the supervisor imports.
                    [sys.executable, "-I", "-S", supervisor.__file__, str(ours), *self._arguments],
                    stdin=source,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    cwd=folder,
                    env=environment,
                    pass_fds=[ours],
                    start_new_session=True,
                )
            except (OSError, ValueError):
                os.close(theirs)
                raise PlannerError("the planner's command cannot be started: check that it is installed") from None
            finally:
                os.close(ours)
            try:
                until = time.monotonic() + self._seconds
                answer = _read(process, until)
                code = process.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                raise PlannerError("the planner's command did not end in time") from None
            finally:
                os.close(theirs)  # its end ends the supervisor and all below it, as it does when we are killed
                _end(process)
        if code == UNSTARTED:
            raise PlannerError("the planner's command cannot be started: check that it is installed")
        if code != 0:
            raise PlannerError(f"the planner's command failed with exit code {code}: try it by hand")
        return answer


def prompt_of(talk: Talk) -> str:
    """A conversation as one text. Envelopes stand on lines of their own, as they were encoded."""
    parts = [talk.system]
    for message in talk.said:
        parts += [TURN[message.role], message.text]
    return "\n\n".join([*parts, "# Your answer: the JSON object alone"]) + "\n"


def _read(process: subprocess.Popen[bytes], until: float) -> bytes:
    """What it prints, until it closes its output, time is up or it is too much."""
    import selectors

    if process.stdout is None:
        raise PlannerError("the planner's command has no output")
    data = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            left = until - time.monotonic()
            if left <= 0 or not selector.select(left):
                raise PlannerError("the planner's command did not answer in time")
            chunk = os.read(process.stdout.fileno(), 1 << 16)
            if not chunk:
                return bytes(data)
            data += chunk
            if len(data) > MAX_OUTPUT:
                raise PlannerError("the planner's answer is too large")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Wait until the supervisor has ended it and all that it started; end the supervisor where it does not."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(5)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
