"""Dockerfiles: security rules (CIS Docker, section 4), validity rules, and the shell commands and images they name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plantwin.private.capabilities.engine.job import Finding
from plantwin.private.capabilities.engine.rules import Rules, made
from plantwin.private.capabilities.infrastructure.keys import close_match, did_you_mean, known_keys
from plantwin.private.formats.dockerfile import INSTRUCTIONS, Instruction, instructions, stages
from plantwin.private.formats.document import Document
from plantwin.private.formats.lexicon import Lexicon
from plantwin.vocabulary import Severity

if TYPE_CHECKING:
    from plantwin.private.capabilities.infrastructure.project import Project

_LEXICON = Lexicon(__file__)
SECURITY = Rules("dockerfile")
COMMANDS = Rules("shell_commands")
VALIDITY = Rules("dockerfile_validity")
_SECRET = _LEXICON.pattern("secret")
_DUMMY = re.compile(r"(?i)change_?me|example|none|null|true|false|dummy\w*|placeholder|x+|/.*|\d{1,4}")
_SECRET_FILE = _LEXICON.pattern("secret_file")
_ORIGIN = re.compile(r"--from\b|\A[^\n]*<<")
"""Files that come from another stage, or whose text stands in the Dockerfile."""
_REMOTE_CONTROL = re.compile(r"(?:^|\s)(?:22|23|2375|3389)(?:/tcp)?(?:\s|$)")
_PREDEFINED = known_keys("dockerfile", "predefined_arguments")
_APT_INSTALL = re.compile(r"\bapt(?:-get)?\s+(?:-\w+\s+)*install\b")
_APT_UPDATE = re.compile(r"\bapt(?:-get)?\s+(?:-\w+\s+)*update\b")


def audit_image(line: int, image: str, holder: str) -> Iterator[Finding]:
    """Return whether an image may change under its name. Compose and Kubernetes name images too."""
    name = image.rpartition("/")[2]
    if not image or "$" in image or "@" in image or "templatedvalue" in image or image == "scratch":
        return
    if ":" not in name or name.endswith(":latest"):
        yield SECURITY.found("DOCKER-IMAGE-TAG", line, holder=holder)


def audit_command(line: int, text: str) -> Iterator[Finding]:
    """Return what a shell command risks, wherever it runs."""
    for rule in COMMANDS:
        if re.search(rule.pattern, text):
            yield made(rule, line)


def audit(document: Document, project: Project) -> Iterator[Finding]:
    """Return the security findings of a Dockerfile."""
    found = instructions(document.source.text)
    named = stages(found)
    last = max((instruction.stage for instruction in found), default=0)
    user, user_line, base, base_line = "", 0, "", 0
    for instruction in found:
        if instruction.name == "FROM":
            base, base_line = instruction.words[0] if instruction.words else "", instruction.line
            if base.lower() not in named:
                yield from audit_image(base_line, base, "The base image")
                user = ""
        elif instruction.name == "USER":
            user, user_line = instruction.rest.strip("\"' "), instruction.line
        yield from _audit_instruction(instruction)
    if not base_line or base == "scratch" or re.search(r"nonroot|unprivileged", base) or base.lower() in named:
        return
    if user.partition(":")[0] in ("", "root", "0"):
        yield SECURITY.found("DOCKER-ROOT", user_line if user else base_line)
    final = {instruction.name for instruction in found if instruction.stage == last}
    if "EXPOSE" in final and "HEALTHCHECK" not in final:
        yield SECURITY.found("DOCKER-HEALTHCHECK", base_line)


def _audit_instruction(instruction: Instruction) -> Iterator[Finding]:
    line, name, rest = instruction.line, instruction.name, instruction.rest
    if name == "RUN":
        yield from audit_command(line, rest)
    elif name == "ADD" and re.search(r"\bhttps?://", rest) and "--checksum" not in rest:
        yield SECURITY.found("DOCKER-ADD-URL", line)
    elif name in ("COPY", "ADD") and not _ORIGIN.search(rest) and _SECRET_FILE.search(f" {rest} "):
        # Settings of package managers hold a token at times, and a registry's address most times.
        certain = _SECRET_FILE.search(re.sub(r"\.npmrc|\.pypirc", "", f" {rest} "))
        yield SECURITY.found("DOCKER-COPY-SECRET", line, severity=None if certain else Severity.MEDIUM)
    elif name in ("ENV", "ARG"):
        match = _SECRET.search(rest)
        if match is not None and not _DUMMY.fullmatch(match[2]):
            yield SECURITY.found("DOCKER-SECRET-IN-ENV", line, variable=match[1])
    elif name == "EXPOSE" and _REMOTE_CONTROL.search(rest):
        yield SECURITY.found("DOCKER-EXPOSE-REMOTE-CONTROL", line)


def validate(document: Document, project: Project) -> Iterator[Finding]:
    """Return what is wrong with a Dockerfile: instructions, stages, files that do not exist."""
    found = instructions(document.source.text)
    if found and not any(instruction.name == "FROM" for instruction in found):
        yield VALIDITY.found("DOCKER-NO-FROM", found[0].line)
        return
    known = stages(found)
    last: dict[tuple[int, str], Instruction] = {}
    arguments: set[str] = set()
    for instruction in found:
        line, name, stage = instruction.line, instruction.name, instruction.stage
        if name == "ARG" and stage == 0:
            arguments.update(word.partition("=")[0] for word in instruction.words)
        if name not in INSTRUCTIONS:
            suggestion = did_you_mean(name, INSTRUCTIONS, 0.6, "A backslash may be missing on the line before.")
            yield VALIDITY.found("DOCKER-UNKNOWN-INSTRUCTION", line, instruction=name[:40], suggestion=suggestion)
            continue
        if name in ("CMD", "ENTRYPOINT", "HEALTHCHECK"):
            before = last.get((stage, name))
            if before is not None:
                yield VALIDITY.found("DOCKER-OVERRIDDEN", before.line, instruction=name, later=line)
            last[stage, name] = instruction
        if name in ("COPY", "ADD") and instruction.rest:
            yield from _validate_copy(instruction, known, document, project)
        elif name == "FROM" and instruction.rest:
            for variable in re.findall(r"\$\{?(\w+)", instruction.words[0] if instruction.words else ""):
                if variable not in arguments | _PREDEFINED:
                    yield VALIDITY.found("DOCKER-UNDECLARED-ARG", line, variable=variable)
        else:
            yield from _validate_instruction(instruction)


def _validate_instruction(instruction: Instruction) -> Iterator[Finding]:
    line, name, rest = instruction.line, instruction.name, instruction.rest
    if name in ("CMD", "ENTRYPOINT", "SHELL", "RUN") and rest.startswith("["):
        listed = re.match(r"\[\s*(?:'[^']*'|\"[^\"]*\"?)\s*[,\]]", rest)
        if listed and _json_list(rest) is None:
            yield VALIDITY.found("DOCKER-EXEC-FORM", line, instruction=name)
    elif name == "MAINTAINER":
        yield VALIDITY.found("DOCKER-MAINTAINER", line)
    elif name == "RUN":
        if _APT_INSTALL.search(rest) and not _APT_UPDATE.search(rest):
            yield VALIDITY.found("DOCKER-APT-UPDATE", line)
        if re.fullmatch(r"cd\s+\S+", rest):
            yield VALIDITY.found("DOCKER-CD", line)


def _json_list(text: str) -> list[str] | None:
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return [str(item) for item in listed] if isinstance(listed, list) else None


def _validate_copy(
    instruction: Instruction, known: dict[str, int], document: Document, project: Project
) -> Iterator[Finding]:
    line, name = instruction.line, instruction.name
    listed = re.sub(r"^(?:--\S+\s+)*", "", instruction.rest.split("\n", 1)[0])
    paths = _json_list(listed) if listed.startswith("[") else instruction.words
    if paths is None or "<<" in listed:
        return
    origin = instruction.flag("from")
    if origin:
        number = known.get(origin.lower())
        near = close_match(origin.lower(), known, 0.7)
        if origin.isdigit() and int(origin) >= instruction.stage - 1:
            yield VALIDITY.found("DOCKER-STAGE", line, stage=origin, suggestion="Correct the number.")
        elif number is None and near and not re.search(r"[/:.$@]", origin) and not origin.isdigit():
            yield VALIDITY.found("DOCKER-STAGE", line, stage=origin, suggestion=f"Did you mean `{near}`?")
        return
    missing = project.folder.missing
    for source in paths[:-1]:
        if source.startswith("../"):
            yield VALIDITY.found("DOCKER-COPY-CONTEXT", line, instruction=name)
        elif "://" not in source and missing(document.name, source) and missing(".", source):
            yield VALIDITY.found("DOCKER-COPY-MISSING", line, instruction=name, path=source[:60])
