"""Imports of declared names: Go, Java, Kotlin, Scala, C#, PHP and Rust."""

from __future__ import annotations

from plantwin.private.relate.import_resolvers import NOTHING, Everywhere, Found, Resolver
from plantwin.private.relate.lookup import LONGEST, Lookup, below, enclosing, parent, positions

_FACES = 3


class Go(Resolver):
    """`example.com/shop/auth`, by the modules that `go.mod` files declare."""

    def __call__(self, target: str, at: int) -> Found:
        return Everywhere(self._package(target, at))

    def _package(self, target: str, at: int) -> Found:
        if len(target) > LONGEST:
            return NOTHING
        lookup = self._lookup
        module = target
        for _ in range(16):
            holders = lookup.provided.get(("go_module", module))
            if holders:
                root = lookup.folders[lookup.nearest(holders, at)]
                rest = target[len(module) + 1 :]
                return self._files(below(root, rest) if rest else root)
            module, slash, _ = module.rpartition("/")
            if not slash:
                break
        return self._files("vendor/" + target)

    def _files(self, folder: str) -> Found:
        """The files that stand for a package: the one named like it, then the largest."""
        lookup = self._lookup
        members = [
            candidate
            for candidate in lookup.inside.get(folder, ())
            if lookup.extensions[candidate] == "go" and not lookup.names[candidate].endswith("_test.go")
        ]
        if not members:
            return NOTHING
        own = lookup.at.get(below(folder, folder.rpartition("/")[2] + ".go"))
        if own is not None:
            return (own,)
        return tuple(lookup.largest(members, _FACES))


_EXTENSIONS = ("java", "kt", "scala", "groovy")
_FACES = 3
_WILDCARDS = ("*", "_")


class Jvm(Resolver):
    """`com.acme.auth.Token`, `com.acme.auth.Token.Kind` (nested), `com.acme.auth.*`."""

    def __init__(self, lookup: Lookup, how: str) -> None:
        super().__init__(lookup, how)
        self._known: dict[str, Found] = {}

    def __call__(self, target: str, at: int) -> Found:
        found = self._known.get(target)
        if found is None:
            found = self._known[target] = self._named(target)
        if len(found) < 2 or target.endswith(_WILDCARDS):
            return Everywhere(found)
        return (self._lookup.nearest(found, at),)

    def _named(self, target: str) -> Found:
        if len(target) > LONGEST:
            return NOTHING
        parts = target.split(".")
        if parts[-1] in _WILDCARDS:
            package = ".".join(parts[:-1])
            return self._package(package) or self._named(package)
        for drop in range(3):
            kept = parts[: len(parts) - drop]
            if len(kept) < 2:
                break
            found = self._file(kept)
            if found:
                return found
        # A top-level function or a class in a file of another name: only where there is no choice.
        members = self._lookup.provided.get(("jvm", ".".join(parts[:-1])), ())
        return (members[0],) if len(members) == 1 else NOTHING

    def _file(self, parts: list[str]) -> Found:
        lookup = self._lookup
        folder = "/".join(parts)
        hits = [candidate for extension in _EXTENSIONS for candidate in lookup.ending(f"{folder}.{extension}")]
        if not hits:
            hits = lookup.declared("jvm", ".".join(parts[:-1])).get(parts[-1], [])
        return tuple(sorted(hits))

    def _package(self, package: str) -> Found:
        """The files that stand for a package, tests left out."""
        lookup = self._lookup
        holders = lookup.provided.get(("jvm", package), ())
        members = [candidate for candidate in holders[:512] if lookup.facts[candidate].role != "test"]
        return tuple(lookup.largest(members, _FACES))


_FACES = 3


class CSharp(Resolver):
    """`Acme.Shop.Payments`: the files that declare the namespace, those named like it first."""

    def __call__(self, target: str, at: int) -> Found:
        return Everywhere(self._members(target))

    def _members(self, target: str) -> Found:
        lookup = self._lookup
        holders = lookup.provided.get(("csharp", target))
        if not holders:
            outer, _, name = target.rpartition(".")
            return tuple(lookup.declared("csharp", outer).get(name, ())[:1])
        members = [candidate for candidate in holders[:512] if lookup.facts[candidate].role != "test"]
        word = target.rpartition(".")[2].lower().removesuffix("s")
        alike = [candidate for candidate in members if word in lookup.stem(candidate).lower()]
        return tuple(lookup.largest(alike or members, _FACES))


class Php(Resolver):
    """`App\\Services\\Mailer`: by declared namespace and file name, or by the longest matching path."""

    def __init__(self, lookup: Lookup, how: str) -> None:
        super().__init__(lookup, how)
        self._known: dict[str, Found] = {}

    def __call__(self, target: str, at: int) -> Found:
        found = self._known.get(target)
        if found is None:
            found = self._known[target] = self._class(target)
        return Everywhere(found) if len(found) < 2 else (self._lookup.nearest(found, at),)

    def _class(self, target: str) -> Found:
        if len(target) > LONGEST:
            return NOTHING
        lookup = self._lookup
        parts = [part for part in target.split("\\") if part]
        if not parts:
            return NOTHING
        declared = lookup.declared("php", "\\".join(parts[:-1])).get(parts[-1])
        if declared:
            return tuple(declared)
        for start in range(min(len(parts) - 1, 8)):
            # PSR-4 maps a leading part of the namespace to a folder of any name.
            found = lookup.ending("/".join(parts[start:]) + ".php")
            if found:
                return tuple(found)
        named = positions(lookup.named.get(parts[-1] + ".php"))
        return tuple(named) if len(named) == 1 and len(parts) > 1 else NOTHING


_ROOT_FILES = ("lib.rs", "main.rs", "mod.rs")


class Rust(Resolver):
    """`crate::auth::Token`, `mod:auth`, `super::token`, `other_crate::thing`."""

    def __init__(self, lookup: Lookup, how: str) -> None:
        super().__init__(lookup, how)
        self._crates: dict[str, list[int]] = {}
        for (how, name), holders in lookup.provided.items():
            if how == "package":
                own = [candidate for candidate in holders if lookup.names[candidate] == "Cargo.toml"]
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
            manifest = self._lookup.nearest(holders, at)
            return self._inside(below(self._lookup.folders[manifest], "src"), parts[1:]) or (manifest,)
        return self._one(self._longest(self._own(at), parts))

    def _own(self, at: int) -> str:
        """The folder of the modules inside this file."""
        name, folder = self._lookup.names[at], self._lookup.folders[at]
        return folder if name in _ROOT_FILES else below(folder, name.removesuffix(".rs"))

    def _source(self, at: int) -> str:
        """The folder of the crate's root module."""
        folder = self._lookup.folders[at]
        for outer in enclosing(folder):
            if below(outer, "Cargo.toml") in self._lookup.at:
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
            at = self._lookup.at
            hit = next((at[path] for name in _ROOT_FILES if (path := below(folder, name)) in at), None)
        return self._one(hit)

    def _longest(self, folder: str, parts: list[str]) -> int | None:
        for count in range(min(len(parts), 12), 0, -1):
            hit = self._file(below(folder, "/".join(parts[:count])))
            if hit is not None:
                return hit
        return None

    def _file(self, path: str) -> int | None:
        hit = self._lookup.at.get(path + ".rs")
        return self._lookup.at.get(below(path, "mod.rs")) if hit is None else hit

    def _one(self, hit: int | None) -> Found:
        return NOTHING if hit is None else (hit,)
