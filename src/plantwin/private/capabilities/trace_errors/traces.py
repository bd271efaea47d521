"""Stack traces of nine languages: what was raised, and the frames from the innermost outwards."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import log2

import msgspec

from plantwin.private.capabilities.engine.job import Surroundings
from plantwin.private.capabilities.logs.log import Log
from plantwin.private.facts import Private
from plantwin.private.formats.lexicon import beside
from plantwin.private.formats.values import words

DEEPEST = 100
"""Frames of one trace."""
MOST = 2000
"""Traces of one input."""
KEPT = 6000
"""Characters of a trace that a result hands on."""

_TABLES = beside(__file__, "traces.toml")
_FRAMES = [(row["language"], re.compile(row["pattern"])) for row in _TABLES["frame"]]
_PATTERNS = {name: re.compile(pattern) for name, pattern in _TABLES["patterns"].items()}
_RAISED, _RUST, _PHP, _GO = (_PATTERNS[name] for name in ("raised", "rust", "php", "go"))
_LIBRARY, _LIBRARY_MODULE = _PATTERNS["library"], _PATTERNS["library_module"]
_PREFIXES = ("file://", "webpack:///", "webpack-internal:///", "webpack://", "(rsc)/")
_CHAINED = ("During handling", "The above exception")
_RESUMED = ("Caused", "goroutine", "During", "The above", "Traceback", "Stack", " ", "\t")
"""How a trace goes on after an empty line."""
_RUST_RUNTIME = ("std::", "core::", "rust_begin", "tokio::", "alloc::")


class Frame(Private, msgspec.Struct, frozen=True):
    """One place of a trace."""

    path: str
    line: int = 0
    function: str = ""
    library: bool = False
    """Whether it belongs to a runtime or a package, not to the program."""


class Trace(Private, msgspec.Struct):
    """One stack trace."""

    language: str
    source: str
    line: int
    time: float = -1.0
    type: str = ""
    """What was raised in the end."""
    message: str = ""
    root: str = ""
    """What was raised first."""
    frames: list[Frame] = []
    """From where the first one was raised, outwards."""
    text: str = ""
    context: str = ""
    """The line of the log above it."""

    @property
    def own(self) -> list[Frame]:
        """Frames of the program itself."""
        return [frame for frame in self.frames if not frame.library]

    @property
    def fingerprint(self) -> str:
        """The same for traces that differ in lines and values only."""
        frames = [f"{frame.path.rpartition('/')[2]}:{frame.function}" for frame in (self.own or self.frames)[:5]]
        told = "\n".join([self.language, self.root or self.type, *frames])
        return hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=6).hexdigest()

    def as_dict(self, mask: Callable[[str, int], str]) -> dict[str, object]:
        """Return it as a result hands it on to a later step."""
        return {
            "source": self.source, "line": self.line, "time": self.time,
            "text": mask(self.text, KEPT), "context": mask(self.context, 400),
        }  # fmt: skip


def traces_of(log: Log) -> list[Trace]:
    """Return every trace of a log."""
    found: list[Trace] = []
    for entry in log.entries:
        if not entry.more and not any(word in entry.text for word in ("\n", "panicked at", "Uncaught")):
            continue
        for trace in traces([*entry.text.split("\n"), *entry.more], log.label, entry.line):
            trace.time = entry.time
            trace.context = entry.text
            found.append(trace)
        if len(found) >= MOST:
            break
    return found


def traces(lines: Sequence[str], source: str, first: int = 1) -> list[Trace]:
    """Return every trace in these lines."""
    found: list[Trace] = []
    at = 0
    while at < len(lines) and len(found) < MOST:
        line = lines[at][:4000]
        language, frame = _frame(lines, at)
        if frame is None and not _RUST.search(line) and not _PHP.search(line):
            at += 1
            continue
        start, end = _head(lines, at), _end(lines, at)
        trace = _trace(lines, start, end, language)
        trace.source, trace.line = source, first + start
        trace.text = "\n".join(text[:1000] for text in lines[start:end])[:KEPT]
        found.append(trace)
        at = max(end, at + 1)
    return found


def _frame(lines: Sequence[str], at: int) -> tuple[str, Frame | None]:
    """Read a line as a frame; Go and Rust name the function on the line above."""
    line = lines[at][:1200]
    for language, pattern in _FRAMES:
        match = pattern.match(line)
        if match is None:
            continue
        groups = match.groupdict()
        path = groups.get("path") or groups.get("path2") or ""
        number = groups.get("line") or groups.get("line2") or "0"
        function = (groups.get("function") or "").strip()
        library = _LIBRARY.search(path) is not None
        if language == "java":
            module = groups["module"] or ""
            library = _LIBRARY_MODULE.match(module + ".") is not None
            package, _, class_ = module.rpartition(".")
            package = package.replace(".", "/")
            path = f"{package}/{path}" if package and path else path or module.replace(".", "/")
            function = f"{class_}.{function}"
        elif language == "csharp":
            library = _LIBRARY_MODULE.match(function) is not None
            function = function.partition("(")[0]
        elif language == "go" and at:
            function = lines[at - 1].strip()[:200].rpartition("(")[0].rpartition("/")[2]
        elif language == "rust" and at:
            name = _PATTERNS["rust_function"].match(lines[at - 1][:300])
            function = name[1] if name is not None else ""
            library = library or function.startswith(_RUST_RUNTIME)
        return language, Frame(_clean(path), int(number), function[:200], library)
    return "", None


def _place(path: str, line: str) -> Frame:
    """Return the frame of a place that a message names."""
    return Frame(_clean(path), int(line), "", _LIBRARY.search(path) is not None)


def _clean(path: str) -> str:
    for prefix in _PREFIXES:
        path = path.removeprefix(prefix)
    return path.replace("\\", "/").removeprefix("./").partition("?")[0]


def _head(lines: Sequence[str], at: int) -> int:
    """Return where a trace begins: the line above its frames that says what was raised."""
    for place in range(at - 1, max(-1, at - 5), -1):
        line = lines[place][:2000]
        if "Traceback (most recent" in line or _GO.search(line) or _RUST.search(line) or _PHP.search(line):
            return place
        if _RAISED.search(line) is not None and not line.startswith((" ", "\t")):
            return place
    return at


def _end(lines: Sequence[str], at: int) -> int:
    """Return the place behind the last line of a trace."""
    python = _FRAMES[0][1].match(lines[at][:1200]) is not None
    # Below the place of a panic stands its message, in any words.
    end = at + (2 if _RUST.search(lines[at][:2000]) is not None and at + 1 < len(lines) else 1)
    blank = 0
    while end < len(lines) and end - at < 4 * DEEPEST:
        line = lines[end][:1200]
        if not line.strip():
            blank += 1
            if blank > 2:
                break
            end += 1
            continue
        if python and not line.startswith((" ", "\t")):
            if not line.startswith((*_CHAINED, "Traceback (")):
                end += 1
                rest = next((text for text in lines[end : end + 3] if text.strip()), "")
                if not rest.startswith(_CHAINED):
                    break
                continue
        elif (blank and not line.startswith(_RESUMED)) or not _inside(lines, end):
            break
        blank = 0
        end += 1
    return end


def _inside(lines: Sequence[str], at: int) -> bool:
    return _PATTERNS["inside"].match(lines[at][:1200]) is not None or _frame(lines, at)[1] is not None


def _trace(lines: Sequence[str], start: int, end: int, language: str) -> Trace:
    parts: list[tuple[str, str, list[Frame]]] = []
    frames: list[Frame] = []
    raised = said = ""
    for place in range(start, end):
        line = lines[place][:2000]
        _, frame = _frame(lines, place)
        if frame is not None:
            if (ruby := _PATTERNS["ruby"].match(line)) is not None:
                raised, said = ruby[5], ruby[4]
            if len(frames) < DEEPEST:
                frames.append(frame)
        elif language == "python":
            last = _PATTERNS["last"].match(line) if frames and not line.startswith((" ", "\t")) else None
            if last is not None:
                parts.append((last[1], last[2] or "", frames[::-1]))
                frames = []
        elif line.lstrip().startswith(("Caused by:", "---> ")) and (cause := _RAISED.search(line)) is not None:
            parts.append((raised, said, frames))
            raised, said, frames = cause[1], cause[2] or "", []
        elif (rust := _RUST.search(line)) is not None:
            language, raised = "rust", "panic"
            said = rust[1] or (lines[place + 1].strip()[:400] if place + 1 < end else "")
            frames.append(_place(rust[2], rust[3]))
        elif not frames and (go := _GO.search(line)) is not None:
            raised, said = "panic", go[1]
        elif not frames and (thrown := _RAISED.search(line)) is not None:
            raised, said = thrown[1], thrown[2] or ""
            if (php := _PHP.search(line)) is not None:
                language = "php"
                frames.append(_place(php[1], php[2]))
    if frames or raised:
        parts.append((raised, said, frames[::-1] if language == "python" else frames))
    if language != "python":
        parts.reverse()
    if not parts:
        return Trace(language, "", 0)
    type_, message, _ = parts[-1]
    innermost = [frame for _, _, mine in parts for frame in mine]
    return Trace(language, "", 0, type=type_, message=message, root=parts[0][0] or type_, frames=innermost[:DEEPEST])


_GENERIC = words(
    "__init__.py __main__.py index.js index.ts index.tsx main.py main.go main.rs mod.rs lib.rs utils.py util.go "
    "app.py app.js index.php server.js views.py models.py types.go errors.go handler.go config.py settings.py "
    "base.py common.py"
)
"""Names that are in every folder: alone they tell nothing."""
_FRESH = ("today", "recent")


class Suspect(Private):
    """One object with what speaks against it."""

    def __init__(self, name: str, tests: list[str], recent: bool) -> None:
        self.name = name
        self.score = 0.0
        self.places: Counter[tuple[int, str]] = Counter()
        """Lines and functions with how many traces pass through them."""
        self.groups: set[str] = set()
        self.tests = tests
        self.recent = recent


class Folder(Private):
    """The names of the folder's objects, to resolve frames against."""

    def __init__(self, surroundings: Surroundings, inputs: Iterable[str] = ()) -> None:
        self._surroundings = surroundings
        self._positions: dict[str, int] = {}
        for position, neighbour in enumerate(surroundings.objects):
            if not neighbour.part and neighbour.kind != "log_stream":
                self._positions.setdefault(neighbour.name, position)
        for name in inputs:
            self._positions.setdefault(name, -1)
        self._by_name: dict[str, list[str]] = {}
        self._by_stem: dict[str, list[str]] = {}
        for name in self._positions:
            last = name.rpartition("/")[2]
            self._by_name.setdefault(last, []).append(name)
            self._by_stem.setdefault(last.rpartition(".")[0] or last, []).append(name)

    def path(self, path: str) -> str:
        """Return the object that a path of a trace names; empty where none or several could be meant."""
        wanted = path.strip("/").split("/")
        names = self._by_name.get(wanted[-1], ())
        scored = sorted(((_common_end(wanted, name.split("/")), name) for name in names), reverse=True)
        if not scored or (len(scored) > 1 and scored[0][0] == scored[1][0]):
            return ""
        shared, best = scored[0]
        whole = shared == len(best.split("/")) or shared == len(wanted)
        # A name alone decides only where it is a rare one, or where the whole of one path agrees.
        return best if shared >= 2 or whole or wanted[-1] not in _GENERIC else ""

    def logger(self, dotted: str) -> str:
        """Return the object that a logger's name stands for."""
        wanted = dotted.replace("::", ".").replace("/", ".").split(".")
        for parts in (wanted, wanted[:-1]):
            if len(parts) < 2:
                break
            names = self._by_stem.get(parts[-1], ())
            found = [name for name in names if _common_end(parts, name.rpartition(".")[0].split("/")) >= 2]
            if len(found) == 1:
                return found[0]
        return ""

    def tests(self, name: str) -> list[str]:
        """Return the tests that exercise an object."""
        position = self._positions.get(name, -1)
        links = [link for link in self._surroundings.links if link.reason == "tests" and link.target == position >= 0]
        return sorted({self._surroundings.objects[link.source].name for link in links})

    def recent(self, name: str) -> bool:
        """Return whether it changed lately, where most others did not."""
        position = self._positions.get(name, -1)
        objects = self._surroundings.objects
        if position < 0 or objects[position].freshness not in _FRESH:
            return False
        return sum(neighbour.freshness in _FRESH for neighbour in objects) * 3 <= len(objects)

    @property
    def known(self) -> bool:
        """Whether the surroundings are told."""
        return bool(self._surroundings.objects)


