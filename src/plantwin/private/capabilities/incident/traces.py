"""Stack traces of nine languages: what was raised, and the frames from the innermost outwards."""

# ruff: noqa: E501 (one language, one row)

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence

import msgspec

from plantwin.private.capabilities.incident.reading import Log
from plantwin.private.facts import Private

DEEPEST = 100
"""Frames of one trace."""
MOST = 2000
"""Traces of one input."""
KEPT = 6000
"""Characters of a trace that a result hands on."""

_FRAMES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("python", re.compile(r"\s{0,12}File \"(?P<path>[^\"\n]{1,400})\", line (?P<line>\d{1,7})(?:, in (?P<function>[^\n]{1,200}))?")),
    ("java", re.compile(r"\s{0,12}at (?:[\w.@-]{1,80}/{1,2}){0,2}(?P<module>[\w.$]{1,300})\.(?P<function>[\w$<>]{1,200})\((?:(?P<path>[\w$-]{1,120}\.(?:java|kt|scala|groovy|clj))(?::(?P<line>\d{1,7}))?|Native Method|Unknown Source)\)")),
    ("csharp", re.compile(r"\s{0,12}at (?P<function>[\w.`<>+\[\],|-]{1,300}\([^)\n]{0,300}\)) in (?P<path>[^\n]{1,400}?):line (?P<line>\d{1,7})")),
    ("javascript", re.compile(r"\s{0,12}at (?:async )?(?:(?P<function>[^\n(]{1,200}?) (?:\[as [^\]\n]{1,60}\] )?\((?P<path>[^\n()]{1,400}?):(?P<line>\d{1,7}):\d{1,7}\)|(?P<path2>[^\s()]{1,400}?):(?P<line2>\d{1,7}):\d{1,7}$)")),
    ("csharp", re.compile(r"\s{1,12}at (?P<function>[A-Z][\w.`<>+\[\],|-]{1,300}\([^)\n]{0,300}\))\s{0,4}$")),
    ("go", re.compile(r"\s{1,8}(?P<path>[^\s:]{1,400}\.go):(?P<line>\d{1,7})(?: \+0x[0-9a-f]{1,16})?\s{0,4}$")),
    ("ruby", re.compile(r"\s{0,12}(?:from )?(?P<path>[^\s:]{1,400}\.(?:rb|erb|rake|ru)):(?P<line>\d{1,7}):in [`'](?P<function>[^'\n]{1,200})'")),
    ("php", re.compile(r"\s{0,12}#\d{1,4} (?P<path>[^\n(]{1,400}?\.\w{2,5})\((?P<line>\d{1,7})\): (?P<function>[^\n(]{1,200})")),
    ("rust", re.compile(r"\s{1,40}at (?P<path>[^\s:]{1,400}\.rs):(?P<line>\d{1,7})(?::\d{1,7})?\s{0,4}$")),
    ("native", re.compile(r"\s{0,12}#\d{1,4}\s{1,4}(?:0x[0-9a-f]{4,16} in )(?P<function>[^\s(]{1,200})(?: ?\([^\n]{0,200}\))?(?: at)? (?P<path>[^\s:]{1,400}\.\w{1,4}):(?P<line>\d{1,7})")),
)  # fmt: skip
_RAISED = re.compile(
    r"(?:^|[\s:(\[\"'])((?:[A-Za-z_][\w$]{0,80}(?:\.|::|\\)){0,12}[A-Za-z_][\w$]{0,100}"
    r"(?:Error|Exception|Failure|Fault|Timeout|Throwable|Exit|Interrupt|Warning|Refused|NotFound|Denied)\w{0,20})"
    r"(?: \[\w{1,40}\])?(?:\s{0,2}[:(]\s{0,2}([^\n]{0,600}))?"
)
_LAST = re.compile(r"((?:[A-Za-z_]\w{0,80}\.){0,12}[A-Za-z_]\w{0,100})(?:: ([^\n]{0,600}))?\s{0,4}$")
_GO = re.compile(r"(?:^|\s)(?:panic|fatal error): ([^\n]{1,600})")
_RUST = re.compile(r"panicked at (?:'([^\n]{0,600}?)', )?([^\s:]{1,400}\.rs):(\d{1,7})(?::\d{1,7})?:?")
_PHP = re.compile(r"(?:Uncaught )(?:[\w\\]{1,100}) ?:? [^\n]{0,400}? in ([^\n]{1,300}?)(?::| on line )(\d{1,7})")
_RUBY = re.compile(r"\s{0,8}([^\s:]{1,400}\.rb):(\d{1,7}):in [`']([^'\n]{1,200})': ([^\n]{0,400}) \(([\w:]{1,120})\)")
_INSIDE = re.compile(
    r"\s|Caused by:|Suppressed:|\.{3} \d|During handling|The above exception|Traceback \(|goroutine \d|created by |Stack trace:"
    r"|stack backtrace|thrown in|note: |[\w./*()\[\]-]{1,300}\([^\n]{0,300}\)(?: in goroutine \d{1,9})?$|exit status|---> |--- End of|\{$|\}$"
)
_RUST_FUNCTION = re.compile(r"\s{0,8}\d{1,4}:\s{1,20}(?:0x[0-9a-f]{1,16} - )?(\S[^\n]{0,200})")
_LIBRARY = re.compile(
    r"(?:^|[/\\])(?:site-packages|dist-packages|node_modules|vendor|gems|rubies|bower_components|\.cargo|\.rustup|rustc|toolchains)[/\\]"
    r"|^(?:<frozen|<string>|node:|internal/|/usr/(?:local/)?(?:lib|go)/|/rustc/|native |webpack/bootstrap|\(internal\))"
    r"|[/\\]lib[/\\]python\d|[/\\]go[/\\](?:src[/\\](?:runtime|net|testing)|pkg[/\\]mod)[/\\]|[/\\]jdk|std[/\\]src[/\\]"
)
_LIBRARY_MODULE = re.compile(
    r"(?:java|javax|jakarta|jdk|sun|com\.sun|kotlin|kotlinx|scala|groovy|clojure|org\.(?:springframework|apache|hibernate|eclipse|junit|"
    r"jboss|slf4j|postgresql|h2|gradle)|com\.(?:zaxxer|fasterxml|google\.common|mysql)|io\.(?:netty|grpc|undertow|micrometer)|reactor|"
    r"okhttp3|retrofit2|System|Microsoft|Npgsql|Newtonsoft)\."
)


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
        return [each for each in self.frames if not each.library]

    @property
    def fingerprint(self) -> str:
        """The same for traces that differ in lines and values only."""
        frames = (self.own or self.frames)[:5]
        told = [self.language, self.root or self.type, *(f"{_base(each.path)}:{each.function}" for each in frames)]
        return hashlib.blake2b("\n".join(told).encode("utf-8", "replace"), digest_size=6).hexdigest()

    def stated(self, veil: Callable[[str, int], str]) -> dict[str, object]:
        """As a result hands it on to a later step."""
        text = veil(self.text, KEPT)
        return {
            "source": self.source,
            "line": self.line,
            "time": self.time,
            "text": text,
            "context": veil(self.context, 400),
        }


