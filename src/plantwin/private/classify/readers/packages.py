"""Package manifests, lists and lock files: names, dependencies, versions, scripts."""

from __future__ import annotations

import re

from plantwin.private.classify.readers.draft import MAX_PINS, Draft, script
from plantwin.private.facts import Sample
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.text import LIMIT, head_text
from plantwin.private.formats.values import Tree, is_tree, strings, text_of, tree_of, trees, words

_LEXICON = Lexicon(__file__)
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][\w.-]{0,99})\s*(?:\[[^\]]{0,200}\])?\s*\(?\s*([^;#)]{0,200})")
_NPM_GROUPS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "dev_dependencies")
_NPM_SIGNS = _LEXICON.words("npm_signs")
_TOOL_KEYS = words("eslintConfig prettier jest babel browserslist husky lint-staged nyc ava xo stylelint")
_MAX = 400
_MAX_SCRIPTS = 50


def requirement(draft: Draft, text: str) -> None:
    """Read a requirement as Python writes it."""
    match = _REQUIREMENT.match(text[:400])
    if match:
        draft.pin(match[1], match[2])


def _table(draft: Draft, packages: object) -> None:
    """Read packages as a mapping to versions, or to tables that hold one or a local path."""
    for name, wanted in list(tree_of(packages).items())[:_MAX]:
        if is_tree(wanted):
            draft.refer_path(wanted.get("path"), "imports")
            draft.pin(name, text_of(wanted.get("version") or wanted.get("rev") or wanted.get("tag")) or "*")
            continue
        version = text_of(wanted)
        if version.startswith(("workspace:", "file:", "link:", "portal:")):
            draft.refer("package", name, "imports")
        else:
            draft.pin(name, version)


def _requirements(draft: Draft, listed: object) -> None:
    for text in strings(listed):
        requirement(draft, text)


def _entry_points(draft: Draft, scripts: object) -> None:
    """Read commands that a package installs, each with the module that it runs."""
    for name, target in list(tree_of(scripts).items())[:_MAX_SCRIPTS]:
        draft.add("task")
        draft.name(name)
        draft.refer("python", text_of(target).partition(":")[0], "runs")


def pyproject(draft: Draft, tree: Tree) -> bool:
    """Read pyproject.toml: package, tools, or both."""
    project, tool, system = tree.get("project"), tree.get("tool"), tree.get("build-system")
    if not any(map(is_tree, (project, tool, system))):
        return False
    if is_tree(project):
        draft.provide("package", text_of(project.get("name")))
        draft.name(text_of(project.get("name")))
        for listed in (project.get("dependencies"), *tree_of(project.get("optional-dependencies")).values()):
            _requirements(draft, listed)
        for key in ("scripts", "gui-scripts"):
            _entry_points(draft, project.get(key))
        draft.refer_path(project.get("readme"), "documents")
    for listed in tree_of(tree.get("dependency-groups")).values():
        _requirements(draft, listed)
    if is_tree(system):
        draft.add("build_step")
        draft.name(text_of(system.get("build-backend")))
    for name, body in list(tree_of(tool).items())[:_MAX]:
        draft.add("tool_section")
        draft.name(name)
        if name in ("poetry", "uv", "pdm", "hatch", "pixi") and is_tree(body):
            _python_tool(draft, body)
    return True


def _python_tool(draft: Draft, body: Tree) -> None:
    draft.provide("package", text_of(body.get("name")))
    for key in ("dependencies", "dev-dependencies", "pypi-dependencies"):
        _table(draft, body.get(key))
        _requirements(draft, body.get(key))
    for group in trees(body.get("group")):
        _table(draft, group.get("dependencies"))
    _entry_points(draft, body.get("scripts"))
    for member in strings(tree_of(body.get("workspace")).get("members")):
        draft.refer_path(member, "builds")


def cargo(draft: Draft, tree: Tree) -> bool:
    """Read Cargo.toml."""
    package, workspace = tree.get("package"), tree.get("workspace")
    if not (is_tree(package) and "name" in package) and not is_tree(workspace):
        return False
    draft.add("build_step")
    if is_tree(package):
        draft.provide("package", text_of(package.get("name")))
        draft.name(text_of(package.get("name")))
    if is_tree(workspace):
        for member in strings(workspace.get("members")):
            draft.refer_path(member, "builds")
        _table(draft, workspace.get("dependencies"))
    for group in ("dependencies", "dev-dependencies", "build-dependencies"):
        _table(draft, tree.get(group))
    for target in trees(tree.get("bin")) + trees([tree.get("lib")]):
        draft.refer_path(target.get("path"), "builds")
    return True


def package_json(draft: Draft, tree: Tree) -> bool:
    """Read package.json, bower.json, pubspec.yaml, deno.json, conda environments."""
    if type(tree.get("dependencies")) is list and ("channels" in tree or "name" in tree):
        return _conda(draft, tree)
    groups = [tree[group] for group in _NPM_GROUPS if is_tree(tree.get(group))]
    scripts = tree.get("scripts")
    if not groups and not is_tree(scripts) and len(tree.keys() & _NPM_SIGNS) < 2:
        return False
    draft.provide("package", text_of(tree.get("name")))
    draft.name(text_of(tree.get("name")))
    for group in groups:
        _table(draft, group)
    if not groups:
        draft.add("dependency")
    for name, command in list(tree_of(scripts).items())[:_MAX]:
        draft.add("task")
        draft.name(name)
        script(draft, command, "path")
        for word in text_of(command).split()[:30]:
            if word.endswith((".js", ".ts", ".mjs", ".cjs", ".sh", ".py")):
                draft.refer_path(word, "runs")
    for key in ("main", "module", "types", "browser"):
        draft.refer_path(tree.get(key), "builds")
    commands = tree.get("bin")
    for target in commands.values() if is_tree(commands) else [commands]:
        draft.refer_path(target, "builds")
    spaces = tree.get("workspaces")
    for member in strings(spaces.get("packages") if is_tree(spaces) else spaces):
        draft.refer_path(member.removesuffix("/*"), "builds")
    draft.add("tool_section", len(tree.keys() & _TOOL_KEYS))
    return True


def _conda(draft: Draft, tree: Tree) -> bool:
    for wanted in tree["dependencies"]:  # type: ignore[attr-defined]
        if type(wanted) is str:
            name, _, version = wanted.partition("=")
            draft.pin(name.rpartition("::")[2], version.lstrip("="))
        elif is_tree(wanted):
            _requirements(draft, wanted.get("pip"))
    return "dependency" in draft.features


def composer(draft: Draft, tree: Tree) -> bool:
    """Read composer.json."""
    packages = tree["require"]
    if not is_tree(packages):
        return False
    draft.provide("package", text_of(tree.get("name")))
    _table(draft, packages)
    _table(draft, tree.get("require-dev"))
    scripts = tree.get("scripts")
    draft.add("task", len(tree_of(scripts)))
    return True


def pipfile(draft: Draft, tree: Tree) -> bool:
    """Read Pipfile, dbt packages, pnpm workspaces, lerna."""
    packages = tree["packages"]
    if is_tree(packages) and ("dev-packages" in tree or "source" in tree or "requires" in tree):
        _table(draft, packages)
        _table(draft, tree.get("dev-packages"))
        return True
    named = [entry for entry in trees(packages) if entry.keys() & {"package", "git", "local"}]
    for entry in named[:_MAX]:
        wanted = entry.get("version")
        draft.pin(text_of(entry.get("package") or entry.get("git") or entry.get("local")), text_of(wanted) or "*")
        draft.refer_path(entry.get("local"), "imports")
    members = strings(packages)
    if members and len(tree) <= 6:
        draft.add("build_step")
        for member in members[:100]:
            draft.refer_path(member.removesuffix("/**").removesuffix("/*"), "builds")
    return bool(named or members)


def npm_lock(draft: Draft, tree: Tree) -> bool:
    """Read package-lock.json, npm-shrinkwrap.json, pnpm-lock.yaml, bun.lock."""
    packages = tree.get("packages") or tree.get("dependencies")
    if not is_tree(packages):
        return "importers" in tree or "name" in tree
    for name, body in packages.items():
        short = name.rpartition("node_modules/")[2]
        version = body.get("version") if is_tree(body) else ""
        if not version and "@" in short[1:]:
            short, _, version = short.lstrip("/").partition("(")[0].rpartition("@")
        if name:
            draft.lock(short, text_of(version))
    return True


def pipfile_lock(draft: Draft, tree: Tree) -> bool:
    """Read Pipfile.lock."""
    for group in ("default", "develop"):
        for name, body in tree_of(tree.get(group)).items():
            draft.lock(name, text_of(tree_of(body).get("version")))
    return True


_ENTRY = _LEXICON.pattern("entry")


def read_lock(sample: Sample, draft: Draft) -> None:
    """Read resolved packages with their versions; trees go to their own readers."""
    text = head_text(sample, LIMIT)
    start = text.lstrip()[:1]
    if start == "{" or (start and text.startswith(("lockfileVersion", "dependencies:"))):
        from plantwin.private.classify.readers.trees import read_json, read_yaml

        (read_json if start == "{" else read_yaml)(sample, draft)
        return
    pins = draft.outline.pins
    for match in _ENTRY.finditer(text):
        draft.add("locked")
        kind = next((name for name in ("yarn", "go", "gem", "toml", "mix") if match[name]), "")
        if kind and len(pins) < MAX_PINS:
            pins.append((match[kind], match[f"{kind}_version"]))
    draft.outline.parsed = "locked" in draft.features


_MAX_LINES = 10_000


def read_requirements(sample: Sample, draft: Draft) -> None:
    """Read pip: requirements, constraints, references to other lists; hashes make it a lock file."""
    broken = 0
    continued = False
    for line in head_text(sample).split("\n")[:_MAX_LINES]:
        body = line.strip()
        hashed = "--hash=" in body
        draft.add("locked", hashed and not continued)
        was, continued = continued, body.endswith("\\")
        if not body or body.startswith("#"):
            draft.add("todo", "TODO" in body or "FIXME" in body)
            draft.add("generated_marker", "autogenerated by" in body)
            continue
        if was and hashed and body.startswith("--hash"):
            draft.features.setdefault("locked", 1)
            continue
        if body.startswith(("-r", "-c", "--requirement", "--constraint")):
            draft.refer_path(
                re.split(r"[ =]", body, maxsplit=1)[-1].removeprefix("-r").removeprefix("-c"), "configures"
            )
        elif body.startswith(("-e", "--editable")):
            draft.refer_path(body.split(None, 1)[-1].partition("[")[0], "imports")
        elif body.startswith(("-", "http", "git+", "./", "/")):
            draft.add("dependency", not body.startswith("-"))
        elif body[0].isalnum():
            requirement(draft, body.partition("--hash")[0].partition(" #")[0].rstrip("\\ "))
        else:
            broken += 1
    draft.outline.parsed = broken <= draft.features.get("dependency", 0)
