"""Dockerfiles: what an image is built from, with what and how it starts."""

from __future__ import annotations

import json
import re

from plantwin.private.extract.formats.dialects.ci import script
from plantwin.private.extract.formats.dialects.images import image
from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.judgement import judge
from plantwin.private.extract.formats.text import head_text
from plantwin.private.facts import Sample

_INSTRUCTION = re.compile(
    r"[ \t]{0,40}(FROM|RUN|CMD|LABEL|MAINTAINER|EXPOSE|ENV|ADD|COPY|ENTRYPOINT|VOLUME|USER|WORKDIR|ARG|ONBUILD"
    r"|STOPSIGNAL|"
    r"HEALTHCHECK|SHELL)[ \t]+(.{0,20000})",
    re.IGNORECASE,
)
_FLAG = re.compile(r"--(\w[\w-]{0,30})(?:=(\S{0,200}))?\s{1,40}")
_NAMED = re.compile(r"\s+as\s+([\w.-]{1,80})\s*$", re.IGNORECASE)
_MAX = 2000


def _logical(text: str) -> list[str]:
    """Lines with their continuations; comments inside a continuation are dropped."""
    lines: list[str] = []
    parts: list[str] = []
    for line in text.split("\n")[:_MAX]:
        body = line.strip()
        if body.startswith("#") or (parts and not body):
            continue
        if body.endswith("\\"):
            parts.append(body[:-1])
        else:
            parts.append(body)
            lines.append(" ".join(parts))
            parts = []
    return [*lines, " ".join(parts)] if parts else lines


def read_dockerfile(sample: Sample, draft: Draft) -> None:
    """Every instruction in order; stages refer to each other by name and are not images."""
    text = head_text(sample)
    draft.add("todo", text.count("# TODO") + text.count("# FIXME"))
    stages: set[str] = set()
    broken = 0
    for line in _logical(text):
        match = _INSTRUCTION.match(line)
        if match is None:
            broken += bool(line)
            continue
        draft.add("build_step")
        _instruction(draft, match[1].upper(), match[2].strip(), stages)
    draft.outline.parsed = "build_step" in draft.features and broken <= draft.features["build_step"]


def _instruction(draft: Draft, word: str, rest: str, stages: set[str]) -> None:
    flags: dict[str, str] = {}
    while flag := _FLAG.match(rest):
        flags[flag[1]] = flag[2] or ""
        rest = rest[flag.end() :]
    if word == "FROM":
        named = _NAMED.search(rest[:400])
        source = rest.split()[0] if rest else ""
        if source not in stages and source != "scratch":
            image(draft, source)
        if named:
            stages.add(named[1])
            draft.name(named[1])
    elif word in ("COPY", "ADD"):
        if "from" not in flags:
            for target in _words(rest)[:-1]:
                draft.refer_path(target, "builds")
    elif word == "RUN":
        script(draft, rest, "path")
        draft.add("insecure_call", "--no-check-certificate" in rest or "curl -k" in rest)
        draft.add("open_permission", "chmod 777" in rest or "chmod -R 777" in rest)
        draft.add("secret_ref", "mount" in flags and "type=secret" in flags["mount"])
    elif word in ("CMD", "ENTRYPOINT"):
        _command(draft, _words(rest))
    elif word == "HEALTHCHECK":
        draft.add("health_check", not rest.upper().startswith("NONE"))
    elif word in ("ENV", "ARG"):
        for pair in _pairs(rest):
            draft.add("key")
            draft.name(pair[0])
            draft.setting(pair[0], pair[1])
            judge(draft, *pair)
    elif word == "USER":
        draft.add("open_permission", rest in ("root", "0"))
    elif word == "EXPOSE":
        draft.add("server_directive")


def _words(rest: str) -> list[str]:
    """Arguments, in shell or in JSON form."""
    if rest.startswith("["):
        try:
            found = json.loads(rest)
        except (ValueError, RecursionError):
            return []
        return [each for each in found if type(each) is str][:100]
    return rest.split()[:100]


def _pairs(rest: str) -> list[tuple[str, str]]:
    if "=" not in rest:
        key, _, value = rest.partition(" ")
        return [(key, value.strip())] if key else []
    return [
        (key, value.strip("\"'")) for word in rest.split()[:100] for key, mark, value in [word.partition("=")] if mark
    ]


def _command(draft: Draft, words: list[str]) -> None:
    for number, word in enumerate(words[:20]):
        if word.endswith((".sh", ".py", ".js", ".rb", ".mjs", ".jar")):
            draft.refer_path(word.removeprefix("/app/").removeprefix("/usr/src/app/").removeprefix("/"), "runs")
        elif word == "-m" and number + 1 < len(words):
            draft.refer("python", words[number + 1], "runs")
        elif ":" in word and word.partition(":")[0].replace(".", "_").isidentifier():
            draft.refer("python", word.partition(":")[0], "runs")
