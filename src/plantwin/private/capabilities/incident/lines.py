"""Lines of a log to entries: which lines begin one, and what plain ones and those of web servers say."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.incident import records
from plantwin.private.capabilities.incident.entry import LONGEST, Entry, level_of
from plantwin.private.capabilities.incident.moments import seconds
from plantwin.private.extract.formats.logs import START

MOST_MORE = 200
"""Lines that are kept of what belongs to one entry."""
_STAMP = re.compile(
    r"(?:<\d{1,3}>(?:1 )?)?(?:[DIWEFA], )?[\[(\"'<|]{0,2}(?:"
    r"\d{4}[-/.]\d\d[-/.]\d\d(?:[T _]|, )\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?: ?(?:Z|UTC|GMT|CES?T|[+-]\d\d:?\d\d)\b)?"
    r"|(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{1,9})?(?: \d{4})?"
    r"|\d\d[/-][A-Z][a-z]{2}[/-]\d{4}[: ]\d\d:\d\d:\d\d(?:\.\d{1,6})?(?: [+-]\d{4})?"
    r"|\d{1,2}[/-]\d{1,2}[/-]\d{2,4},? \d\d:\d\d:\d\d"
    r"|[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{1,6}|\d\d:\d\d:\d\d(?:[.,]\d{1,6})?|1\d{9}(?:\.\d{1,9}|\d{3})?(?=[\s\],])"
    r"|\d{6} \d{6}(?= )|\d{4}-\d\d-\d\d(?= ))"
    r"(?: #\d{1,8})?[\])\"'>|]{0,2}[ \t,|:-]{0,4}"
)
_LEVEL = re.compile(
    r"(?:^|[\s\[<|=\"'(:.\]/])(TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|CRIT(?:ICAL)?|FATAL|SEVERE|PANIC|EMERG"
    r"|ALERT|LOG|STATEMENT|DETAIL|HINT|FAILED)(?=$|[\s\]>|:\"',;)!.\[/-])"
    r"|(?:[\[<(|:]|(?:level|severity|lvl|levelname)[\"=: ]{1,4})"
    r"(trace|debug|info|notice|warn(?:ing)?|err(?:or)?|crit(?:ical)?|fatal|panic|emerg|alert)\b"
    r"|^\d{1,7} (silly|verbose|http|info|notice|warn|error) "
    r"|(?:^|[\s:.])(?:npm )?(error|warning|fatal|panic|ERR|WARN|Error|Warning|Exception|Warn|Info|Fatal)(?::? |!)"
)
_ALARM = re.compile(
    r"Traceback \(most|panic: |segfault|Out of memory|Killed process|oom-kill|[Uu]nhandled (?:exception|rejection)"
    r"|Uncaught |core dumped|panicked at|Fatal error|\*\*\* |I/O error|[Cc]all [Tt]race:|BUG: "
)
_SYSTEM = re.compile(r"([\w.:-]{1,100}) ([\w./()@-]{1,60}?)(?:\[\d{1,8}\])?: {1,4}")
_FIFTH = re.compile(r"([\w.:-]{1,100}) ([\w./@-]{1,60}) (?:\d{1,8}|-) (?:[\w-]{1,40}|-) (?:-|\[[^\n]{0,400}?\]) ?")
_LOGGER = re.compile(r"(?:^|[\s\[(])([A-Za-z_$][\w$]{0,60}(?:\.[A-Za-z_$][\w$-]{0,60}){1,9})(?=[\s:\],)#-]|$)")
_ADDRESS = re.compile(
    r"(?:from|rhost=|client[=: ]|ip[=: ]|addr[=: ]|remote_addr=|src=|peer[=: ]|host=)[ \"\[]{0,2}"
    r"((?:\d{1,3}\.){3}\d{1,3}|[0-9a-fA-F:]{4,39}:[0-9a-fA-F:]{1,39})"
    r"|(?<![\w.])((?:\d{1,3}\.){3}\d{1,3})(?![\w.]\d)"
)
_CONTAINER = re.compile(r"(\d{4}-\d\d-\d\dT[\d:.]{8,18}(?:Z|[+-]\d\d:\d\d)) (?:stdout|stderr) ([FP]) ")
_TRACE = re.compile(
    r"\s|Traceback \(|Caused by:|During handling|The above exception|[\w.$]{1,120}(?:Error|Exception|Exit|Timeout)\b"
    r"|goroutine \d|created by |#\d{1,3} |at \S|\.{3} \d|stack backtrace|note: run with|panic: |Suppressed:"
    r"|[\w./()*-]{1,200}\((?:0x|\.{3}|\{|\))|thread '"
)
_DEVICE = re.compile(
    r"(\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3}) {1,6}\d{1,6} {1,6}\d{1,6} ([VDIWEF]) ([\w./ -]{1,80}?) {0,20}: (.{0,4000})"
)
"""Android's log."""
_RAN = re.compile(r"\"?([A-Z]{3,7}) (/\S{0,1500})(?: HTTP/[\d.]{1,3})?\"?(?: |-|=>|->|status[=:]){1,3}([1-5]\d\d)\b")

_BALANCED = re.compile(
    r"(?:/\+?(\d{1,9}))? ([1-5]\d\d) (?:[1-5]\d\d |- )?\+?\d{1,12} [^\n\"]{0,400}\"([A-Z]{3,7}) (\S{1,1500}) HTTP/\d"
)
"""Load balancers quote the request last, after its times and status."""


