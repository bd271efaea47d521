"""Rust: modules below a crate's root, `super` and `self`, and the crates of one workspace."""

from __future__ import annotations

from plantwin.private.relate.places import LONGEST, below, enclosing, parent
from plantwin.private.relate.resolvers.found import NOTHING, Found
from plantwin.private.relate.tables import Tables

_ROOT_FILES = ("lib.rs", "main.rs", "mod.rs")


class Rust:
    """`crate::auth::Token`, `mod:auth`, `super::token`, `other_crate::thing`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._crates: dict[str, list[int]] = {}
        for (how, name), holders in tables.provided.items():
            if how == "package":
                own = [each for each in holders if tables.names[each] == "Cargo.toml"]
                if own:
                    self._crates.setdefault(name.replace("-", "_"), []).extend(own)
        for holders in self._crates.values():
            holders.sort()

    def __call__(self, target: str, at: int) -> Found:
        if len(target) > LONGEST:
            return NOTHING
        if target.startswith("mod:"):
            return self._one(self._file(below(self._own(at), target[4:])))
        parts = [part for part in target.partition("{")[0].split("::") if part and part != "*"]
        if not parts:
            return NOTHING
        if parts[0] == "crate":
            return self._inside(self._source(at), parts[1:])
        if parts[0] in ("self", "super"):
            folder = self._own(at)
            while parts and parts[0] in ("self", "super"):
                folder = parent(folder) if parts.pop(0) == "super" else folder
            return self._inside(folder, parts)
        holders = self._crates.get(parts[0])
        if holders:
            manifest = self._tables.nearest(holders, at)
            return self._inside(below(self._tables.folders[manifest], "src"), parts[1:]) or (manifest,)
        return self._one(self._longest(self._own(at), parts))

    def _own(self, at: int) -> str:
        """The folder of the modules inside this file."""
        name, folder = self._tables.names[at], self._tables.folders[at]
        return folder if name in _ROOT_FILES else below(folder, name.removesuffix(".rs"))

    def _source(self, at: int) -> str:
        """The folder of the crate's root module."""
        folder = self._tables.folders[at]
        for outer in enclosing(folder):
            if below(outer, "Cargo.toml") in self._tables.at:
                return below(outer, "src")
            if outer.rpartition("/")[2] == "src":
                return outer
        return folder

    def _inside(self, folder: str, parts: list[str]) -> Found:
        """The file of the longest leading part; otherwise the module that the folder itself is."""
        hit = self._longest(folder, parts)
        if hit is None:
            hit = self._file(folder)
        if hit is None:
            at = self._tables.at
            hit = next((at[path] for name in _ROOT_FILES if (path := below(folder, name)) in at), None)
        return self._one(hit)

    def _longest(self, folder: str, parts: list[str]) -> int | None:
        for count in range(min(len(parts), 12), 0, -1):
            hit = self._file(below(folder, "/".join(parts[:count])))
            if hit is not None:
                return hit
        return None

    def _file(self, path: str) -> int | None:
        hit = self._tables.at.get(path + ".rs")
        return self._tables.at.get(below(path, "mod.rs")) if hit is None else hit

    def _one(self, hit: int | None) -> Found:
        return NOTHING if hit is None else (hit,)
