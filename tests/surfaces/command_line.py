"""What tests of the command line share."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable
from typing import Any, NamedTuple

HOSTILE = "evil\n\x1b[31mred\x1b[0m\u202egnp.py"
UNDECODABLE = b"caf\xe9.txt"


class Ran(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Cli = Callable[..., Ran]
Process = Callable[..., subprocess.CompletedProcess[bytes]]
Terminal = Callable[..., tuple[int, str]]


def converse(child: subprocess.Popen[bytes], controller: int, answers: list[str | None], prompt: str) -> str:
    """Read what is shown; at each prompt type the next answer, or interrupt where it is None."""
    shown = b""
    asked = 0
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        ended = child.poll() is not None
        if not select.select([controller], [], [], 0.02)[0]:
            if ended:
                break
            continue
        shown += os.read(controller, 65536)
        if answers and shown.count(prompt.encode()) > asked:
            asked += 1
            answer = answers.pop(0)
            if answer is None:
                # Nobody is quicker than the step from showing a prompt to reading the answer.
                time.sleep(0.5)
                child.send_signal(signal.SIGINT)
            else:
                os.write(controller, (answer + "\n").encode())
    return shown.decode("utf-8", "replace")
