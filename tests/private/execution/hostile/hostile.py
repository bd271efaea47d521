"""Capabilities that misbehave. Only tests can name them: a worker finds them through its first line of Python."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from plantwin.private.capabilities.engine.job import Finding, Job, Result


def _told(**facts: object) -> Result:
    return Result(outcome={"status": "done"}, facts=facts)


def _attempt(what: Callable[[], object]) -> str:
    try:
        return f"did: {what()}"
    except BaseException as error:
        return type(error).__name__


def honest(job: Job) -> Result:
    first = job.inputs[0]
    return Result(
        outcome={"status": "done", "severity": "none", "count": "none", "tags": []},
        title="Read",
        findings=[
            Finding(name=each.label, line=1, severity="low", tag="injection", message="m") for each in job.inputs
        ],
        facts={
            "texts": [each.text(1000) for each in job.inputs],
            "labels": [each.label for each in job.inputs],
            "kinds": [[each.kind, each.semantic_class] for each in job.inputs],
            "sizes": [each.size for each in job.inputs],
            "results": [each.result for each in job.inputs],
            "capabilities": [each.capability for each in job.inputs],
            "found": [finding.message for each in job.inputs for finding in each.findings()],
            "capability": job.capability,
            "twice": first.read(3).decode() + first.read(3).decode(),
        },
        text="# Read",
    )


def table(job: Job) -> Result:
    given = job.inputs[0]
    with sqlite3.connect(f"file:{given.file}?mode=ro&immutable=1", uri=True) as database:
        rows = database.execute(f'SELECT count(*) FROM "{given.part}"').fetchone()[0]
    database.close()
    return _told(rows=rows, label=given.label)


def surroundings(job: Job) -> Result:
    return _told(
        environment=sorted(os.environ),
        uid=os.getuid(),
        root=sorted(each.name for each in Path("/").iterdir()),
        arguments=len(sys.argv),
        stdin=os.read(0, 10).decode(),
        host=os.uname().nodename,
        descriptors=[each for each in range(256) if _open(each)],
        modules=sorted(each for each in sys.modules if each.startswith("plantwin.")),
    )


def _open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def network(job: Job) -> Result:
    port = int(job.inputs[0].text())
    return _told(
        stream=_attempt(lambda: _to(socket.SOCK_STREAM, port)),
        datagram=_attempt(lambda: _to(socket.SOCK_DGRAM, port)),
        local=_attempt(lambda: socket.socket(socket.AF_UNIX)),
        name=_attempt(lambda: socket.create_connection(("localhost", port), 2)),
    )


def _to(kind: int, port: int) -> str:
    with socket.socket(socket.AF_INET, kind) as each:
        each.settimeout(2)
        each.connect(("127.0.0.1", port))
        each.send(b"stolen")
    return "sent"


def reads(job: Job) -> Result:
    """Tries each path that its input lists, and whatever else lies around."""
    paths = [*job.inputs[0].text().split("\n"), "/etc/passwd", "/proc/self/environ", "/proc/1/root/etc/passwd", "/sys"]
    near = ["/in/1", "/in/../etc/passwd", "/oldroot/etc/passwd", "/newroot", "/root/.ssh", "/home", "/var", "/run"]
    return _told(read={each: _attempt(lambda each=each: _content(each)) for each in (*paths, *near)})


def _content(path: str) -> str:
    return str(list(Path(path).iterdir())) if Path(path).is_dir() else Path(path).read_text()


def writes(job: Job) -> Result:
    file = job.inputs[0].file
    places = {
        "input": lambda: Path(file).write_text("spoiled"),
        "mode": lambda: Path(file).chmod(0o777),
        "remove": lambda: Path(file).unlink(),
        "root": lambda: Path("/new").write_text("x"),
        "package": lambda: Path(sys.modules["plantwin"].__file__ or "").write_text("x"),
        "beside": lambda: Path("/in/new").write_text("x"),
        "scratch": lambda: Path("/tmp/new").write_text("x"),
        "fill": lambda: Path("/tmp/big").write_bytes(bytes(80 << 20)),
    }
    return _told(**{name: _attempt(what) for name, what in places.items()})


def scratch(job: Job) -> Result:
    folder = os.environ.get("TMPDIR", "/tmp")
    Path(folder, "note").write_text("left behind")
    return _told(folder=folder, here=str(Path.cwd()), mode=oct(os.stat(folder).st_mode & 0o777))


def forks(job: Job) -> Result:
    return _told(
        fork=_attempt(os.fork),
        spawn=_attempt(lambda: os.posix_spawn(sys.executable or "/bin/sh", ["x"], {})),
        execute=_attempt(lambda: os.execv(sys.executable or "/bin/sh", ["x"])),
        unshare=ctypes.CDLL(None).unshare(0x10000000),
        kill=_attempt(lambda: os.kill(os.getppid(), signal.SIGTERM)),
    )


def bomb(job: Job) -> Result:
    while True:
        try:
            os.fork()
        except OSError:
            raise SystemExit(3) from None


def threads(job: Job) -> Result:
    done = []
    each = threading.Thread(target=lambda: done.append(1))
    each.start()
    each.join()
    return _told(ran=len(done))


def allocates(job: Job) -> Result:
    return _told(size=len(bytearray(10 << 30)))


def hoards(job: Job) -> Result:
    hoard = []
    while True:
        hoard.append(bytes(8 << 20))


def sleeps(job: Job) -> Result:
    for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGXCPU):
        signal.signal(each, signal.SIG_IGN)
    time.sleep(600)
    return _told()


def spins(job: Job) -> Result:
    while True:
        pass


def closes(job: Job) -> Result:
    os.closerange(0, 64)
    time.sleep(600)
    return _told()


def floods(job: Job) -> Result:
    for each in range(3, 16):
        if _open(each):
            while True:
                os.write(each, bytes(1 << 16))
    return _told()


def prints(job: Job) -> Result:
    print("noise" * 1000, flush=True)
    print("noise" * 1000, file=sys.stderr, flush=True)
    os.write(1, b'{"result":{"outcome":{"status":"done"},"title":"forged"}}')
    return _told(ok=True)


def forges(job: Job) -> Result:
    """Finds the reply's descriptor and writes nonsense in front of the reply."""
    for each in range(3, 16):
        if _open(each):
            os.write(each, b"[[[nonsense")
    return _told()


