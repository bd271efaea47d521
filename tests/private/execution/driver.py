"""Runs the tests of a folder as a session would, as root and as a user without any right; prints what came of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

USERS = ("as_we_are", "unprivileged")


def put(root: Path, files: dict[str, str]) -> Path:
    """Write files by their paths."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(textwrap.dedent(text))
    return root


def ran(root: Path, user: str = USERS[0], **options: Any) -> dict[str, Any]:
    """What `run_tests` said of `tests/test_attack.py`: failure, error, outcomes of the tests and their messages."""
    words = [sys.executable, "-B", __file__, str(root)]
    if user == "unprivileged" and os.geteuid() == 0:
        # Not root for the process itself, which starts without any right; its files stay within its reach.
        words = ["unshare", "--user", "--map-user=1000", "--map-group=1000", *words]
    path = os.pathsep.join(filter(None, sys.path))
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": path}
    given = json.dumps(options).encode()
    done = subprocess.run(words, input=given, stdout=subprocess.PIPE, env=environment, check=True, timeout=120)
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def main() -> None:
    """Run once."""
    from workers import record

    from plantwin.private.capabilities import catalog
    from plantwin.private.execution.calls import FolderView
    from plantwin.private.execution.executor import SandboxExecutor
    from plantwin.private.execution.launcher import Launcher
    from plantwin.private.execution.protocol import Limits

    root, options = Path(sys.argv[1]), json.load(sys.stdin)
    hidden = tuple(os.fsdecode(bytes.fromhex(each)) for each in options.pop("hidden", ()))
    worker = SandboxExecutor(
        Launcher(root, Limits(**{"seconds": 60, **options})),
        {"o": record("tests/test_attack.py")},
        scanned_ns=time.time_ns() + 10**9,
        view=FolderView(hidden=lambda: hidden),
    )
    began = time.monotonic()
    ended = worker.execute("s1", catalog()["run_tests"], ["o"])
    result = worker.results.get("s1")
    facts: Any = result.facts if result else {}
    print(
        json.dumps(
            {
                "user": os.geteuid(),
                "seconds": time.monotonic() - began,
                "failure": ended.failure,
                "error": worker.errors.get("s1", ""),
                "outcomes": {each["id"].rpartition("::")[2]: each["outcome"] for each in facts.get("cases", ())},
                "text": result.text if result else "",
            }
        )
    )


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    main()
