"""The worker: one request in, one capability run, one reply out. Nothing in here survives the step.

Started with an empty environment and a path that holds this package and its dependencies alone.
The order matters: everything is read, checked and bounded before the capability's code is loaded.
"""

from __future__ import annotations

import contextlib
import os
import signal
import stat
from collections.abc import Callable
from types import TracebackType

import msgspec

from plantwin.private.capabilities.engine.job import Job, Result
from plantwin.private.execution import kernel
from plantwin.private.execution.limits import OPEN_FILES
from plantwin.private.execution.protocol import READY, Reply, Request
from plantwin.private.extensions.declaration import Extension

Run = Callable[[Job], Result]
Resolve = Callable[[str], Run]

_STDIN, _STDOUT, _STDERR = 0, 1, 2
_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))  # noqa: PTH120 (pathlib costs start-up time)


def main(parent: int = 0, resolve: Resolve | None = None, load: str = "") -> None:
    """Serve one request. `parent`: the process to end with, where no sandbox sees to that.

    `load`: the built-in that will be asked for, whose modules are loaded while there is no job yet.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    kernel.keep_closed()
    if parent:
        kernel.die_with(parent)
    # Now this process ends with the one that started it. Only then is it given the job: a parent that
    # died earlier leaves a worker without one. (White space, as far as the reply's reader is concerned.)
    os.write(_STDOUT, READY)
    if load:
        # Our own code alone: nothing private has been seen yet. What fails here fails again, and is told, in the job.
        with contextlib.suppress(Exception):
            from plantwin.private.execution.preload import load_modules

            load_modules(load)
    request = _received()
    out = os.dup(_STDOUT)
    # The standard error is the null device: whatever the capability prints goes there.
    os.dup2(_STDERR, _STDOUT)
    os.dup2(_STDERR, _STDIN)
    if request.sandboxed:
        # Older sandboxes leave the descriptors open from which they mounted the inputs.
        os.closerange(_STDERR + 1, out)
        os.closerange(out + 1, OPEN_FILES)
    failed = _confined(request)
    if failed:
        reply = Reply(failure="crashed", error=failed)
    else:
        reply = _reply(request, resolve or _builtin) if _written(request.copies) else Reply(failure="unreadable")
    _send(out, _encoded(reply))
    # No clean-up of what the capability may have left behind: the process ends here.
    os._exit(0)


def _received() -> Request:
    parts = []
    while part := os.read(_STDIN, 1 << 20):
        parts.append(part)
    if not parts:
        # Nobody needs this worker, or nobody is left: without a job it ends.
        os._exit(1)
    return msgspec.json.decode(b"".join(parts), type=Request)


def _confined(request: Request) -> str:
    """Bind this process, for good, before it looks at an input; otherwise say what the system refused."""
    part = "limits"
    try:
        request.limits.impose()
        if request.sandboxed and request.programs:
            part = "covers"
            from plantwin.private.execution.enclosure import enclose

            enclose(request.folder, request.hidden, unprivileged=request.unprivileged)
            kernel.keep_closed()
        part = "filter of system calls"
        if not kernel.confine(programs=request.programs) and request.sandboxed:
            return f"the sandbox is not complete: no {part} for this machine"
    except Exception as error:  # whatever it is, nothing may run
        return f"the sandbox is not complete: {part} ({type(error).__name__} {getattr(error, 'errno', '')})"
    return ""


def _written(copies: tuple[tuple[str, bytes], ...]) -> bool:
    """Write the inputs that came with the job, for reading alone; whether there was room."""
    try:
        for file, data in copies:
            os.makedirs(os.path.dirname(file), 0o700, exist_ok=True)  # noqa: PTH103, PTH120 (as above)
            opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o400)
            _send(opened, data)
            os.close(opened)
    except OSError:
        return False
    return True


def _builtin(name: str) -> Run:
    from plantwin.private.capabilities import function

    return function(name)


def _own(extension: Extension) -> Run:
    from plantwin.private.extensions.running import function

    return function(extension)


def _reply(request: Request, resolve: Resolve) -> Reply:
    if not all(_is(file, identity) for file, identity in request.identities):
        return Reply(failure="unreadable")
    try:
        run = resolve(request.capability) if request.extension is None else _own(request.extension)
        result = run(request.job)
        if not isinstance(result, Result):
            return Reply(failure="crashed", error="not a result")
    except MemoryError:
        return Reply(failure="memory")
    except OSError as error:
        if not all(_regular(each.file) for each in request.inputs if each.file):
            return Reply(failure="unreadable")
        return Reply(failure="crashed", error=_place(error))
    except BaseException as error:  # whatever it is, the step failed, and the message may hold content
        return Reply(failure="crashed", error=_place(error))
    return Reply(result=result)


def _is(file: str, identity: tuple[int, int]) -> bool:
    """Whether this can be opened, and is the file that was meant."""
    found = _regular(file)
    return found is not None and (found.st_dev, found.st_ino) == identity


def _regular(file: str) -> os.stat_result | None:
    """What a regular file is that can be opened; none for anything else."""
    try:
        opened = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    found = os.fstat(opened)
    os.close(opened)
    return found if stat.S_ISREG(found.st_mode) else None


def _encoded(reply: Reply) -> bytes:
    try:
        return msgspec.json.encode(reply)
    except MemoryError:
        return msgspec.json.encode(Reply(failure="memory"))
    except UnicodeEncodeError:
        # A name or excerpt with half a character in it.
        try:
            return msgspec.json.encode(_whole(msgspec.to_builtins(reply)))
        except Exception as error:
            return msgspec.json.encode(Reply(failure="crashed", error=_place(error)))
    except Exception as error:  # a value that JSON cannot hold, or one nested too deeply
        return msgspec.json.encode(Reply(failure="crashed", error=_place(error)))


def _whole(value: object) -> object:
    """The same with every half character replaced."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_whole(key): _whole(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_whole(each) for each in value]
    return value


def _place(error: BaseException) -> str:
    """Type and place of an exception. The message stays here: it may quote an input."""
    place, at = "", error.__traceback__
    while isinstance(at, TracebackType):
        code = at.tb_frame.f_code
        if code.co_filename.startswith(_PACKAGE):
            place = f" at {code.co_filename[len(_PACKAGE) + 1 :]}:{at.tb_lineno}"
        at = at.tb_next
    return f"{type(error).__name__[:60]}{place}"


def _send(out: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(out, view) :]