def entries(text: str) -> list[Entry]:
    """Every entry of a log, in the order of its lines."""
    found = records.journal(text)
    if found is None:
        found = records.whole(text)
    return list(_entries(text.split("\n"))) if found is None else found


def _entries(lines: list[str]) -> Iterator[Entry]:
    loose = _loose(lines)
    current: Entry | None = None
    for number, line in enumerate(lines, 1):
        line = line[:LONGEST]
        if not line.strip():
            continue
        started = START.match(line[:300])
        made: Entry | None = None
        if started is None:
            if not loose or (current is not None and _TRACE.match(line)):
                if current is None:
                    current = Entry(number, text=line.strip(), level=_alarm(line))
                elif len(current.more) < MOST_MORE:
                    current.more.append(line)
                    if not current.level and not current.more[1:]:
                        current.level = _alarm(line)
                continue
            made = _plain(number, line)
        elif started.lastgroup == "json":
            made = records.decoded(number, line, _inner)
        elif started.lastgroup == "access":
            made = records.access(number, line)
        elif started.lastgroup == "logfmt" or ("=" in line and " msg=" in line):
            made = records.fields(number, line)
        elif (wrapped := _CONTAINER.match(line)) is not None:
            made = _unwrapped(number, line, wrapped)
        if made is None:
            made = _plain(number, line)
        if current is not None and made.text and (_belongs(line, made) or _continues(current, made, line)):
            if len(current.more) < MOST_MORE:
                current.more.append(made.text)
            continue
        if current is not None:
            yield current
        current = made
    if current is not None:
        yield current


def _loose(lines: list[str]) -> bool:
    """Whether most lines begin no entry in any known way: then each that is not indented is one."""
    first = [line[:300] for line in lines[:4000] if line.strip() and not _TRACE.match(line[:300])][:1000]
    return sum(START.match(line) is not None for line in first) * 5 < len(first)


def _belongs(line: str, made: Entry) -> bool:
    """A container's log has a time on every line of a trace."""
    return line[0] in "{2" and not made.level and made.logger == "\0" and _TRACE.match(made.text) is not None


def _continues(current: Entry, made: Entry, line: str) -> bool:
    """A device writes its time and level before every line of a trace."""
    return made.logger == current.logger and _DEVICE.match(line) is not None and _TRACE.match(made.text) is not None


def _unwrapped(number: int, line: str, wrapped: re.Match[str]) -> Entry:
    inner = _inner(number, line[wrapped.end() :])
    if not inner.timed:
        inner.time = seconds(wrapped[1])
    return inner


def _inner(number: int, text: str) -> Entry:
    """What a container wrote. `\\0` as its logger marks a line that does not begin an entry of its own."""
    if START.match(text[:300]) is None:
        return Entry(number, text=text.rstrip(), logger="\0", level=_alarm(text) if not text[:1].isspace() else "")
    if text.startswith("{"):
        made = records.decoded(number, text, _inner)
        if made is not None:
            return made
    return _plain(number, text)


def _plain(number: int, line: str) -> Entry:
    """A line of text: its time, level, origin and address."""
    device = _DEVICE.match(line)
    if device is not None:
        return Entry(
            number,
            time=seconds(f"1972-{device[1]} {device[2]}"),
            level=level_of(device[3]),
            text=device[5],
            logger=device[4],
        )
    stamp = _STAMP.match(line)
    head = line[:120]
    time = seconds(head)
    text = line[stamp.end() :].strip() if stamp is not None and stamp.end() else line.strip()
    logger = ""
    level = ""
    if stamp is not None:
        if line[0] in "IWEF" and line[1:5].isdigit():
            level = level_of(line[0])
        system = _FIFTH.match(text) if line.startswith("<") else None
        system = system or _SYSTEM.match(text)
        if system is not None and not level_of(system[1]) and (line[0] in "<JFMASOND" or line[10:11] == "T"):
            logger = system[2]
            text = text[system.end() :]
    if not level:
        found = _LEVEL.search(text[:160])
        level = level_of(found[found.lastindex or 0]) if found is not None else _alarm(text)
    if not logger:
        name = _LOGGER.search(text[:100])
        logger = name[1] if name is not None else ""
    made = Entry(number, time=time, level=level, text=text or line.strip(), logger=logger, address=address(text))
    ran = _RAN.search(text[:2000]) if "/" in text else None
    if ran is not None:
        made.method, made.path, made.status = ran[1], ran[2], int(ran[3])
    elif " HTTP/" in text and (balanced := _BALANCED.search(text[:3000])) is not None:
        made.method, made.path, made.status = balanced[3], balanced[4], int(balanced[2])
        made.latency = float(balanced[1]) if balanced[1] else -1.0
        made.text = f"{made.method} {made.path} {made.status}"
    if made.status >= 500 and not made.failed:
        made.level = "error"
    return made


def address(text: str) -> str:
    """The address that a line speaks of."""
    if "." not in text and ":" not in text:
        return ""
    found = _ADDRESS.search(text[:600])
    return (found[1] or found[2]) if found is not None else ""


def _alarm(text: str) -> str:
    return "error" if _ALARM.search(text[:300]) is not None else ""
