"""Paths in the spellings of frameworks, brought into one."""

from __future__ import annotations

import re

_ANGLE = re.compile(r"<(?:(\w{1,40})(?:\([^)>]{0,80}\))?:)?(\w{1,80})>")
_COLON = re.compile(r"(?<=/):(\w{1,80})(?:\([^)]{0,80}\))?\??")
_GROUP = re.compile(r"\(\?P<(\w{1,80})>[^()]{0,120}(?:\([^()]{0,80}\)[^()]{0,60})?\)")
_BRACE = re.compile(r"\{\*?(\w{1,80})(?::[^{}]{0,80})?\??(?:\.\.\.)?\}")
_FILLED = re.compile(r"\$\{[^{}]{0,200}\}|#\{[^{}]{0,200}\}")
_TYPES = {"int": "integer", "float": "number", "uuid": "string", "string": "string", "str": "string", "slug": "string"}


def unified(path: str) -> tuple[str, dict[str, str]]:
    """A path with `{name}` for each parameter, and the types that it states."""
    kinds: dict[str, str] = {}

    def angle(match: re.Match[str]) -> str:
        if match[1] in _TYPES:
            kinds[match[2]] = _TYPES[match[1]]
        return f"{{{match[2]}}}"

    path = _GROUP.sub(r"{\1}", path.strip().lstrip("^").removesuffix("$"))
    path = _ANGLE.sub(angle, path)
    path = _FILLED.sub("{value}", path)
    path = _COLON.sub(r"{\1}", path)
    path = _BRACE.sub(r"{\1}", path)
    path = path.split("?", 1)[0].split("#", 1)[0]
    path = "/" + re.sub(r"/{2,}", "/", path).strip("/")
    return path, kinds


def shape(path: str) -> str:
    """A path whose parameters have no names."""
    return re.sub(r"\{[^{}/]{0,120}\}", "{}", path.rstrip("/") or "/")


def joined(*parts: str) -> str:
    """Prefixes and a path as one."""
    return "/" + "/".join(part.strip("/") for part in parts if part.strip("/"))
