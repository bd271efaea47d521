"""Which format a file has: its name proposes, its bytes may object."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from plantwin.private.classify.line_shapes import LEXICON, LOG, LOOK, SECTION, shape
from plantwin.private.formats.text import binary, wide

_MAGIC: list[tuple[bytes, str]] = [
    (prefix.encode("latin-1"), form) for form, prefixes in LEXICON.tables["magic"].items() for prefix in prefixes
]
_MAGIC_FIRST = frozenset(magic[0] for magic, _ in _MAGIC)
_ELEMENT = re.compile(rb"<([A-Za-z_][\w.:-]{0,60})[\s>]")
_HTML = frozenset(
    (b"div", b"p", b"span", b"table", b"section", b"article", b"ul", b"ol", b"nav", b"main", b"form", b"h1")
)
_JSON_OPEN = LEXICON.bytes_pattern("json_open")


def magic(head: bytes) -> str:
    """Return the format that a magic number announces, or nothing."""
    if head[:1] and head[0] in _MAGIC_FIRST:
        for prefix, form in _MAGIC:
            if head.startswith(prefix):
                return form
    if head[4:8] == b"ftyp" or (head[:4] == b"RIFF" and head[8:12] in (b"WAVE", b"WEBP", b"AVI ")):
        return OPAQUE
    return ""


def shebang(head: bytes) -> str:
    """Return the format of the interpreter that the first line names."""
    line = head[2:200].split(b"\n", 1)[0].decode("latin-1").replace("\\", "/")
    for word in line.split()[:4]:
        if word.startswith("-") or "=" in word:
            continue
        program = word.rsplit("/", 1)[-1].lower()
        if program == "env":
            continue
        form = INTERPRETERS.get(program) or INTERPRETERS.get(program.rstrip("0123456789."))
        if form:
            return form
    return "shell" if b"sh" in head[:40] else ""


def opening(head: bytes) -> str:
    """Return the format that the very first characters prove: keys, markup, JSON."""
    start = head[:LOOK].lstrip(b"\xef\xbb\xbf \t\r\n")
    first = start[:1]
    if first == b"-" and start.startswith((b"-----BEGIN ", b"---- BEGIN ")):
        return "pem"
    if first == b"<":
        lower = start[:512].lower()
        if lower.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
            return "html"
        if lower.startswith(b"<?php"):
            return "php"
        if lower.startswith(b"<?xml") or (lower.startswith(b"<!doctype") and b"html" not in lower[:40]):
            return "html" if b"<html" in lower else "xml"
        return _element(start, head)
    if first in (b"{", b"[") and _JSON_OPEN.match(start):
        return _json(start)
    return ""


def _element(start: bytes, head: bytes) -> str:
    """Return the format of markup without a prologue: one element from the first character to the last."""
    match = _ELEMENT.match(start)
    if match is None or not head.rstrip()[-80:].endswith(b"</" + match[1] + b">"):
        return ""
    return "html" if match[1].lower() in _HTML else "xml"


def _json(start: bytes) -> str:
    """Tell JSON, JSON lines and notebooks apart; `[section]` is not JSON."""
    line, _, rest = start.partition(b"\n")
    line = line.rstrip()
    if line[:1] == b"[" and SECTION.match(line):
        return ""
    if line[-1:] in (b"}", b"]") and line[:1] == b"{" and rest.lstrip()[:1] == b"{":
        return "jsonl"
    if b'"nbformat"' in start and b'"cells"' in start:
        return "notebook"
    return "json"


OPAQUE = "opaque"
"""The format of archives, images, programs and the like, which are no objects."""


def _by_name(names: Mapping[str, str]) -> dict[str, str]:
    return {name: form for form, listed in names.items() for name in listed.split()}


_tables = json.loads(Path(__file__).with_name("file_names.json").read_bytes())
NAMES = _by_name(_tables["names"])
PREFIXES = tuple(_by_name(_tables["prefixes"]).items())
EXTENSIONS = _by_name(_tables["extensions"])
INTERPRETERS = _by_name(_tables["interpreters"])
WRAPPERS = frozenset(_tables["wrappers"].split())
UNDECIDED = frozenset(_tables["undecided"].split())


BINARY_OBJECTS = frozenset(("model", "keystore", "office", "pdf", "columnar", "sqlite"))
"""Formats that are objects although nobody reads them as text."""

_MARKUP = frozenset(("html", "xml", "vue", "svelte", "php", "markdown", "json", "jsonl", "notebook", "jsx", "tsx"))
"""Formats that rightly open with `<` or `{`, or hold what does."""
_BRACED = frozenset(
    ("json", "jsonl", "notebook", "yaml", "log", "html", "css", "shell", "hcl", "nginx", "generic", "csv")
)
_PROSE = frozenset(("markdown", "rst", "asciidoc"))
_SETTINGS = re.compile(r"(?:\.(?:conf|cfg|config|cnf|rc)|[a-z]rc|/[a-z]+\.d/[^/.]{1,60})$")
"""Names of settings in no particular syntax."""
_FOLDERS = {
    "logrotate.d": "nginx",
    "sites-available": "nginx",
    "sites-enabled": "nginx",
    "sudoers.d": "nginx",
    "sysctl.d": "nginx",
    "rsyslog.d": "nginx",
    "modprobe.d": "nginx",
    "cron.d": "crontab",
}
"""Folders in which every file has one syntax, whatever its name."""
_DATED = re.compile(r"\d{4}-?\d\d-?\d\d(?:-\d{1,6})?")
_FILLED = frozenset(("j2", "jinja", "jinja2", "erb", "mustache", "hbs", "ejs", "gotmpl", "tmpl", "tpl"))
"""Endings of templates that a program fills."""
_STAGED = re.compile(
    rb"\n\s{0,16}(?:pipeline \{|node ?(?:\([^()\n]{0,80}\) ?)?\{|stage ?\(['\"]"
    rb"|withCredentials ?\(|sh ?\(?['\"]|checkout scm)"
)
"""Steps of a pipeline, in a script of a library that pipelines share."""
_ODD_FIRST = frozenset(b"<{[-#\xef\xff\xfe")


def named(path: str) -> tuple[str, bool]:
    """Return the format that the name announces (or nothing), and whether the content may freely overrule it."""
    base = path.rpartition("/")[2].lower()
    form = NAMES.get(base)
    if form is not None:
        return form, False
    stem, dot, ending = base.rpartition(".")
    if not dot:
        return _prefixed(base), True
    form = EXTENSIONS.get(ending)
    if (ending.isdigit() or _DATED.fullmatch(ending)) and stem.rpartition(".")[2] in EXTENSIONS and "." in stem:
        return named(stem)  # A rotated or numbered copy is what it was before.
    if form is not None and ending not in WRAPPERS:
        if base.endswith(".gradle.kts"):
            return "gradle", False
        if ending in ("txt", "in") and stem.startswith(("requirements", "constraints")):
            return "requirements", False
        return form, ending in UNDECIDED
    if ending in WRAPPERS and stem:
        inner, loose = named(stem)
        if inner == "text" and ending in _FILLED:
            return "jinja", False
        if inner:
            return inner, loose or inner == "text"
        return form or "", True
    return _prefixed(base) or form or "", True


def _prefixed(base: str) -> str:
    for prefix, form in PREFIXES:
        if base.startswith(prefix) and (len(base) == len(prefix) or base[len(prefix)] in ".-_"):
            return form
    return ""


def identify(path: str, head: bytes) -> str:
    """Return the format's name: `opaque` for what is no object, `text` when nothing says more."""
    form, loose = named(path)
    if loose and not form and "/" in path:
        form = _FOLDERS.get(path.rsplit("/", 2)[-2].lower(), "")
        if form:
            loose = False
    if loose and not form and _SETTINGS.search(path):
        form = "properties"
    if not head:
        return form or "text"
    if form == "html" and path.endswith(".ftl") and b"<" not in head[:4096]:
        form = "properties"  # Fluent: messages, and no markup of FreeMarker.
    if form == "html" and path.endswith((".tpl", ".tmpl", ".vm")) and b"<" not in head[:4096]:
        form, loose = "jinja", True  # A template of something that is no markup.
    if form == "generic" and path.endswith(".groovy") and _STAGED.search(head[:16384]):
        form = "jenkinsfile"
    if form == OPAQUE and not loose:
        return _behind_opaque(path, head)
    known = magic(head)
    if known:
        return _magical(form, known)
    if 0 in head[:1024] or binary(head):
        if wide(head):
            return form if form and form not in BINARY_OBJECTS else "text"
        if form in BINARY_OBJECTS and form != "sqlite":
            return form
        return "der" if form == "pem" else OPAQUE
    if form in BINARY_OBJECTS:
        if head.startswith(b"version https://git-lfs"):
            return form
        loose = True
    return _textual(form, loose, head)


