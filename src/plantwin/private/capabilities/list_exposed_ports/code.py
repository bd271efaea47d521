"""Ports in code and in plain settings: calls that listen, and keys that name a port."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from plantwin.private.capabilities.engine.source import Source
from plantwin.private.formats import settings
from plantwin.private.formats.source_views import views

_TABLES = tomllib.loads(Path(__file__).with_name("code.toml").read_text("utf-8"))
_CALLS = tuple((re.compile(row["pattern"]), row["by"]) for row in _TABLES["call"])
_ENDPOINT, _KEY, _OTHER = (re.compile(_TABLES["names"][name]) for name in ("called", "key", "other"))
"""What stands before a port that is called and not opened; settings that name a port; those that name another's."""
_LISTEN = re.compile(r"(?:ListenStream|ListenDatagram|^listen|^bind|\.bind|\.listen)\w*$", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:(?P<host>[\w.\[\]:*-]{0,60}):)?(?P<port>\d{2,5})")
_APACHE = re.compile(r"^\s*(?:Listen|Port)\s+(?:(?P<host>[\d.]{7,15}|\[::\]|\*):)?(?P<port>\d{2,5})\b", re.MULTILINE)

Opened = tuple[int, str, str, str]
"""Line, number, what opens it, and the address it is bound to."""


def in_code(read: Source) -> Iterator[Opened]:
    """Yield the ports that code listens on, as far as they stand in the call or beside it."""
    full = views(read.format, read.data).full.decode("utf-8", "replace")
    for number, line in enumerate(full.split("\n"), start=1):
        line = line[:1000]
        for pattern, by in _CALLS if any(character.isdigit() for character in line) else ():
            match = pattern.search(line)
            if match is None or not 0 < int(match["port"]) < 65536 or _ENDPOINT.search(line[: match.start("port")]):
                continue
            host = match.groupdict().get("host")
            yield number, match["port"], by, host if host is not None else _beside(line)
            break


def _beside(line: str) -> str:
    """Return the address that the same line binds to."""
    found = re.search(r"0\.0\.0\.0|127\.0\.0\.1|localhost|[\"']::[\"']", line)
    return found[0].strip("\"'") if found is not None else ""


def serves(read: Source) -> bool:
    """Tell whether a file holds the settings of a server that are lines of words: Apache, SSH."""
    return (
        re.search(r"(?:^|/)(?:sshd?_config|httpd|apache2?|ports|vhost|sites-\w+/)[^/]*$|\.conf$", read.label)
        is not None
    )


def in_settings(read: Source) -> Iterator[Opened]:
    """Yield the ports that plain settings give to the program itself."""
    if read.format not in settings.FORMATS:
        for match in _APACHE.finditer(read.text[: 1 << 18]) if serves(read) else ():
            line = read.text.count("\n", 0, match.start("port")) + 1
            yield line, match["port"], "the server's settings", match["host"] or "*"
        return
    for setting in settings.settings(read.format, read.text)[0]:
        listens = _LISTEN.search(setting.path)
        address = _ADDRESS.fullmatch(setting.value.strip())
        if address is None or not 0 < int(address["port"]) < 65536:
            continue
        if listens or (_KEY.search(setting.path) and not _OTHER.search(setting.path)):
            yield setting.line, address["port"], f"the setting {setting.path[:80]}", address["host"] or ""