def traces_of(log: Log) -> list[Trace]:
    """Every trace of a log."""
    found: list[Trace] = []
    for entry in log.entries:
        if not entry.more and not any(word in entry.text for word in ("\n", "panicked at", "Uncaught")):
            continue
        lines = [*entry.text.split("\n"), *entry.more]
        for each in traces(lines, log.label, entry.line):
            each.time = entry.time
            each.context = entry.text
            found.append(each)
        if len(found) >= MOST:
            break
    return found


def traces(lines: Sequence[str], source: str, first: int = 1) -> list[Trace]:
    """Every trace in these lines."""
    found: list[Trace] = []
    at = 0
    while at < len(lines) and len(found) < MOST:
        line = lines[at][:4000]
        language, frame = _frame(lines, at)
        if frame is None and not _RUST.search(line) and not _PHP.search(line):
            at += 1
            continue
        start = _head(lines, at)
        end = _end(lines, at)
        made = _trace(lines, start, at, end, language)
        made.source, made.line = source, first + start
        made.text = "\n".join(each[:1000] for each in lines[start:end])[:KEPT]
        found.append(made)
        at = max(end, at + 1)
    return found


def _frame(lines: Sequence[str], at: int) -> tuple[str, Frame | None]:
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
            package = module.rpartition(".")[0].replace(".", "/")
            path = f"{package}/{path}" if package and path else path or module.replace(".", "/")
            function = f"{module.rpartition('.')[2]}.{function}"
        elif language == "csharp":
            library = _LIBRARY_MODULE.match(function) is not None
            function = function.partition("(")[0]
        elif language == "go" and at:
            function = lines[at - 1].strip()[:200].rpartition("(")[0].rpartition("/")[2]
        elif language == "rust" and at:
            name = _RUST_FUNCTION.match(lines[at - 1][:300])
            function = name[1] if name is not None else ""
            library = library or function.startswith(("std::", "core::", "rust_begin", "tokio::", "alloc::"))
        elif language == "php":
            function = function.strip()
        return language, Frame(_clean(path), int(number), function[:200], library)
    return "", None