def _behind_opaque(path: str, head: bytes) -> str:
    """Return the format of a text that calls itself an image or archive, when its bytes are clear."""
    if magic(head) or binary(head) or 0 in head:
        known = magic(head)
        return known if known in BINARY_OBJECTS else OPAQUE
    clear = opening(head) or (shebang(head) if head.startswith(b"#!") else "") or shape(head)
    return clear if clear != "text" else ("text" if _readable(head) else OPAQUE)


def _readable(head: bytes) -> bool:
    """Return whether the bytes are mostly printable ASCII with line ends."""
    part = head[:1024]
    return b"\n" in part and sum(32 <= byte < 127 or byte in (9, 10, 13) for byte in part) >= len(part) * 0.95


def _magical(form: str, known: str) -> str:
    """Settle magic numbers: they win, but zip and pickle containers are what their name says."""
    if known == OPAQUE and form in BINARY_OBJECTS and form not in ("sqlite", "pdf"):
        return form
    if known == "model" and form == "columnar":
        return form
    if known == "office" and form == "columnar":
        return form
    return known


def _textual(form: str, loose: bool, head: bytes) -> str:
    """Settle text: proof in the first characters, then the name, then the shape of the lines."""
    first = head[0]
    if first in _ODD_FIRST:
        if head.startswith(b"#!") and (loose or not form):
            return shebang(head) or form or shape(head)
        if first != 35:
            proved = opening(head)
            if proved and proved != form:
                settled = _contradiction(form, proved, loose)
                if settled:
                    return settled
    elif first in b" \t\r\n" and (loose or form not in _MARKUP):
        proved = opening(head)
        if proved and proved != form:
            settled = _contradiction(form, proved, loose)
            if settled:
                return settled
    if form in _PROSE and LOG.match(head[:400]) and shape(head) == "log":
        return "log"
    if form and not loose and form not in BINARY_OBJECTS:
        return form
    return _loose(form if form not in BINARY_OBJECTS else "", head)


