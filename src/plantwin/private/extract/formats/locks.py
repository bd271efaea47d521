"""Lock files by lines: yarn.lock, go.sum, Gemfile.lock, Cargo.lock, poetry.lock, uv.lock, mix.lock and their kin."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.draft import MAX_PINS, Draft
from plantwin.private.extract.formats.text import LIMIT, head_text
from plantwin.private.facts import Sample

_ENTRY = re.compile(
    r"^(?:\"?(?P<yarn>@?[\w./-]{1,120})@[^\n]{1,400}:\n\s{1,8}version:?[ ]\"?(?P<yarn_version>[^\"\n]{1,60})"
    r"|(?P<go>[\w.~/-]{3,200}) (?P<go_version>v[^\s/]{1,80}) h1:"
    r"|    (?P<gem>[\w.-]{1,100}) \((?P<gem_version>\d[^()\n]{0,60})\)$"
    r"|\[\[package\]\]\nname = \"(?P<toml>[^\"\n]{1,120})\"\nversion = \"(?P<toml_version>[^\"\n]{1,60})\""
    r"|\s{0,4}\"(?P<mix>[\w-]{1,100})\": \{:hex, :\w{1,100}, \"(?P<mix_version>[^\"\n]{1,60})\")",
    re.MULTILINE,
)


def read_lock(sample: Sample, draft: Draft) -> None:
    """Resolved packages with their versions; trees go to their own readers."""
    text = head_text(sample, LIMIT)
    start = text.lstrip()[:1]
    if start == "{" or (start and text.startswith(("lockfileVersion", "dependencies:"))):
        from plantwin.private.extract.formats.trees import read_json, read_yaml

        (read_json if start == "{" else read_yaml)(sample, draft)
        return
    pins = draft.outline.pins
    for match in _ENTRY.finditer(text):
        draft.add("locked")
        kind = next((name for name in ("yarn", "go", "gem", "toml", "mix") if match[name]), "")
        if kind and len(pins) < MAX_PINS:
            pins.append((match[kind], match[f"{kind}_version"]))
    draft.outline.parsed = "locked" in draft.features
