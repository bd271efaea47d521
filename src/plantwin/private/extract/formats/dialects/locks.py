"""Lock files that are trees: what a tool resolved, with hashes."""

from __future__ import annotations

from plantwin.private.extract.formats.draft import MAX_PINS, Draft
from plantwin.private.extract.formats.leaves import Tree, is_tree, text_of, trees


def _lock(draft: Draft, package: str, version: object) -> None:
    draft.add("locked")
    if package and len(draft.outline.pins) < MAX_PINS:
        draft.outline.pins.append((package[:100], text_of(version)[:100]))


def npm_lock(draft: Draft, tree: Tree) -> bool:
    """package-lock.json, npm-shrinkwrap.json, pnpm-lock.yaml, bun.lock."""
    packages = tree.get("packages") or tree.get("dependencies")
    if not is_tree(packages):
        return "importers" in tree or "name" in tree
    for name, body in packages.items():
        short = name.rpartition("node_modules/")[2]
        version = body.get("version") if is_tree(body) else ""
        if not version and "@" in short[1:]:
            short, _, version = short.lstrip("/").partition("(")[0].rpartition("@")
        if name:
            _lock(draft, short, version)
    return True


def pipfile_lock(draft: Draft, tree: Tree) -> bool:
    """Pipfile.lock."""
    for group in ("default", "develop"):
        packages = tree.get(group)
        for name, body in packages.items() if is_tree(packages) else ():
            _lock(draft, name, body.get("version") if is_tree(body) else "")
    return True


def composer_lock(draft: Draft, tree: Tree) -> bool:
    """composer.lock."""
    for body in trees(tree["packages"]) + trees(tree.get("packages-dev")):
        _lock(draft, text_of(body.get("name")), body.get("version"))
    return True


def package_tables(draft: Draft, tree: Tree) -> bool:
    """Cargo.lock, poetry.lock, uv.lock, pdm.lock: a table per package."""
    packages = tree["package"]
    if type(packages) is not list:
        return False
    for body in trees(packages):
        _lock(draft, text_of(body.get("name")), body.get("version"))
    return "locked" in draft.features


def resolved(draft: Draft, tree: Tree) -> bool:
    """Package.resolved, renv.lock: pins with revisions, or packages with hashes."""
    for body in trees(tree.get("pins")) + trees(tree.get("Packages")):
        state = body.get("state")
        version = state.get("version") if is_tree(state) else body.get("Version")
        _lock(draft, text_of(body.get("identity") or body.get("package") or body.get("Package")), version)
    return "locked" in draft.features