def _clean(path: str) -> str:
    for prefix in ("file://", "webpack:///", "webpack-internal:///", "webpack://", "(rsc)/"):
        path = path.removeprefix(prefix)
    return path.replace("\\", "/").removeprefix("./").partition("?")[0]


def _head(lines: Sequence[str], at: int) -> int:
    """Where a trace begins: the line above its frames that says what was raised."""
    for back in range(1, 5):
        if at - back < 0:
            break
        line = lines[at - back][:2000]
        if "Traceback (most recent" in line or _GO.search(line) or _RUST.search(line) or _PHP.search(line):
            return at - back
        if _RAISED.search(line) is not None and not line.startswith((" ", "\t")):
            return at - back
    return at


def _end(lines: Sequence[str], at: int) -> int:
    """Behind the last line of a trace."""
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
            chained = line.startswith(("During handling", "The above exception", "Traceback ("))
            if not chained:
                end += 1
                rest = next((each for each in lines[end : end + 3] if each.strip()), "")
                if not rest.startswith(("During handling", "The above exception")):
                    break
                continue
        elif (
            blank
            and not line.startswith(("Caused", "goroutine", "During", "The above", "Traceback", "Stack", " ", "\t"))
        ) or (_frame(lines, end)[1] is None and _INSIDE.match(line) is None):
            break
        blank = 0
        end += 1
    return end


def _trace(lines: Sequence[str], start: int, at: int, end: int, language: str) -> Trace:
    parts: list[tuple[str, str, list[Frame]]] = []
    frames: list[Frame] = []
    raised = said = ""
    for place in range(start, end):
        line = lines[place][:2000]
        _, frame = _frame(lines, place)
        if frame is not None:
            ruby = _RUBY.match(line)
            if ruby is not None:
                raised, said = ruby[5], ruby[4]
            if len(frames) < DEEPEST:
                frames.append(frame)
            continue
        if language == "python":
            if frames and not line.startswith((" ", "\t")) and (last := _LAST.match(line)) is not None:
                parts.append((last[1], last[2] or "", frames[::-1]))
                frames = []
            continue
        if line.lstrip().startswith(("Caused by:", "---> ")) and (cause := _RAISED.search(line)) is not None:
            parts.append((raised, said, frames))
            raised, said, frames = cause[1], cause[2] or "", []
        elif (rust := _RUST.search(line)) is not None:
            language, raised = "rust", "panic"
            said = rust[1] or (lines[place + 1].strip()[:400] if place + 1 < end else "")
            frames.append(Frame(_clean(rust[2]), int(rust[3]), "", _LIBRARY.search(rust[2]) is not None))
        elif not frames and (go := _GO.search(line)) is not None:
            raised, said = "panic", go[1]
        elif not frames and (thrown := _RAISED.search(line)) is not None:
            raised, said = thrown[1], thrown[2] or ""
            if (php := _PHP.search(line)) is not None:
                language = "php"
                frames.append(Frame(_clean(php[1]), int(php[2]), "", _LIBRARY.search(php[1]) is not None))
    if frames or raised:
        parts.append((raised, said, frames[::-1] if language == "python" else frames))
    if language != "python":
        parts = parts[::-1]
    if not parts:
        return Trace(language, "", 0)
    outer = parts[-1]
    return Trace(
        language,
        "",
        0,
        type=outer[0],
        message=outer[1],
        root=parts[0][0] or outer[0],
        frames=[each for _, _, mine in parts for each in mine][:DEEPEST],
    )


def _base(path: str) -> str:
    return path.rpartition("/")[2]
