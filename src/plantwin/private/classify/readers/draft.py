"""An outline in the making: bounded, deduplicated, in the order of the file."""

from __future__ import annotations

import re

from plantwin.private.facts import Outline, Provision, Reference, Sample
from plantwin.private.formats.values import strings

MAX_NAMES = 200
MAX_HEADINGS = 60
MAX_SETTINGS = 300
MAX_PINS = 300
MAX_REFERENCES = 80
MAX_PROVIDES = 60

_NAME = 100
_TARGET = 300
_VALUE = 500

_UNREAL = re.compile(r"[\x00-\x1f<>|*?\"'`$%(){}\[\]\\]|^[a-zA-Z][\w+.-]*:|^(?://|~|#|@|mailto:)")


def local_path(target: str) -> str:
    """Return a relative path as written, or nothing where it is a URL, a variable, a pattern or absolute."""
    target = target.strip()
    if not target or len(target) > _TARGET or target.startswith("/") or _UNREAL.search(target):
        return ""
    return target if target.strip("./") else ""


class Draft:
    """Collects what a reader finds; `finish` turns it into the outline."""

    __slots__ = ("_names", "_references", "features", "outline", "sample")

    def __init__(self, format: str, sample: Sample) -> None:
        self.sample = sample
        self.outline = Outline(format)
        self.features = self.outline.features
        self._names: set[str] = set()
        self._references: set[tuple[str, str]] = set()

    @property
    def path(self) -> str:
        """Where the file is: only for references that depend on its place."""
        return self.sample.path

    def add(self, feature: str, count: int = 1) -> None:
        """Count a feature."""
        if count > 0:
            self.features[feature] = self.features.get(feature, 0) + count

    def name(self, name: object) -> None:
        """Keep a defined name."""
        names = self.outline.names
        if type(name) is str and 0 < len(name) <= _NAME and len(names) < MAX_NAMES and name not in self._names:
            self._names.add(name)
            names.append(name)

    def call(self, name: str) -> None:
        """Keep an imported or called name."""
        calls = self.outline.calls
        if 0 < len(name) <= _NAME and len(calls) < MAX_NAMES and name not in calls:
            calls.append(name)

    def heading(self, text: str) -> None:
        """Keep a heading."""
        if text and len(self.outline.headings) < MAX_HEADINGS:
            self.outline.headings.append(text[:_NAME])

    def refer(self, how: str, target: object, reason: str) -> None:
        """Keep a reference, once."""
        references = self.outline.references
        if type(target) is not str or not 0 < len(target) <= _TARGET or len(references) >= MAX_REFERENCES:
            return
        if (how, target) not in self._references:
            self._references.add((how, target))
            references.append(Reference(how, target, reason))

    def refer_path(self, target: object, reason: str, how: str = "path") -> None:
        """Keep a reference to a local file, where that is what it is."""
        if type(target) is str:
            self.refer(how, local_path(target), reason)

    def provide(self, how: str, name: object) -> None:
        """Keep a name that others may refer to."""
        provides = self.outline.provides
        if type(name) is str and 0 < len(name) <= _TARGET and len(provides) < MAX_PROVIDES:
            provision = Provision(how, name)
            if provision not in provides:
                provides.append(provision)

    def setting(self, key: str, value: str) -> None:
        """Keep a setting."""
        if len(self.outline.settings) < MAX_SETTINGS and 0 < len(key) <= _TARGET:
            self.outline.settings.append((key, value[:_VALUE]))

    def pin(self, package: str, constraint: str) -> None:
        """Keep a package with its constraint, and count whether that leaves the version open."""
        package, constraint = package.strip(), constraint.strip()
        if not package or len(package) > _NAME:
            return
        self.add("dependency")
        self.add("pinned" if exact(constraint) else "unpinned")
        if len(self.outline.pins) < MAX_PINS:
            self.outline.pins.append((package, constraint[:_NAME]))

    def lock(self, package: str, version: str) -> None:
        """Keep a package with the version that a tool resolved."""
        self.add("locked")
        if package and len(self.outline.pins) < MAX_PINS:
            self.outline.pins.append((package[:_NAME], version[:_NAME]))

    def finish(self, lines: int) -> Outline:
        """Return the outline."""
        self.outline.lines = lines
        return self.outline


_EXACT = re.compile(r"={0,3}\s*v?\d[\w.+!-]*$")


def exact(constraint: str) -> bool:
    """Return whether a constraint admits one version only (or one content hash)."""
    return bool(_EXACT.match(constraint)) and not constraint.endswith((".x", ".*"))


_SCRIPT = re.compile(
    r"(?:^|[\s;&|(\"'=])(?:(?:bash|sh|zsh|python3?|node|ruby|pwsh|source|\.)\s+)?"
    r"((?:\./|[\w-]{1,60}/)(?:[\w.-]{1,80}/){0,8}[\w.-]{1,80}\.(?:sh|bash|py|js|mjs|ts|rb|ps1|pl)|\./[\w./-]{1,120})"
)
_MODULE = re.compile(r"\bpython3?\s+-m\s+([a-z_][\w.]{1,80})")
_FILE = re.compile(
    r"\s(?:-f|--file|-r|--requirement|--config|-c)[ =]((?:[\w.-]{1,80}/){0,8}[\w.-]{1,80}\.\w{1,10})(?=\s|$)"
)


def script(draft: Draft, value: object, how: str = "shell") -> None:
    """Read local scripts and files that a command line calls."""
    for text in strings(value)[:200]:
        text = text[:20_000]
        for match in _SCRIPT.finditer(text):
            draft.refer(how, match[1], "runs")
        for match in _FILE.finditer(text):
            draft.refer_path(match[1], "configures", "path" if how == "path" else "root_path")
        for match in _MODULE.finditer(text):
            draft.refer("python", match[1], "runs")


def image(draft: Draft, value: object) -> None:
    """Count an image, whether its version is open, and what built it if that is here."""
    if type(value) is not str or not value or len(value) > 300 or any(mark in value for mark in " \n{"):
        return
    draft.add("image_ref")
    if "$" in value:
        return
    name, at, _ = value.partition("@")
    base, _, tag = name.rpartition(":") if ":" in name.rsplit("/", 1)[-1] else (name, "", "")
    draft.add("pinned" if at or (tag and tag != "latest" and tag[:1].isdigit()) else "unpinned")
    draft.refer("container", base, "runs")
