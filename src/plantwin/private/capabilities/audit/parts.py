"""How each language puts values into strings: concatenation, interpolation, format functions."""

from __future__ import annotations

import re

_STRING = re.compile(rb"\"[^\"]{0,1500}\"|'[^']{0,1500}'|`[^`]{0,1500}`")
_JOIN = re.compile(rb"(?:[\"'`]\s*\+\s*|\+\s*)([$@A-Za-z_(][\w.$\[\]()>:\-]{0,120})|([\w.$\])]{1,120})\s*\+\s*[\"'`]")
_DOT = re.compile(rb"[\"']\s*\.\s*(\$\w[\w\[\]>\-'\"$]{0,120}|\w+\()|(\$\w[\w\[\]>\-'\"$]{0,120})\s*\.\s*[\"']")
_TEMPLATE = re.compile(rb"\$\{([^{}]{1,300})\}")
_DOLLAR = re.compile(rb"\$([A-Za-z_]\w{0,80})")
_RUBY = re.compile(rb"#\{([^{}]{1,300})\}")
_PHP = re.compile(rb"\{?(\$[A-Za-z_]\w{0,80}(?:\[[^\]]{0,60}\]|->\w{1,60})?)")
_BRACED = re.compile(rb"\{([A-Za-z_][^{}\"]{0,200})\}")


def _joined(code: bytes) -> list[bytes]:
    if b"+" not in code or not any(mark in code for mark in (b'"', b"'", b"`")):
        return []
    return [match[1] or match[2] for match in _JOIN.finditer(code)]


def _between(pattern: re.Pattern[bytes], full: bytes, quotes: bytes) -> list[bytes]:
    return [
        match[1] for token in _STRING.finditer(full) if token[0][0] in quotes for match in pattern.finditer(token[0])
    ]


def script(code: bytes, full: bytes) -> list[bytes]:
    """JavaScript: `+` and template literals."""
    return _joined(code) + _between(_TEMPLATE, full, b"`")


def java(code: bytes, full: bytes) -> list[bytes]:
    """Java and Kotlin: `+`, String.format, `.formatted`, Kotlin's `$name`."""
    parts = _joined(code)
    if b"String.format(" in code or b".formatted(" in code or b"MessageFormat.format(" in code:
        tail = code.partition(b"format")[2].partition(b",")[2]
        parts += [tail] if re.search(rb"[A-Za-z_]\w*", tail) and b"%" in full else []
    return parts + _between(_TEMPLATE, full, b'"')


def golang(code: bytes, full: bytes) -> list[bytes]:
    """Go: `+` and fmt.Sprintf with a verb for text."""
    parts = _joined(code)
    if b"Sprintf(" in code and re.search(rb"%[sv+q]", full):
        tail = code.partition(b"Sprintf(")[2].partition(b",")[2]
        parts += [tail] if tail.strip() else []
    return parts


def ruby(code: bytes, full: bytes) -> list[bytes]:
    """Ruby: `#{}` and `+`."""
    return _joined(code) + _between(_RUBY, full, b'"`')


def php(code: bytes, full: bytes) -> list[bytes]:
    """PHP: `.`, variables inside double quotes, sprintf."""
    parts = [match[1] or match[2] for match in _DOT.finditer(code)]
    parts += _between(_PHP, full, b'"')
    if b"sprintf(" in code and b"%s" in full:
        parts += re.findall(rb"\$\w+", code.partition(b"sprintf(")[2].partition(b",")[2])
    return parts


def csharp(code: bytes, full: bytes) -> list[bytes]:
    """C#: `+`, `$"{}"`, string.Format."""
    parts = _joined(code)
    if b'$"' in full or b'$@"' in full or b'@$"' in full:
        parts += _between(_BRACED, full, b'"')
    if re.search(rb"[sS]tring\.Format\(", code) and b"{0" in full:
        tail = code.partition(b"ormat(")[2].partition(b",")[2]
        parts += [tail] if tail.strip() else []
    return parts


def rust(code: bytes, full: bytes) -> list[bytes]:
    """Rust: format! with arguments or names in braces, `+ &name`."""
    parts = [match[1] or match[2] for match in re.finditer(rb"\"\s*\+\s*&?(\w[\w.]*)|(\w[\w.]*)\s*\+\s*&?\"", code)]
    if b"format!(" in code:
        tail = code.partition(b"format!(")[2].partition(b",")[2]
        parts += [tail] if tail.strip(b" )\n\t") and b"{" in full else []
        parts += _between(re.compile(rb"\{([A-Za-z_]\w{0,80})(?::[^{}]*)?\}"), full, b'"')
    return parts


def shell(code: bytes, full: bytes) -> list[bytes]:
    """Shell: variables."""
    return _DOLLAR.findall(full) + _TEMPLATE.findall(full)


def braces(code: bytes, full: bytes) -> list[bytes]:
    """C and C++: `+` of std::string."""
    return _joined(code)
