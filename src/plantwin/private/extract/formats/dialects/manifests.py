"""Package manifests that are trees: names, dependencies, scripts, workspaces."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.dialects.ci import script
from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.leaves import Tree, is_tree, strings, text_of, trees
from plantwin.private.extract.formats.words import words

_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][\w.-]{0,99})\s*(?:\[[^\]]{0,200}\])?\s*\(?\s*([^;#)]{0,200})")
_NPM_GROUPS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "dev_dependencies")
_NPM_SIGNS = words(
    "dependencies devDependencies peerDependencies scripts main private workspaces engines bin exports module types "
    "author license repository browser type files"
)
_TOOLS = words("eslintConfig prettier jest babel browserslist husky lint-staged nyc ava xo stylelint")
_MAX = 400


def requirement(draft: Draft, text: str) -> None:
    """A requirement as Python writes it."""
    match = _REQUIREMENT.match(text[:400])
    if match:
        draft.pin(match[1], match[2])


def _table(draft: Draft, packages: object) -> None:
    """Packages as a mapping to versions, or to tables that hold one or a local path."""
    for name, wanted in list(packages.items())[:_MAX] if is_tree(packages) else ():
        if is_tree(wanted):
            draft.refer_path(wanted.get("path"), "imports")
            draft.pin(name, text_of(wanted.get("version") or wanted.get("rev") or wanted.get("tag")) or "*")
            continue
        version = text_of(wanted)
        if version.startswith(("workspace:", "file:", "link:", "portal:")):
            draft.refer("package", name, "imports")
        else:
            draft.pin(name, version)


def pyproject(draft: Draft, tree: Tree) -> bool:
    """pyproject.toml: package, tools, or both."""
    project, tool = tree.get("project"), tree.get("tool")
    if not is_tree(project) and not is_tree(tool) and not is_tree(tree.get("build-system")):
        return False
    if is_tree(project):
        draft.provide("package", text_of(project.get("name")))
        draft.name(text_of(project.get("name")))
        for each in strings(project.get("dependencies")):
            requirement(draft, each)
        groups = project.get("optional-dependencies")
        for group in groups.values() if is_tree(groups) else ():
            for each in strings(group):
                requirement(draft, each)
        for key in ("scripts", "gui-scripts"):
            scripts = project.get(key)
            for name, target in list(scripts.items())[:50] if is_tree(scripts) else ():
                draft.add("task")
                draft.name(name)
                draft.refer("python", text_of(target).partition(":")[0], "runs")
        draft.refer_path(project.get("readme"), "documents")
    extra = tree.get("dependency-groups")
    for members in extra.values() if is_tree(extra) else ():
        for each in strings(members):
            requirement(draft, each)
    system = tree.get("build-system")
    if is_tree(system):
        draft.add("build_step")
        draft.name(text_of(system.get("build-backend")))
    for name, body in list(tool.items())[:_MAX] if is_tree(tool) else ():
        draft.add("tool_section")
        draft.name(name)
        if name in ("poetry", "uv", "pdm", "hatch", "pixi") and is_tree(body):
            _python_tool(draft, body)
    return True


def _python_tool(draft: Draft, body: Tree) -> None:
    draft.provide("package", text_of(body.get("name")))
    for key in ("dependencies", "dev-dependencies", "pypi-dependencies"):
        packages = body.get(key)
        _table(draft, packages)
        for each in strings(packages):
            requirement(draft, each)
    groups = body.get("group")
    for group in trees(groups):
        _table(draft, group.get("dependencies"))
    scripts = body.get("scripts")
    for name, target in list(scripts.items())[:50] if is_tree(scripts) else ():
        draft.add("task")
        draft.name(name)
        draft.refer("python", text_of(target).partition(":")[0], "runs")
    members = body.get("workspace")
    for member in strings(members.get("members")) if is_tree(members) else ():
        draft.refer_path(member, "builds")


def cargo(draft: Draft, tree: Tree) -> bool:
    """Cargo.toml."""
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
    for each in trees(tree.get("bin")) + trees([tree.get("lib")]):
        draft.refer_path(each.get("path"), "builds")
    return True


def package_json(draft: Draft, tree: Tree) -> bool:
    """package.json, bower.json, pubspec.yaml, deno.json, conda environments."""
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
    for name, command in list(scripts.items())[:_MAX] if is_tree(scripts) else ():
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
    draft.add("tool_section", len(tree.keys() & _TOOLS))
    return True


def _conda(draft: Draft, tree: Tree) -> bool:
    for each in tree["dependencies"]:  # type: ignore[attr-defined]
        if type(each) is str:
            name, _, version = each.partition("=")
            draft.pin(name.rpartition("::")[2], version.lstrip("="))
        elif is_tree(each):
            for one in strings(each.get("pip")):
                requirement(draft, one)
    return "dependency" in draft.features


def composer(draft: Draft, tree: Tree) -> bool:
    """composer.json."""
    packages = tree["require"]
    if not is_tree(packages):
        return False
    draft.provide("package", text_of(tree.get("name")))
    _table(draft, packages)
    _table(draft, tree.get("require-dev"))
    scripts = tree.get("scripts")
    draft.add("task", len(scripts) if is_tree(scripts) else 0)
    return True


def pipfile(draft: Draft, tree: Tree) -> bool:
    """Pipfile, dbt packages, pnpm workspaces, lerna."""
    packages = tree["packages"]
    if is_tree(packages) and ("dev-packages" in tree or "source" in tree or "requires" in tree):
        _table(draft, packages)
        _table(draft, tree.get("dev-packages"))
        return True
    named = [each for each in trees(packages) if each.keys() & {"package", "git", "local"}]
    for each in named[:_MAX]:
        wanted = each.get("version")
        draft.pin(text_of(each.get("package") or each.get("git") or each.get("local")), text_of(wanted) or "*")
        draft.refer_path(each.get("local"), "imports")
    members = strings(packages)
    if members and len(tree) <= 6:
        draft.add("build_step")
        for member in members[:100]:
            draft.refer_path(member.removesuffix("/**").removesuffix("/*"), "builds")
    return bool(named or members)
