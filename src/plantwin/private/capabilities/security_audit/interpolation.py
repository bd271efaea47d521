"""Find the values that an expression puts into a string: concatenation, interpolation, format functions.

Every function gets an expression as code (insides of strings blank) and with its strings, and returns the parts that
are not literal.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from plantwin.private.formats.source_views import Views

_STRING = re.compile(rb"\"[^\"]{0,1500}\"|'[^']{0,1500}'|`[^`]{0,1500}`")
_PLUS = re.compile(rb"(?:[\"'`]\s*\+\s*|\+\s*)([$@A-Za-z_(][\w.$\[\]()>:\-]{0,120})|([\w.$\])]{1,120})\s*\+\s*[\"'`]")
_DOT = re.compile(rb"[\"']\s*\.\s*(\$\w[\w\[\]>\-'\"$]{0,120}|\w+\()|(\$\w[\w\[\]>\-'\"$]{0,120})\s*\.\s*[\"']")
_DOLLAR_BRACES = re.compile(rb"\$\{([^{}]{1,300})\}")
_DOLLAR = re.compile(rb"\$([A-Za-z_]\w{0,80})")
_HASH_BRACES = re.compile(rb"#\{([^{}]{1,300})\}")
_PHP = re.compile(rb"\{?(\$[A-Za-z_]\w{0,80}(?:\[[^\]]{0,60}\]|->\w{1,60})?)")
_BRACES = re.compile(rb"\{([A-Za-z_][^{}\"]{0,200})\}")
_RUST_PLUS = re.compile(rb"\"\s*\+\s*&?(\w[\w.]*)|(\w[\w.]*)\s*\+\s*&?\"")
_RUST_BRACES = re.compile(rb"\{([A-Za-z_]\w{0,80})(?::[^{}]*)?\}")


def concatenation(code: bytes, full: bytes) -> list[bytes]:
    """Return what `+` joins with a string."""
    if b"+" not in code or not any(mark in code for mark in (b'"', b"'", b"`")):
        return []
    return [match[1] or match[2] for match in _PLUS.finditer(code)]


def _inside(pattern: re.Pattern[bytes], full: bytes, quotes: bytes) -> list[bytes]:
    return [
        match[1] for token in _STRING.finditer(full) if token[0][0] in quotes for match in pattern.finditer(token[0])
    ]


def _format_arguments(code: bytes, call: bytes) -> list[bytes]:
    """Return the arguments behind the format of a call, as one part."""
    rest = code.partition(call)[2].partition(b",")[2]
    return [rest] if rest.strip() else []


def _javascript(code: bytes, full: bytes) -> list[bytes]:
    return concatenation(code, full) + _inside(_DOLLAR_BRACES, full, b"`")


def _java(code: bytes, full: bytes) -> list[bytes]:
    parts = concatenation(code, full)
    if any(call in code for call in (b"String.format(", b".formatted(", b"MessageFormat.format(")) and b"%" in full:
        parts += [rest for rest in _format_arguments(code, b"format") if re.search(rb"[A-Za-z_]\w*", rest)]
    return parts + _inside(_DOLLAR_BRACES, full, b'"')


def _go(code: bytes, full: bytes) -> list[bytes]:
    parts = concatenation(code, full)
    if b"Sprintf(" in code and re.search(rb"%[sv+q]", full):
        parts += _format_arguments(code, b"Sprintf(")
    return parts


def _ruby(code: bytes, full: bytes) -> list[bytes]:
    return concatenation(code, full) + _inside(_HASH_BRACES, full, b'"`')


def _php(code: bytes, full: bytes) -> list[bytes]:
    parts = [match[1] or match[2] for match in _DOT.finditer(code)]
    parts += _inside(_PHP, full, b'"')
    if b"sprintf(" in code and b"%s" in full:
        parts += re.findall(rb"\$\w+", code.partition(b"sprintf(")[2].partition(b",")[2])
    return parts


def _csharp(code: bytes, full: bytes) -> list[bytes]:
    parts = concatenation(code, full)
    if b'$"' in full or b'$@"' in full or b'@$"' in full:
        parts += _inside(_BRACES, full, b'"')
    if re.search(rb"[sS]tring\.Format\(", code) and b"{0" in full:
        parts += _format_arguments(code, b"ormat(")
    return parts


def _rust(code: bytes, full: bytes) -> list[bytes]:
    parts = [match[1] or match[2] for match in _RUST_PLUS.finditer(code)]
    if b"format!(" in code:
        parts += [rest for rest in _format_arguments(code, b"format!(") if rest.strip(b" )\n\t") and b"{" in full]
        parts += _inside(_RUST_BRACES, full, b'"')
    return parts


def _python(code: bytes, full: bytes) -> list[bytes]:
    parts = concatenation(code, full)
    if re.search(rb"[\"']\s*%\s*[(\w]", code):
        parts.append(re.split(rb"[\"']\s*%", code)[-1])
    if b".format(" in code:
        parts.append(code.partition(b".format(")[2])
    if re.search(rb"\bf[\"']", code):
        parts += re.findall(rb"\{([A-Za-z_][^{}]{0,100})\}", full)
    return parts


def _shell(code: bytes, full: bytes) -> list[bytes]:
    return _DOLLAR.findall(full) + _DOLLAR_BRACES.findall(full)


Interpolation = Callable[[bytes, bytes], list[bytes]]
INTERPOLATIONS: dict[str, Interpolation] = {
    "concatenation": concatenation,
    "javascript": _javascript,
    "java": _java,
    "go": _go,
    "ruby": _ruby,
    "php": _php,
    "csharp": _csharp,
    "rust": _rust,
    "python": _python,
    "shell": _shell,
}

_MARKS = re.compile(rb"[()\[\]{},;\n]")
_GOES_ON = re.compile(rb"(?:[+.,(\[{?:|&=%]|\|\||&&|\bconcat)\s*$")
_STARTS_ON = re.compile(rb"\s*(?:[+.?:|&]|\)|%s)")
LONGEST_VALUE = 1200


def first_argument(code: bytes) -> bytes:
    """Return the text up to the first comma that stands outside of brackets."""
    depth = 0
    for match in _MARKS.finditer(code):
        if match[0] in b"([{":
            depth += 1
        elif match[0] in b")]}":
            depth -= 1
        elif match[0] == b"," and depth == 0:
            return code[: match.start()]
    return code


def value_at(source: Views, start: int) -> tuple[bytes, bytes]:
    """Return the value of an assignment: to the end of its statement, over a few lines where it goes on."""
    end = limit = min(len(source.code), start + LONGEST_VALUE)
    depth = 0
    for match in _MARKS.finditer(source.code, start, limit):
        mark, offset = match[0], match.start()
        if mark in b"([{":
            depth += 1
        elif mark in b")]}":
            depth -= 1
            if depth < 0:
                end = offset
                break
        elif depth == 0 and mark != b"," and (mark == b";" or not _continues(source, start, offset)):
            end = offset
            break
    return source.code[start:end], source.full[start:end]


def _continues(source: Views, start: int, end: int) -> bool:
    """Whether the statement goes on behind the end of this line."""
    inside = source.full.count(b"`", start, end) % 2
    before, after = source.code[max(start, end - 20) : end], source.code[end + 1 : end + 80]
    return bool(inside or _GOES_ON.search(before) or _STARTS_ON.match(after))