def _contradiction(form: str, proved: str, loose: bool) -> str:
    """Return which of name and first characters stands; empty when the name does."""
    if not form or loose:
        if form == "log" and proved in ("json", "jsonl"):
            return "log"
        if form == "env" and proved == "json":
            return "json"
        return proved
    if proved == "pem":
        return "" if form in _PROSE or form in ("yaml", "python", "go", "javascript") else "pem"
    if proved in ("html", "xml", "php"):
        return "" if form in _MARKUP or form in ("generic", "text", "rst", "css", "javascript") else proved
    if proved == "notebook":
        return proved
    if proved in ("json", "jsonl"):
        if form == "json":
            return proved
        return "" if form in _BRACED or form in _MARKUP else proved
    return ""


_SECTION = re.compile(rb"(?m)^\[[A-Z][\w \-]{1,40}\]")


def _loose(form: str, head: bytes) -> str:
    """Settle a name that says little: the shape of the lines decides, the name breaks the tie."""
    if form == "generic":
        return form
    seen = shape(head)
    if not form:
        return seen
    if form == "systemd" and _SECTION.search(head) is None:
        return seen  # `go.work.container`, `release.target`: units have sections
    if seen in ("text", "generic") or (form == "ini" and seen in ("properties", "env", "yaml")):
        return form
    if form == "properties" and seen in ("markdown", "yaml"):
        return form
    if form in ("xml", "pem", "model", "html", "typescript", "css", "env", "dockerfile", "crontab", "makefile"):
        return form
    if form == "log":
        return seen if seen in ("python", "pem", "sql", "diff", "csv", "tsv", "interchange") else form
    if form in ("gettext", "systemd", "interchange") and seen in ("properties", "ini", "env", "yaml", "nginx"):
        return form
    return seen
