"""Marks in names that tell one variant from another: environment, version, age, date, language.

`config.staging.yml` is `config.*.yml` marked staging; `api/v1/users.py` is `api/*/users.py` marked 1.
Objects that differ in such a mark only belong together.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from plantwin.private.relate.places import below
from plantwin.private.relate.tables import Tables

ENVIRONMENTS = {
    "production": 0, "prod": 0, "prd": 0, "live": 0, "preprod": 1, "preproduction": 1, "staging": 2,
    "stage": 2, "stg": 2, "uat": 3, "qa": 4, "test": 5, "testing": 5, "sandbox": 6, "demo": 6, "ci": 7,
    "integration": 7, "int": 7,
    "development": 8, "develop": 8, "dev": 8, "local": 9,
}  # fmt: skip
"""Environment word to its distance from production."""
AGES = {
    "old": -2, "legacy": -2, "deprecated": -2, "backup": -2, "bak": -2, "orig": -2, "original": -2, "previous": -2,
    "prev": -2, "archive": -2, "archived": -2, "obsolete": -2, "draft": -1, "copy": -1, "new": 1, "latest": 1,
    "current": 1, "final": 2,
}  # fmt: skip
"""Word of age: below zero is older than the file without it."""
_LEADING = frozenset({"old", "legacy", "deprecated", "obsolete"})
"""Words of age that mark a file wherever they stand in its name; others start or name what a file does."""
LOCALE_FOLDERS = frozenset(
    {"locales", "locale", "i18n", "lang", "langs", "languages", "translations", "messages", "l10n", "_locales"}
)

_WORDS = "|".join(sorted({*ENVIRONMENTS, *AGES}, key=lambda word: (-len(word), word)))
_MARK = re.compile(
    rf"(?:(?<=[._ -])|^)(?:(?P<word>{_WORDS})|v(?P<version>[0-9]{{1,4}}(?:[._][0-9]{{1,4}}){{0,2}})"
    r"|(?P<date>(?:19|20)[0-9]{2}(?:[._-]?(?:0[1-9]|1[0-2])(?:[._-]?(?:[0-2][0-9]|3[01]))?|[._-]?q[1-4])?))"
    r"(?=[._ -]|$)"
)
_LOCALE = re.compile(r"(?:^|[._-])([a-z]{2}(?:[-_](?:[a-z]{2}|[a-z]{4}))?)$", re.IGNORECASE)
_ROTATED = re.compile(r"\.([0-9]{1,4})$")
_DIGITS = re.compile(r"[0-9]+")
_CONFIGURED = frozenset({"config", "secret_container"})
_DECLARED = frozenset({"hcl", "yaml", "json", "toml", "ini", "properties", "env"})
LONGEST = 255


class Mark(NamedTuple):
    """One variant's mark: what kind, the group that differs in it only, the path without it, and its rank."""

    kind: str
    group: str
    base: str
    rank: tuple[int, ...]


class Marks:
    """Reads marks of files; what a folder's name says is read once for the folder."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._folders: dict[str, tuple[str, str, tuple[int, ...]] | None] = {}

    def __call__(self, position: int) -> Mark | None:
        """The mark of a file's name, or else that of a folder it is in."""
        tables = self._tables
        name, folder = tables.names[position], tables.folders[position]
        mark = self._name(position, name, folder)
        if mark is not None:
            return mark
        if folder not in self._folders:
            self._folders[folder] = _of_folder(folder)
        known = self._folders[folder]
        if known is None:
            return None
        kind, starred, rank = known
        if kind == "environment" and not self._has_settings(position):
            return None
        base = below(starred.replace("*/", "", 1).removesuffix("/*").removesuffix("*"), name) if kind == "age" else ""
        return Mark(kind, f"{starred}/{name}", base, rank)

    def _name(self, position: int, name: str, folder: str) -> Mark | None:
        lower = name.lower()
        if len(lower) > LONGEST:
            return None
        found = _MARK.search(lower)
        while found is not None:
            kind, rank = _read(found)
            if self._marks(position, kind, found):
                # The marked word goes together with one separator beside it.
                before, after = name[: found.start()], name[found.end() :]
                plain = before[:-1] + after if before else after[1:]
                return Mark(kind, below(folder, f"{before}*{after}"), below(folder, plain), rank)
            found = _MARK.search(lower, found.end())
        if self._tables.facts[position].kind == "log_stream":
            rotated = _ROTATED.search(lower)
            if rotated is not None:
                base = below(folder, name[: rotated.start()])
                return Mark("rotation", base, base, (int(rotated[1]),))
        if (
            folder.rpartition("/")[2].lower() in LOCALE_FOLDERS
            or self._tables.semantic_class(position) == "localization"
        ):
            extension = self._tables.extensions[position]
            locale = _LOCALE.search(self._tables.stem(position))
            if locale is not None:
                group = below(folder, f"{name[: locale.start(1)]}*.{extension}")
                return Mark("language", group, "", (locale[1].lower() != "en",))
        return None

    def _marks(self, position: int, kind: str, found: re.Match[str]) -> bool:
        """Whether such a word, at its place in such a file, tells variants apart."""
        if kind == "environment":
            return self._has_settings(position)
        if kind == "date":
            return self._tables.facts[position].kind != "code_file" or self._tables.extensions[position] == "sql"
        if kind == "age":
            ends = found.end() == len(self._tables.stem(position)) or found.end() == len(found.string)
            return found["word"] in _LEADING or (ends and found.start() > 0)
        return True

    def _has_settings(self, position: int) -> bool:
        facts = self._tables.facts[position]
        return (
            facts.kind in _CONFIGURED or (facts.kind != "code_file" and bool(facts.settings)) or facts.format == "hcl"
        )


def _read(found: re.Match[str]) -> tuple[str, tuple[int, ...]]:
    word = found["word"]
    if word is not None:
        return ("environment", (ENVIRONMENTS[word],)) if word in ENVIRONMENTS else ("age", (AGES[word],))
    kind = "version" if found["version"] is not None else "date"
    digits = _DIGITS.findall(found[kind])
    if kind == "date":
        text = "".join(digits)
        return kind, tuple(int(part) for part in (text[:4], text[4:6], text[6:8]) if part)
    return kind, tuple(int(part) for part in digits)


def _of_folder(folder: str) -> tuple[str, str, tuple[int, ...]] | None:
    """The last marked folder on the way, with a star in its place."""
    parts = folder.split("/")
    for place in range(len(parts) - 1, max(-1, len(parts) - 9), -1):
        part = parts[place].lower()
        starred = "/".join([*parts[:place], "*", *parts[place + 1 :]])
        found = _MARK.fullmatch(part) if len(part) <= LONGEST else None
        if found is not None:
            return _read(found)[0], starred, _read(found)[1]
        if place and parts[place - 1].lower() in LOCALE_FOLDERS and _LOCALE.fullmatch(part):
            return "language", starred, (part != "en",)
    return None
