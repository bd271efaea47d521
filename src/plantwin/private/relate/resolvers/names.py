"""Names that another object provides: tables, models, cluster resources, images, packages, variables."""

from __future__ import annotations

from plantwin.private.relate.places import LONGEST, below, join
from plantwin.private.relate.resolvers.found import NOTHING, Found
from plantwin.private.relate.tables import Tables, positions

MANIFESTS = ("package.json", "Cargo.toml", "pyproject.toml", "go.mod", "pom.xml", "build.gradle", "build.gradle.kts")
_MEMBERS = 24


class Provided:
    """Any name that another object declares in the same way; the nearest one is meant."""

    def __init__(self, tables: Tables, how: str) -> None:
        self._tables = tables
        self._how = how

    def __call__(self, target: str, at: int) -> Found:
        holders = self._tables.provided.get((self._how, target))
        return (self._tables.nearest(holders, at),) if holders else NOTHING


class TableNames(Provided):
    """A table, with or without its schema, in any case of letters."""

    def __init__(self, tables: Tables, how: str) -> None:
        super().__init__(tables, how)
        self._known: dict[str, list[int]] = {}

    def __call__(self, target: str, at: int) -> Found:
        holders = self._known.get(target)
        if holders is None:
            holders = self._known[target] = self._definitions(target)
        return (self._tables.nearest(holders, at),) if holders else NOTHING

    def _definitions(self, target: str) -> list[int]:
        """Who defines it: schemas before migrations and dumps that create the same table again."""
        if len(target) > LONGEST:
            return []
        name = target.lower().replace('"', "").replace("`", "").replace("[", "").replace("]", "")
        short = name.rpartition(".")[2]
        tables = self._tables
        for key in (("table", name), ("table", short), ("dbt", short)):
            holders = tables.provided.get(key)
            if holders:
                schemas = [each for each in holders[:256] if tables.semantic_class(each) == "table_schema"]
                return schemas or holders
        return []


class Models(Provided):
    """`ref('stg_orders')`: a declared model, a `.sql` or `.py` model, or a seed of that name."""

    def __call__(self, target: str, at: int) -> Found:
        tables = self._tables
        files = [
            each
            for extension in ("sql", "csv", "py")
            for each in positions(tables.named.get(f"{target}.{extension}"))[:64]
        ]
        if files:
            return (tables.nearest(sorted(files), at),)
        return super().__call__(target, at)


class Sources(Provided):
    """`source('shop', 'orders')`, written `shop.orders`: where it is declared, else the table itself."""

    def __init__(self, tables: Tables, how: str) -> None:
        super().__init__(tables, how)
        self._names = TableNames(tables, "table")

    def __call__(self, target: str, at: int) -> Found:
        found = super().__call__(target, at)
        return found or self._names(target, at)


class Units(Provided):
    """A system unit: the file of that name."""

    def __call__(self, target: str, at: int) -> Found:
        named = positions(self._tables.named.get(target))
        return (self._tables.nearest(named, at),) if named else NOTHING


class Images(Provided):
    """An image built here: declared by name, or the Dockerfile of a folder or suffix of that name."""

    def __call__(self, target: str, at: int) -> Found:
        found = super().__call__(target, at)
        if found or len(target) > LONGEST:
            return found
        name = target.rpartition("/")[2].partition("@")[0].partition(":")[0]
        if not name:
            return NOTHING
        tables = self._tables
        files = tables.ending(f"{name}/Dockerfile") or list(positions(tables.named.get(f"Dockerfile.{name}"))[:64])
        return (tables.nearest(files, at),) if files else NOTHING


class Packages(Provided):
    """A member of a workspace: by name, by folder, or by a pattern such as `packages/*`."""

    def __call__(self, target: str, at: int) -> Found:
        found = super().__call__(target, at)
        if found:
            return found
        tables = self._tables
        path = join(tables.folders[at], target.removesuffix("/*").removesuffix("/**"))
        if path is None or path not in tables.tree:
            return NOTHING
        folders = [path] if "*" not in target else tables.children.get(path, [])[:_MEMBERS]
        return tuple(each for folder in folders if (each := self._manifest(folder)) is not None)

    def _manifest(self, folder: str) -> int | None:
        at = self._tables.at
        return next((at[path] for name in MANIFESTS if (path := below(folder, name)) in at), None)


class Variables(Provided):
    """An environment variable: the nearest file that sets it, filled-in files before templates."""

    def __init__(self, tables: Tables, how: str) -> None:
        super().__init__(tables, how)
        self._setters: dict[str, list[int]] = {}
        for position, facts in enumerate(tables.facts):
            if facts.format == "env":
                for key, _ in facts.settings:
                    self._setters.setdefault(key, []).append(position)

    def __call__(self, target: str, at: int) -> Found:
        holders = self._setters.get(target)
        if not holders:
            return super().__call__(target, at)
        tables = self._tables
        filled = [each for each in holders[:64] if tables.facts[each].role != "template"]
        return (tables.nearest(filled or holders, at),)
