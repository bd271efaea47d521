"""What git knows of a folder, asked so that nothing in an untrusted repository can run."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Generator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from plantwin.private.facts import Entry, Private
from plantwin.private.observe.commit_log import LOG, Authored, CommitLog, shallow
from plantwin.private.observe.ignore import repository

if TYPE_CHECKING:
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
        search = os.pathsep.join(folder for folder in os.get_exec_path() if Path(folder).is_absolute())
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


DAY = 86_400
MAX_LISTING = 1 << 30
MAX_LOG = 1 << 26
MAX_RECORD = 1 << 20

_RECORD = re.compile(
    rb"([^\0]++)\0  ctime: \d+:\d+\n  mtime: (\d+):(\d+)\n  dev: \d+\tino: \d+\n  uid: \d+\tgid: \d+\n"
    rb"  size: (\d+)\tflags: [0-9a-f]+\n"
)
STAGED = (
    "diff-index",
    "-z",
    "--cached",
    "--name-only",
    "--no-renames",
    "--relative",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=all",
    "-O/dev/null",
    "HEAD",
    "--",
)


def _named(times: dict[str, int]) -> dict[str, int]:
    """Those whose paths are text: others can be in no message, and count as older than all that are."""
    return {path: seconds for path, seconds in times.items() if path.isascii() or _is_text(path)}


def _is_text(path: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in path)


class History(Private, msgspec.Struct):
    """What git knows of the files below a root. Paths are relative to it and `os.fsdecode`d."""

    head: str
    """Id of the current commit; empty when there is none."""
    since: float
    """Start of the window, in seconds."""
    committed: dict[str, int]
    """Seconds of the last commit of each path that was touched inside the window."""
    complete: bool
    """Whether `committed` covers the whole window."""
    index: dict[str, int] = msgspec.field(default_factory=dict)
    """Tracked paths, with the size and time at which git last saw each unmodified."""
    staged: frozenset[str] = frozenset()
    """Paths that differ between the index and the current commit."""
    authored: Authored | None = None
    """When each tracked file's content last changed, where that was asked for."""

    def kept(self) -> bytes:
        """What a later call can go on from: all but the state of the folder."""
        authored = self.authored and Authored(self.authored.head, _named(self.authored.times))
        known = History(self.head, self.since, _named(self.committed), self.complete, authored=authored)
        return msgspec.msgpack.encode(known)

    @property
    def tracked(self) -> AbstractSet[str]:
        """The paths that git tracks."""
        return self.index.keys()


def history(
    root: Path,
    now: float,
    window_days: int = 31,
    timeout: float = 20,
    *,
    previous: History | None = None,
    ages: float = 0.0,
    warn: Callable[[str], None] | None = None,
) -> History | None:
    """What git knows of `root`, or nothing when it is in no repository that can be read.

    Modified and untracked files are not listed: `freshness_time` tells them by their size and time.
    With a `previous` result only newer commits are read, and none when the current commit is the same.
    `ages`: seconds that reading commits before the window may take, to learn when each file last changed.
    """
    real = Path(os.path.realpath(root))
    top = repository(real)
    if top is None:
        return None
    since = now - window_days * DAY
    known = History("", since, {}, complete=False)
    try:
        command = Command(real, time.monotonic() + timeout)
        known.index = _index(command)
        _commits(command, known, previous, shallow(top), ages)
        known.staged = frozenset(os.fsdecode(field) for field in command.fields(STAGED, MAX_LOG) if field)
    except CommandError as error:
        if warn is not None:
            warn(error.code)
        known.complete = False
        return known if known.index else None
    return known


def remembered(kept: bytes) -> History | None:
    """What an earlier call kept; nothing where that cannot be read."""
    try:
        return msgspec.msgpack.decode(kept, type=History) if kept else None
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _index(command: Command) -> dict[str, int]:
    """Tracked paths with their recorded size and time, as `_mark` puts them."""
    index: dict[str, int] = {}
    rest = b""
    for piece in command.output(("ls-files", "-z", "--debug"), MAX_LISTING):
        rest += piece
        end = 0
        while (record := _RECORD.match(rest, end)) is not None:
            path, seconds, nanoseconds, size = record.groups()
            mark = _mark(int(seconds) * 1_000_000_000 + int(nanoseconds), int(size))
            index[path.decode("utf-8", "surrogateescape")] = mark
            end = record.end()
        rest = rest[end:]
        if len(rest) > MAX_RECORD:
            raise CommandError("git_unknown_output")
    if rest:
        raise CommandError("git_unknown_output")
    return index


def _mark(mtime_ns: int, size: int) -> int:
    """Time and size in one number; git keeps 32 bits of each size."""
    return mtime_ns << 32 | size & 0xFFFFFFFF


def _commits(command: Command, known: History, previous: History | None, shallow: frozenset[str], ages: float) -> None:
    """Fill in the current commit and what was committed inside the window, newest first."""
    authored = previous.authored if previous is not None and ages else None
    if previous is not None and not (previous.complete and previous.since <= known.since):
        previous = None
    stop = frozenset((previous.head,)) if previous is not None and (authored is not None or not ages) else frozenset()
    log = CommitLog(known.since, shallow)
    wanted = set(known.index) if ages else set()
    fields = command.fields(LOG, MAX_LOG)
    try:
        log.read(fields, stop, wanted, time.monotonic() + ages)
    finally:
        fields.close()
        known.head, known.committed = log.head, log.committed
    if log.met and previous is not None:
        for path, when in previous.committed.items():
            if when >= known.since:
                known.committed.setdefault(path, when)
        if authored is not None:
            log.older(authored, wanted)
    if ages:
        known.authored = Authored(log.head, log.authored)
    known.complete = True


def freshness_time(entry: Entry, history: History | None) -> float:
    """When a file last changed, in seconds.

    The last commit for a file that git tracks and that is unmodified (just before the window, if it was
    not committed inside it), otherwise the time of the file.
    """
    modified = entry.mtime_ns / 1_000_000_000
    if history is None:
        return modified
    path = entry.path
    mark = history.index.get(path)
    if mark is None or not unmodified(entry, mark) or path in history.staged:
        return modified
    committed = history.committed.get(path)
    if committed is not None:
        return float(committed)
    return history.since - 1 if history.complete else modified


def same_size(entry: Entry, history: History) -> bool:
    """Whether a file has the size at which git last saw it, whatever its time."""
    mark = history.index.get(entry.path)
    return mark is not None and mark & 0xFFFFFFFF == entry.size & 0xFFFFFFFF and entry.path not in history.staged


def unmodified(entry: Entry, mark: int) -> bool:
    """Whether a file has the size and time at which git last saw it unmodified."""
    if mark == _mark(entry.mtime_ns, entry.size):
        return True
    # Some programs write an index without nanoseconds.
    whole = entry.mtime_ns // 1_000_000_000 * 1_000_000_000
    return mark == _mark(whole, entry.size)
