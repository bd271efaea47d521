"""Which format a file name announces: exact names, name beginnings and extensions, from `file_names.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

OPAQUE = "opaque"
"""The format of archives, images, programs and the like, which are no objects."""


def _by_name(names: Mapping[str, str]) -> dict[str, str]:
    return {name: form for form, listed in names.items() for name in listed.split()}


_tables = json.loads(Path(__file__).with_suffix(".json").read_bytes())
NAMES = _by_name(_tables["names"])
PREFIXES = tuple(_by_name(_tables["prefixes"]).items())
EXTENSIONS = _by_name(_tables["extensions"])
INTERPRETERS = _by_name(_tables["interpreters"])
WRAPPERS = frozenset(_tables["wrappers"].split())
UNDECIDED = frozenset(_tables["undecided"].split())