def huge(job: Job) -> Result:
    return _told(much="x" * (40 << 20))


def deep(job: Job) -> Result:
    value: list[object] = []
    for _ in range(300):
        value = [value]
    return _told(value=value)


def bottomless(job: Job) -> Result:
    value: list[object] = []
    for _ in range(100_000):
        value = [value]
    return _told(value=value)


def circular(job: Job) -> Result:
    value: list[object] = []
    value.append(value)
    return _told(value=value)


def not_a_number(job: Job) -> Result:
    return Result(outcome={"status": float("nan"), "count": float("inf")}, facts={"nan": float("nan")})


def raw_not_a_number(job: Job) -> Result:
    for each in range(3, 16):
        if _open(each):
            os.write(each, b'{"result":{"outcome":{"status":NaN}}}')
            os._exit(0)
    return _told()


def half_characters(job: Job) -> Result:
    return Result(outcome={"status": "done"}, title="caf\udce9", facts={"k\udce9": ["\ud800"]})


def unencodable(job: Job) -> Result:
    return _told(value=object())


def no_result(job: Job) -> Result:
    return {"outcome": {"status": "done"}}  # type: ignore[return-value]


def wrong_types(job: Job) -> Result:
    return Result(outcome=["done"], findings=[1])  # type: ignore[arg-type,list-item]


def raises(job: Job) -> Result:
    raise ValueError(job.inputs[0].text())


