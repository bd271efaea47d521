"""Outlines of everything that is not code: one reader per format or family of formats.

`outline_format` never raises and looks at a bounded part of the sample, in time linear in that part.
Readers are imported when a file of their format is first met.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.text import count_lines
from plantwin.private.facts import Outline, Sample

Reader = Callable[[Sample, Draft], None]
"""Fills the draft from the sample."""

_READERS: dict[str, str] = {
    "apache": "server.read_server",
    "asciidoc": "markup.read_asciidoc",
    "bibtex": "markup.read_bibtex",
    "cmake": "builds.read_cmake",
    "crontab": "crontab.read_crontab",
    "csv": "tables.read_csv",
    "diff": "diff.read_diff",
    "dockerfile": "dockerfile.read_dockerfile",
    "editorconfig": "ini.read_ini",
    "env": "assignments.read_env",
    "gemfile": "packages.read_gemfile",
    "gettext": "catalogs.read_gettext",
    "gitignore": "patterns.read_patterns",
    "gomod": "packages.read_gomod",
    "gradle": "builds.read_gradle",
    "graphql": "contracts.read_graphql",
    "ini": "ini.read_ini",
    "jenkinsfile": "builds.read_jenkinsfile",
    "jinja": "prose.read_text",
    "json": "trees.read_json",
    "jsonl": "tables.read_jsonl",
    "latex": "markup.read_latex",
    "license": "prose.read_text",
    "lock": "locks.read_lock",
    "log": "logs.read_log",
    "makefile": "builds.read_makefile",
    "markdown": "markdown.read_markdown",
    "nginx": "server.read_server",
    "notebook": "notebook.read_notebook",
    "patch": "diff.read_diff",
    "pem": "pem.read_pem",
    "procfile": "builds.read_procfile",
    "properties": "assignments.read_properties",
    "proto": "contracts.read_proto",
    "requirements": "packages.read_requirements",
    "rst": "markup.read_rst",
    "security_rules": "detections.read_rules",
    "systemd": "ini.read_ini",
    "template": "prose.read_text",
    "text": "prose.read_text",
    "toml": "trees.read_toml",
    "tsv": "tables.read_csv",
    "xml": "xml.read_xml",
    "yaml": "trees.read_yaml",
}

FORMATS: frozenset[str] = frozenset(_READERS)

_loaded: dict[str, Reader] = {}


def _reader(format: str) -> Reader:
    reader = _loaded.get(format)
    if reader is None:
        module, _, function = _READERS.get(format, _READERS["text"]).partition(".")
        reader = getattr(import_module(f"{__name__}.{module}"), function)
        _loaded[format] = reader
    return reader


def outline_format(format: str, sample: Sample) -> Outline:
    """What a file of this format holds. Formats that are not known read as plain text."""
    draft = Draft(format, sample)
    try:
        _reader(format)(sample, draft)
    except (ValueError, RecursionError, ArithmeticError, LookupError, TypeError, AttributeError):
        # Hostile content may surprise a reader; what it found until then stands, and it says so.
        draft.outline.parsed = False
    lines = count_lines(sample.head) + sum(map(count_lines, sample.windows))
    return draft.finish(lines)
