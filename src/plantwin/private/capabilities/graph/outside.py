"""What comes from outside the folder: packages that an input imports, apart from what the language brings along."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable

from plantwin.private.capabilities.common.definitions import outline
from plantwin.private.capabilities.common.source import source
from plantwin.private.capabilities.job import Input
from plantwin.private.extract.formats.words import words

_NODE = words(
    "assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain "
    "events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl "
    "stream string_decoder test timers tls trace_events tty url util v8 vm wasi worker_threads zlib"
)
_SCRIPTS = frozenset(("javascript", "jsx", "typescript", "tsx", "vue", "svelte"))
_CLASS = re.compile(r"[A-Z]\w*")


def packages(given: Input, names: Iterable[str]) -> list[str]:
    """The packages that an input imports. `names`: paths of the folder, by which its own modules are known."""
    each = source(given)
    if each.binary:
        return []
    own = {part for name in names for part in _parts(name)}
    found: set[str] = set()
    for imported in outline(each.format, each.text).imports:
        package = _package(each.format, imported.strip())
        if package and package.split("/")[0].split(".")[0] not in own:
            found.add(package)
    return sorted(found)


def _parts(name: str) -> Iterable[str]:
    """Names by which modules of the folder are imported: its upper folders and the file itself."""
    pieces = name.split("/")
    yield pieces[-1].partition(".")[0]
    yield from pieces[:-1][:3]


def _package(format: str, imported: str) -> str:
    if not imported or imported[0] in "./<\"'$~#":
        return ""
    if format == "python":
        top = imported.partition(".")[0]
        return "" if top in sys.stdlib_module_names else top
    if format in _SCRIPTS:
        if imported.startswith(("node:", "@/")):
            return ""
        parts = imported.split("/")
        name = "/".join(parts[:2]) if imported.startswith("@") else parts[0]
        return "" if name in _NODE else name
    if format == "go":
        parts = imported.split("/")
        return "/".join(parts[:3]) if "." in parts[0] else ""
    if format in ("java", "kotlin", "scala"):
        words = imported.split(".")
        if words[0] in ("java", "javax", "kotlin", "scala", "jdk", "sun"):
            return ""
        return ".".join([word for word in words if not _CLASS.match(word)][:3])
    if format == "rust":
        top = imported.partition("::")[0]
        return "" if top in ("std", "core", "alloc", "crate", "self", "super") else top
    if format == "csharp":
        return "" if imported.startswith("System") else ".".join(imported.split(".")[:2])
    if format == "ruby":
        return imported.partition("/")[0]
    return ""
