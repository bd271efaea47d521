"""Builds, tasks and developers' tools: make, CMake, Gradle, Jenkins, process files, settings of tools."""

from __future__ import annotations

import re

from plantwin.private.classify.readers.draft import Draft, script
from plantwin.private.facts import Sample
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.text import head_text
from plantwin.private.formats.values import Tree, is_tree, strings, text_of, tree_of, trees

_LEXICON = Lexicon(__file__)
_MAX = 8000
_TARGET = re.compile(r"([A-Za-z_.%/$(){}][^:=\n#\t]{0,200}?)[ ]{0,8}::?(?!=)([^=\n]{0,2000})$")
_VARIABLE = re.compile(r"(?:export[ ]{1,8})?([A-Za-z_][\w.-]{0,80})[ \t]{0,20}(?:[:+?!]?=)[ \t]{0,20}(.{0,500})")
_INCLUDE = re.compile(r"-?s?include[ \t]+(\S{1,200})")


def _todo(draft: Draft, line: str, mark: str) -> None:
    at = line.find(mark)
    if at >= 0 and ("TODO" in line[at:] or "FIXME" in line[at:]):
        draft.add("todo")


def read_makefile(sample: Sample, draft: Draft) -> None:
    """Read targets, recipes that call local scripts, variables. Also just files."""
    recipe: list[str] = []
    for line in head_text(sample).split("\n")[:_MAX]:
        _todo(draft, line, "#")
        if line[:1] == "\t" or (line[:2] == "  " and draft.features.get("task")):
            recipe.append(line.strip().lstrip("@-"))
            continue
        if not line or line[0] == "#":
            continue
        variable = _VARIABLE.match(line)
        if variable:
            draft.add("key")
            draft.name(variable[1])
            draft.setting(variable[1], variable[2])
            continue
        include = _INCLUDE.match(line)
        if include:
            draft.refer_path(include[1], "builds")
            continue
        target = _TARGET.match(line)
        if target:
            _make_target(draft, target[1].split(), target[2].split()[:50])
    for command in recipe[:1000]:
        draft.add("command")
        draft.add("destructive", "rm -rf" in command or "--force" in command or "DROP " in command)
        script(draft, command, "path")
        for word in command.split()[:30]:
            if word.endswith((".py", ".sh", ".yml", ".yaml")) and "/" not in word:
                draft.refer_path(word, "runs")
    draft.outline.parsed = bool(draft.features.keys() & {"task", "key"})


def _make_target(draft: Draft, names: list[str], needs: list[str]) -> None:
    for name in names[:20]:
        if name.startswith("."):
            continue
        is_file = "." in name or "%" in name or "$" in name
        draft.add("build_step" if is_file else "task")
        draft.name(name)
    for need in needs:
        if "." in need and "%" not in need:
            draft.refer_path(need, "builds")


_CMAKE = re.compile(r"[ \t]{0,40}([A-Za-z_]\w{1,60})[ \t]{0,8}\(([^)\n]{0,2000})")


def read_cmake(sample: Sample, draft: Draft) -> None:
    """Read CMake commands."""
    for line in head_text(sample).split("\n")[:_MAX]:
        _todo(draft, line, "#")
        match = _CMAKE.match(line)
        if match is None or line.lstrip().startswith("#"):
            continue
        command, words = match[1].lower(), match[2].split()[:60]
        draft.add("build_step")
        if command in ("add_executable", "add_library", "add_custom_target", "add_test", "project") and words:
            draft.name(words[0])
            for word in words[1:]:
                if "." in word:
                    draft.refer_path(word, "builds")
        elif command == "add_subdirectory" and words:
            draft.refer_path(words[0], "builds")
        elif command == "find_package" and words:
            version = words[1] if len(words) > 1 and words[1][:1].isdigit() else "*"
            draft.pin(words[0], version)
        elif command == "include" and words and words[0].endswith(".cmake"):
            draft.refer_path(words[0], "builds")
    draft.outline.parsed = "build_step" in draft.features


_PROCESS = re.compile(r"([A-Za-z][\w-]{0,40}):\s{1,8}(\S.{0,1000})")


def read_procfile(sample: Sample, draft: Draft) -> None:
    """Read processes of an application and how they start."""
    for line in head_text(sample).split("\n")[:200]:
        match = _PROCESS.match(line)
        if match:
            draft.add("workload")
            draft.name(match[1])
            draft.add("command")
            words = match[2].split()[:20]
            script(draft, match[2], "path")
            for word in words:
                if word.endswith((".py", ".js", ".sh", ".rb")):
                    draft.refer_path(word, "runs")
                elif ":" in word and word.partition(":")[0].replace(".", "_").isidentifier():
                    draft.refer("python", word.partition(":")[0], "runs")
    draft.outline.parsed = "workload" in draft.features


_TOOLS = [(row["least"], frozenset(row["keys"].split())) for row in _LEXICON.tables["tool"]]
_TOOL_SCHEMAS = _LEXICON.phrases("tool_schemas")


def known(draft: Draft, tree: Tree) -> bool:
    """Read a tool's settings file."""
    keys = tree.keys()
    declared = text_of(tree.get("$schema"))
    owned = max((len(keys & owns) for least, owns in _TOOLS if len(keys & owns) >= least), default=0)
    declares = any(word in declared for word in _TOOL_SCHEMAS)
    if not declares and (not owned or owned * 4 < len(keys)):
        return False
    draft.add("tool_section", max(owned, 1))
    for target in strings(tree.get("extends")):
        if target.startswith("."):
            draft.refer_path(target, "configures")
    for reference in trees(tree.get("references")):
        draft.refer_path(reference.get("path"), "configures")
    options = tree.get("compilerOptions")
    paths = options.get("paths") if is_tree(options) else None
    for alias, targets in list(tree_of(paths).items())[:50]:
        for target in strings(targets)[:1]:
            draft.provide("path_alias", f"{alias}={target}")
    return True


def pre_commit(draft: Draft, tree: Tree) -> bool:
    """Read hooks before a commit."""
    repos = [repo for repo in trees(tree["repos"]) if "hooks" in repo and "repo" in repo]
    for repo in repos[:100]:
        draft.add("tool_section")
        source = text_of(repo["repo"])
        if source not in ("local", "meta"):
            draft.pin(source.rstrip("/").removesuffix(".git").rpartition("/")[2], text_of(repo.get("rev")))
        for hook in trees(repo["hooks"])[:50]:
            draft.name(text_of(hook.get("id")))
            if source == "local":
                draft.refer_path(text_of(hook.get("entry")).split(" ")[-1], "runs", "root_path")
    return bool(repos)
