"""The worker: a request in, a capability run, a reply out; or one reply after another, for the files of one step.

Nothing in here survives the step.

Started with an empty environment and a path that holds this package and its dependencies alone.
The order matters: everything is read, checked and bounded before the capability's code is loaded.
"""

from __future__ import annotations

import contextlib
import dis
import os
import signal
import stat
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from types import TracebackType
from typing import NoReturn

import msgspec

from plantwin.private.capabilities.engine.job import Job, Result
from plantwin.private.execution import kernel
from plantwin.private.execution.protocol import HEAD, OPEN_FILES, READY, SERVE, Extension, Reply, Request, Task, frame

_CAPABILITIES = "plantwin.private.capabilities"
ALSO = {
    f"{_CAPABILITIES}.engine.secrets": ("hyperscan",),
    f"{_CAPABILITIES}.security_audit": (
        f"{_CAPABILITIES}.security_audit.python.module",
        "bandit.core.node_visitor",
        "bandit.core.test_set",
    ),
    f"{_CAPABILITIES}.tables.reader": (f"{_CAPABILITIES}.tables.relational", f"{_CAPABILITIES}.tables.separated"),
}
"""What these modules nearly always load in turn, and only when they are called. A missing entry costs time alone."""


def load_modules(name: str) -> None:
    """Load a built-in's file, and the modules that its function imports when it is called."""
    from plantwin.private.capabilities import function

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what libraries say of each other
        for instruction in dis.get_instructions(function(name)):
            if instruction.opname == "IMPORT_NAME":
                import_module(instruction.argval)
        for module, others in ALSO.items():
            for other in others if module in sys.modules else ():
                with contextlib.suppress(ImportError):
                    import_module(other)


Run = Callable[[Job], Result]
Resolve = Callable[[str], Run]

_STDIN, _STDOUT, _STDERR = 0, 1, 2
_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))  # noqa: PTH120 (pathlib costs start-up time)


def main(parent: int = 0, resolve: Resolve | None = None, load: str = "") -> None:
    """Serve one request, or the tasks of one. `parent`: the process to end with, where no sandbox sees to that.

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
            from plantwin.private.execution.worker import load_modules

            load_modules(load)
    first = os.read(_STDIN, 1)
    if first == SERVE:
        _serve(resolve or _builtin)
    request = _received(first)
    out = os.dup(_STDOUT)
    _detach(request, out)
    failed = _confined(request)
    if failed:
        reply = Reply(failure="crashed", error=failed)
    else:
        reply = _reply(request, resolve or _builtin) if _written(request.copies) else Reply(failure="unreadable")
    _send(out, _encoded(reply))
    # No clean-up of what the capability may have left behind: the process ends here.
    os._exit(0)


def _serve(resolve: Resolve) -> NoReturn:
    """Confine this process once, then carry out one task after another, until nobody gives any."""
    given, out = os.dup(_STDIN), os.dup(_STDOUT)
    request = msgspec.json.decode(_framed(given), type=Request)
    _detach(request, given, out)
    failed = _confined(request)
    _send(out, frame(_encoded(Reply(failure="crashed", error=failed) if failed else Reply())))
    while not failed:
        task = msgspec.msgpack.decode(_framed(given), type=Task)
        copies = tuple(
            (given_input.file, content)
            for given_input, content in zip(task.inputs, task.contents, strict=True)
            if content is not None
        )
        around = msgspec.structs.replace(request.surroundings, inputs=task.places)
        job = msgspec.structs.replace(request, inputs=task.inputs, surroundings=around)
        reply = _reply(job, resolve) if _written(copies) else Reply(failure="unreadable")
        if reply.failure == "memory":
            # Another takes over: what was left of it may be held by what failed.
            os._exit(128 + signal.SIGKILL)
        _send(out, frame(_encoded(reply)))
        for file, _ in copies:
            with contextlib.suppress(OSError):
                os.unlink(file)  # noqa: PTH108 (as above)
    os._exit(1)


def _framed(given: int) -> bytes:
    """The next frame. Without one this process is not needed any more."""
    size = HEAD.unpack(_exactly(given, HEAD.size))[0]
    return _exactly(given, size)


def _exactly(given: int, size: int) -> bytes:
    parts, left = [], size
    while left:
        part = os.read(given, min(left, 1 << 20))
        if not part:
            os._exit(0)
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _detach(request: Request, *kept: int) -> None:
    """Keep these descriptors and no other."""
    # The standard error is the null device: whatever the capability prints goes there.
    os.dup2(_STDERR, _STDOUT)
    os.dup2(_STDERR, _STDIN)
    if request.sandboxed:
        # Older sandboxes leave the descriptors open from which they mounted the inputs.
        for before, after in pairwise((_STDERR, *sorted(kept), OPEN_FILES)):
            os.closerange(before + 1, after)


def _received(first: bytes) -> Request:
    parts = [first] if first else []
    while part := os.read(_STDIN, 1 << 20):
        parts.append(part)
    if not parts:
        # Nobody needs this worker, or nobody is left: without a job it ends.
        os._exit(1)
    return msgspec.json.decode(b"".join(parts), type=Request)


def _confined(request: Request) -> str:
    """Bind this process, for good, before it looks at an input; otherwise say what the system refused."""
    part, loopback = "limits", False
    try:
        request.limits.impose()
        if request.sandboxed and request.programs:
            part = "covers"
            # Asked before `/proc` is covered: sockets may be made only where they lead nowhere but to this sandbox.
            loopback = bool(request.folder) and kernel.alone()
            from plantwin.private.execution.enclosure import enclose

            enclose(request.folder, request.hidden, unprivileged=request.unprivileged)
            kernel.keep_closed()
        part = "filter of system calls"
        if not kernel.confine(programs=request.programs, loopback=loopback) and request.sandboxed:
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
    from plantwin.private.extensions.commands import function

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
        if not all(_regular(given.file) for given in request.inputs if given.file):
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
        return {_whole(key): _whole(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_whole(member) for member in value]
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
