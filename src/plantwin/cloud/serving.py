"""A model server of our own: a child process on a loopback port, with a random key, that ends when we do.

Its key goes to it through a pipe, so that no list of processes shows it. The same pipe keeps it alive: when our end
closes, whether by `close`, by a crash or by a kill, the child reads the end and is gone.
"""

from __future__ import annotations

import json
import os
import secrets
import select
import signal
import subprocess
import sys
import time
import weakref
from pathlib import Path
from typing import Any

from plantwin.errors import PlannerError
from plantwin.weights import installed

START = "import sys; sys.path.insert(0, sys.argv[1]); from plantwin.cloud.serving import serve; serve()"
PATIENCE = 60.0
"""Seconds in which a model has to be loaded."""
FAREWELL = 5.0
CONTEXT = 2048
THREADS = 8
KEPT = ("PATH", "HOME", "LANG", "LD_LIBRARY_PATH", "PYTHONPATH", "TMPDIR", "XDG_CACHE_HOME")
"""What of our environment the child gets: it holds no key of a provider."""
_LINE = 4096


class Served:
    """A model that this process serves to itself. Close it, or let go of it."""

    def __init__(self, model: str | None = None, *, context: int = CONTEXT, threads: int = 0) -> None:
        """`model`: a GGUF file; by default the one of the `slm` extra. Raises `InputError` where there is none."""
        file, _ = installed(model)
        self.key = secrets.token_urlsafe(32)
        self._process = _started()
        # Also when nobody closes it: the child must not outlive the last who can reach it.
        self._finalizer = weakref.finalize(self, _end, self._process)
        orders = {"key": self.key, "model": str(file), "context": context, "threads": threads or _threads()}
        try:
            self.url = self._told(json.dumps(orders).encode() + b"\n")
        except BaseException:
            self.close()
            raise

    def __repr__(self) -> str:
        return "<Served>"

    @property
    def process(self) -> int:
        """The number of the child process."""
        return self._process.pid

    def close(self) -> None:
        """End the child and wait until it is gone."""
        self._finalizer()

    def _told(self, orders: bytes) -> str:
        """Give the child its orders; where it listens."""
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise PlannerError("the local model cannot be started")
        deadline = time.monotonic() + PATIENCE
        answer = b""
        try:
            stdin.write(orders)
            stdin.flush()
            while not answer.endswith(b"\n") and len(answer) < _LINE:
                ready, _, _ = select.select([stdout], [], [], max(deadline - time.monotonic(), 0))
                part = os.read(stdout.fileno(), _LINE) if ready else b""
                if not part:
                    break
                answer += part
            address = json.loads(answer)["address"]
        except (OSError, ValueError, KeyError, TypeError):
            raise PlannerError(
                "the local model did not start: check that model.weights is a model that llama.cpp can load"
            ) from None
        if not str(address).startswith("http://127.0.0.1:"):
            raise PlannerError("the local model listens elsewhere than on loopback")
        return str(address)


def _started() -> subprocess.Popen[bytes]:
    package = str(Path(__file__).resolve().parent.parent.parent)
    try:
        return subprocess.Popen(
            # -P: the folder that we were started in may be the observed one, and its files are not to be imported.
            [sys.executable, "-P", "-c", START, package],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in KEPT if name in os.environ},
            cwd="/",
            start_new_session=True,
        )
    except OSError as error:
        raise PlannerError(f"the local model cannot be started ({error.strerror})") from None


def _end(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    process.terminate()
    try:
        process.wait(FAREWELL)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _threads() -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    # Its threads wait for each other without pause: where another program needs a core, more of them are slower.
    return max(1, min(THREADS, cores // 2))


def serve() -> None:
    """The child's life: read the orders, load the model, say where it listens, and wait for the end of the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    out = os.dup(1)
    # Whatever the library prints goes where the standard error goes: nowhere.
    os.dup2(2, 1)
    orders = json.loads(sys.stdin.buffer.readline())
    server: Any = _server(orders)
    os.write(out, json.dumps({"address": server.listening_address}).encode() + b"\n")
    sys.stdin.buffer.read()
    os._exit(0)


def _server(orders: dict[str, Any]) -> Any:
    import xllamacpp

    wanted = xllamacpp.CommonParams()
    wanted.model.path = orders["model"]
    wanted.n_ctx = orders["context"]
    wanted.n_parallel = 1
    wanted.warmup = False
    wanted.verbosity = -1
    wanted.cpuparams.n_threads = orders["threads"]
    wanted.cpuparams_batch.n_threads = orders["threads"]
    wanted.hostnames = ["127.0.0.1"]
    wanted.port = 0
    wanted.api_keys = [orders["key"]]
    # Nothing but completions is served: no pages, no state of other requests, no other origin.
    wanted.ui = False
    wanted.endpoint_slots = False
    wanted.endpoint_metrics = False
    wanted.endpoint_props = False
    wanted.cors_origins = "null"
    wanted.offline = True
    # One session asks little: earlier prompts are not kept beside the current one.
    wanted.cache_ram_mib = 0
    return xllamacpp.Server(wanted)
