"""Builds and tasks by lines: make, CMake, Gradle, Jenkins, process files."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.dialects.ci import script
from plantwin.private.extract.formats.dialects.images import image
from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.text import head_text
from plantwin.private.facts import Sample

_MAX = 8000
_TARGET = re.compile(r"([A-Za-z_.%/$(){}][^:=\n#\t]{0,200}?)[ ]{0,8}::?(?!=)([^=\n]{0,2000})$")
_VARIABLE = re.compile(r"(?:export[ ]{1,8})?([A-Za-z_][\w.-]{0,80})[ \t]{0,20}(?:[:+?!]?=)[ \t]{0,20}(.{0,500})")
_INCLUDE = re.compile(r"-?s?include[ \t]+(\S{1,200})")


def _todo(draft: Draft, line: str, mark: str) -> None:
    at = line.find(mark)
    if at >= 0 and ("TODO" in line[at:] or "FIXME" in line[at:]):
        draft.add("todo")


def read_makefile(sample: Sample, draft: Draft) -> None:
    """Targets, recipes that call local scripts, variables. Also just files."""
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
    """CMake commands."""
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


_GRADLE_DEPENDENCY = re.compile(
    r"\s{1,60}(?:\w{0,30}[iI]mplementation|api|compileOnly|runtimeOnly|testRuntimeOnly|kapt|ksp|annotationProcessor"
    r"|classpath"
    r"|compile|testCompile"
    r"|debugImplementation)\s{0,4}\(?\s{0,4}(?:platform\()?[\"']([^\"':]{1,120}):([^\"':]{1,120})(?::([^\"']{1,80}))?[\"']"
)
_GRADLE_PLUGIN = re.compile(
    r"\s{0,60}id\s{0,4}\(?\s{0,4}[\"']([\w.-]{1,120})[\"']\)?(?:\s{1,4}version\s{1,4}[\"']([^\"']{1,60})[\"'])?"
)
_GRADLE_PROJECT = re.compile(r"project\(\s{0,4}(?:path:\s{0,4})?[\"']:([\w:.-]{1,160})[\"']")
_GRADLE_INCLUDE = re.compile(r"[\"']:?([\w:.-]{1,160})[\"']")
_GRADLE_TASK = re.compile(
    r"\s{0,40}(?:task\s{1,4}(\w{1,80})|tasks\.(?:register|create|named)(?:<\w{1,80}>)?\(\s{0,4}[\"']([\w-]{1,80}))"
)


def read_gradle(sample: Sample, draft: Draft) -> None:
    """Gradle, Groovy or Kotlin: plugins, dependencies, projects, tasks."""
    for line in head_text(sample).split("\n")[:_MAX]:
        line = line[:2000]
        _todo(draft, line, "//")
        if line.lstrip().startswith("//"):
            continue
        dependency = _GRADLE_DEPENDENCY.match(line)
        if dependency:
            draft.pin(f"{dependency[1]}:{dependency[2]}", dependency[3] or "*")
            continue
        plugin = _GRADLE_PLUGIN.match(line)
        if plugin:
            draft.add("build_step")
            draft.name(plugin[1])
            continue
        for match in _GRADLE_PROJECT.finditer(line):
            draft.refer_path(match[1].replace(":", "/"), "imports", "root_path")
        if line.lstrip().startswith("include"):
            for match in _GRADLE_INCLUDE.finditer(line):
                draft.refer_path(match[1].replace(":", "/"), "builds")
        elif line.startswith("rootProject.name"):
            draft.provide("package", line.partition("=")[2].strip(" \"'"))
        task = _GRADLE_TASK.match(line)
        if task:
            draft.add("task")
            draft.name(task[1] or task[2])
    draft.features.setdefault("build_step", 1)


_STAGE = re.compile(r"\s{0,60}stage\s{0,4}\(\s{0,4}[\"']([^\"'\n]{1,80})[\"']")
_SHELL = re.compile(r"\s{0,60}(?:sh|bat|powershell)\s{0,4}\(?\s{0,4}(?:script:\s{0,4})?[\"']{1,3}(.{1,2000})")
_AGENT_IMAGE = re.compile(
    r"\s{0,60}image\s{1,4}[\"']([^\"'\n]{1,200})[\"']|docker\.image\([\"']([^\"'\n]{1,200})[\"']\)"
)


def read_jenkinsfile(sample: Sample, draft: Draft) -> None:
    """Stages of a Jenkins pipeline and the scripts that they call."""
    for line in head_text(sample).split("\n")[:_MAX]:
        _todo(draft, line, "//")
        stage = _STAGE.match(line)
        if stage:
            draft.add("ci_job")
            draft.name(stage[1])
        picture = _AGENT_IMAGE.search(line[:1000])
        if picture:
            image(draft, picture[1] or picture[2])
        command = _SHELL.match(line)
        script(draft, command[1] if command else line[:1000] if "./" in line[:1000] else None)
        draft.add("secret_ref", "credentials(" in line or "withCredentials" in line)
        draft.add("schedule", "cron(" in line)
    draft.outline.parsed = "ci_job" in draft.features


_PROCESS = re.compile(r"([A-Za-z][\w-]{0,40}):\s{1,8}(\S.{0,1000})")


def read_procfile(sample: Sample, draft: Draft) -> None:
    """Processes of an application and how they start."""
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