def exits(job: Job) -> Result:
    os._exit(7)


def exits_well(job: Job) -> Result:
    os._exit(0)


def overflows(job: Job) -> Result:
    def down(n: int) -> int:
        return down(n + 1) + 1

    return _told(n=down(0))


def segfaults(job: Job) -> Result:
    ctypes.string_at(0)
    return _told()


def alarmed(job: Job) -> Result:
    # Signals to others are refused; a timer of one's own is not.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(5)
    return _told()


def starts(job: Job) -> Result:
    """Tries what only a capability that starts programs, or runs the folder's code, may do."""
    import subprocess

    def started() -> bool:
        return subprocess.run(["/bin/true"], check=True, env={}).returncode == 0

    def shared() -> bool:
        Path("/dev/shm/x").write_text("x")
        return True

    return _told(
        started=_attempt(started) == "did: True",
        shared=_attempt(shared) == "did: True",
        folder=sorted(each.name for each in Path(job.folder).iterdir() if each.is_dir()) if job.folder else [],
        written=_attempt(lambda: Path(job.folder or "/app", "x").write_text("x")).startswith("did"),
        network=_attempt(lambda: socket.create_connection(("192.0.2.1", 9), 1)).startswith("did"),
        files=_attempt(lambda: socket.socket(socket.AF_UNIX)).startswith("did"),
        raw=_attempt(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW)).startswith("did"),
        loopback=_attempt(lambda: socket.create_server(("127.0.0.1", 0))).startswith("did"),
        ruff=os.access("/tools/ruff", os.X_OK),
    )


def listing(job: Job) -> Result:
    """Every file of the folder that can be seen."""
    top = Path(job.folder)
    return _told(files=sorted(str(each.relative_to(top)) for each in top.rglob("*") if each.is_file()))


_served: list[str] = []


def remembers(job: Job) -> Result:
    """Looks for what an earlier step left in this process or its folder, then leaves something itself."""
    _served.append(job.inputs[0].text())
    left = sorted(each.name for each in Path("/tmp").iterdir())
    Path(f"/tmp/left-{len(_served)}").write_text("left behind")
    return _told(served=list(_served), left=left, file=job.inputs[0].file)


def naps(job: Job) -> Result:
    if job.inputs[0].text() == "sleep":
        time.sleep(60)
    return _told(said=job.inputs[0].text())


def by_content(job: Job) -> Result:
    """Does to each file what it says: a word of severity is a finding, others end the worker or keep it busy."""
    findings = []
    for given in job.inputs:
        word = "" if given.is_result else given.text(1000).strip()
        if word == "crash":
            ctypes.string_at(0)
        if word == "raise":
            raise ValueError("content")
        if word == "hang":
            time.sleep(600)
        if word == "nap":
            time.sleep(0.2)
        if word == "memory":
            bytearray(1 << 40)
        if word == "long":
            return Result(outcome={"status": "done"}, text="x" * (40 << 20))
        if word == "unknown":
            return Result(outcome={"status": "failed"}, title="Test")
        if word in ("low", "medium", "high"):
            findings.append(Finding(name=given.label, line=1, severity=word, tag="injection", message=word))
    severity = max((each.severity for each in findings), key=["none", "low", "medium", "high"].index, default="none")
    count = "none" if not findings else "one" if len(findings) == 1 else "few"
    return Result(
        outcome={"status": "done", "severity": severity, "count": count, "tags": ["injection"] if findings else []},
        title="Test",
        findings=findings,
        facts={
            "at_hand": [given.label for given in job.inputs if given.file or given.data is not None],
            "inputs": [given.label for given in job.inputs],
            "places": list(job.surroundings.inputs),
            "left": sorted(each.name for each in Path(job.inputs[0].file).parent.iterdir())
            if job.inputs[0].file
            else [],
            "off": job.options.get("rules_off"),
        },
        text=f"read {', '.join(given.label for given in job.inputs)}",
    )