def _common_end(one: list[str], two: list[str]) -> int:
    """Count the parts at the end of two paths that agree."""
    pairs = zip(reversed(one), reversed(two), strict=False)
    return next((count for count, (mine, other) in enumerate(pairs) if mine != other), min(len(one), len(two)))


class Ranking(Private):
    """Suspects by what passes through them."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._found: dict[str, Suspect] = {}

    def trace(self, group: str, frames: list[Frame], count: int) -> list[str]:
        """Count one group of traces; return the names that its frames resolve to."""
        named: list[str] = []
        for frame in frames:
            name = self._folder.path(frame.path)
            if not name:
                continue
            suspect = self._suspect(name)
            if name not in named:
                # Where it was raised counts most, its callers less and less.
                suspect.score += log2(1 + count) * 0.6 ** len(named)
                named.append(name)
            suspect.groups.add(group)
            suspect.places[frame.line, frame.function] += count
        return named

    def mention(self, name: str, group: str, count: int, line: int = 0) -> None:
        """Count errors that an object wrote without a trace."""
        suspect = self._suspect(name)
        suspect.score += 0.3 * log2(1 + count)
        suspect.groups.add(group)
        if line:
            suspect.places[line, ""] += count

    def _suspect(self, name: str) -> Suspect:
        if name not in self._found:
            self._found[name] = Suspect(name, self._folder.tests(name), self._folder.recent(name))
        return self._found[name]

    def ranked(self) -> list[Suspect]:
        """Return the likeliest first; a recent change weighs."""
        return sorted(
            self._found.values(), key=lambda suspect: (-suspect.score * (1.3 if suspect.recent else 1.0), suspect.name)
        )
