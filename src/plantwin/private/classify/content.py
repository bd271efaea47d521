"""What the first bytes of a file say: magic numbers, encodings, interpreters, markup."""

from __future__ import annotations

import re

from plantwin.private.classify.file_names import INTERPRETERS, OPAQUE
from plantwin.private.classify.lexicon import Lexicon

LOOK = 8192
"""Most bytes of the head that the rules read."""

LEXICON = Lexicon("line_shapes")
_MAGIC: list[tuple[bytes, str]] = [
    (prefix.encode("latin-1"), form) for form, prefixes in LEXICON.tables["magic"].items() for prefix in prefixes
]
_MAGIC_FIRST = frozenset(magic[0] for magic, _ in _MAGIC)
_CONTROL = bytes(b for b in range(32) if b not in (9, 10, 11, 12, 13, 27))
_ELEMENT = re.compile(rb"<([A-Za-z_][\w.:-]{0,60})[\s>]")
_HTML = frozenset(
    (b"div", b"p", b"span", b"table", b"section", b"article", b"ul", b"ol", b"nav", b"main", b"form", b"h1")
)
_JSON_OPEN = LEXICON.bytes_pattern("json_open")
SECTION = LEXICON.bytes_pattern("section")


def magic(head: bytes) -> str:
    """Return the format that a magic number announces, or nothing."""
    if head[:1] and head[0] in _MAGIC_FIRST:
        for prefix, form in _MAGIC:
            if head.startswith(prefix):
                return form
    if head[4:8] == b"ftyp" or (head[:4] == b"RIFF" and head[8:12] in (b"WAVE", b"WEBP", b"AVI ")):
        return OPAQUE
    return ""


def wide(head: bytes) -> str:
    """Return the codec of UTF-16 or UTF-32 text, by its mark or by where its zero bytes fall."""
    if head.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return "utf-32"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    part = head[:512]
    if len(part) < 16 or 0 not in part:
        return ""
    even, odd = part[0::2].count(0), part[1::2].count(0)
    half = len(part) // 2
    if odd > half * 0.8 and even <= half * 0.05:
        return "utf-16-le"
    if even > half * 0.8 and odd <= half * 0.05:
        return "utf-16-be"
    return ""


def narrow(data: bytes, codec: str) -> bytes:
    """Return text of a wide encoding as UTF-8; what does not decode is replaced."""
    width = 4 if codec == "utf-32" else 2
    text = data[: len(data) - len(data) % width].decode(codec, "replace")
    return text.removeprefix("\ufeff").encode("utf-8", "replace")


def binary(head: bytes) -> bool:
    """Return whether the bytes are no text in any encoding that is read here."""
    part = head[:1024]
    if 0 in part:
        return True
    return bool(part) and len(part) - len(part.translate(None, _CONTROL)) > len(part) // 20


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
