"""Values by their names: settings, constants, defaults of environment variables, limits and times in calls."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.engine.source import Source
from plantwin.private.capabilities.list_environment_variables import declared, reads
from plantwin.private.capabilities.list_inventory.links import Item
from plantwin.private.formats.settings import FORMATS, settings
from plantwin.private.formats.source_views import MASKS, views

_CONSTANT = re.compile(
    r"(?m)^[ \t]*+(?:(?:export|public|private|protected|internal|static|final|const|let|var|pub|readonly)[ \t]++){0,4}"
    r"(?:#define[ \t]++)?(?:(?P<type>[A-Za-z_][\w<>\[\]]*+)[ \t]++)?(?P<name>[A-Za-z_]\w*+)"
    r"(?:[ \t]*+(?::[ \t]*+[\w&'\[\]. ]++|:)?=|[ \t])[ \t]*+"
    r"(?P<detail>[-+]?\d[\w.]*+(?:(?<=[eE])[-+]\d++)?(?:[ \t]*+[*+][ \t]*+[\w.]++){0,3}"
    r"|\"[^\"\n]{1,100}\"|'[^'\n]{1,100}'|true|false|True|False)[ \t]*+[;,]?[ \t]*+(?://.*|#.*|/\*.*)?$"
)
_KEYED = re.compile(
    r"(?<![\w.])[\"']?(?P<name>\w{0,40}?(?i:expires?|expiry|expiration|max_?age|timeout|ttl|interval|lifetime|limit|retries)\w{0,24})"
    r"[\"']?[ \t]*+(?:=>|[:=])[ \t]*+"
    r"(?P<detail>[\"'][^\"'\n]{0,10}\d[^\"'\n]{0,20}[\"']|\d[\w.]*+(?:[ \t]*+[*+][ \t]*+[\w.]++){0,3})"
)
"""Times and limits that a call or a mapping in code is given: `expiresIn: '60d'`."""
ASIDE = re.compile(
    r"(?i)(?:^|/)(?:locales?|i18n|translations?|lang|vendor)/|(?:^|/)[\w.-]*lock[\w.-]*\.(?:json|ya?ml|toml)$|\.(?:lock|po|sum|snap)$"
    r"|(?:^|/)messages_\w+\.properties$"
)
"""Translations and locks: they set nothing."""


def values(file: Source) -> Iterator[Item]:
    """Yield what a file gives a value to."""
    if ASIDE.search(file.label):
        return
    if file.format in FORMATS:
        for setting in settings(file.format, file.text)[0]:
            path = re.sub(r"\.\d+$", "", setting.path)
            yield Item("setting", path, setting.value, file.label, setting.line)
    elif file.format in MASKS:
        seen = set()
        for item in _in_code(file):
            if (item.name, item.line) not in seen:
                seen.add((item.name, item.line))
                yield item


def _in_code(file: Source) -> Iterator[Item]:
    for read in (*reads(file), *declared(file)):
        if read.name and read.default and read.default.strip("\"'"):
            yield Item("setting", read.name, read.default.strip().strip("\"'"), file.label, read.line)
    for match in _CONSTANT.finditer(file.text):
        line = file.text.count("\n", 0, match.start("name")) + 1
        name = match["type"] or match["name"] if file.format == "go" else match["name"]  # in Go, the type is second
        yield Item("setting", name, match["detail"].strip("\"'"), file.label, line)
    if not file.rehearsal:
        text = views(file.format, file.data).full.decode("utf-8", "replace")
        for match in _KEYED.finditer(text):
            line = text.count("\n", 0, match.start("name")) + 1
            yield Item("setting", match["name"], match["detail"].strip("\"'"), file.label, line)
