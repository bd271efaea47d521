"""Dockerfiles: instructions, stages and files that are not there, forms that do not mean what they say."""

# ruff: noqa: E501 (word lists and patterns)

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator

from plantwin.private.capabilities.placed.document import Document
from plantwin.private.capabilities.placed.instructions import Instruction, instructions, stages
from plantwin.private.capabilities.placed.report import Issue
from plantwin.private.capabilities.validity.place import Place
from plantwin.private.extract.formats.words import words
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
_KNOWN = words(
    "FROM RUN CMD LABEL MAINTAINER EXPOSE ENV ADD COPY ENTRYPOINT VOLUME USER WORKDIR ARG ONBUILD STOPSIGNAL HEALTHCHECK SHELL"
)
_GIVEN = words(
    "HTTP_PROXY HTTPS_PROXY FTP_PROXY NO_PROXY ALL_PROXY TARGETPLATFORM TARGETOS TARGETARCH TARGETVARIANT BUILDPLATFORM BUILDOS BUILDARCH BUILDVARIANT"
)


def issues(document: Document, place: Place) -> Iterator[Issue]:
    """What is wrong with a Dockerfile."""
    found = instructions(document.source.text)
    known = stages(found)
    images = {number for number, each in enumerate(found) if each.name == "FROM"}
    if not images:
        if found:
            yield Issue(
                found[0].line,
                _S.HIGH,
                _T.MISSING_PART,
                "docker/from",
                "There is no FROM",
                "Begin with the image to build on.",
            )
        return
    last: dict[tuple[int, str], Instruction] = {}
    arguments: set[str] = set()
    for each in found:
        if each.stage == 0 and each.name in _KNOWN - {"ARG", "FROM"}:
            yield Issue(
                each.line,
                _S.HIGH,
                _T.INVALID_VALUES,
                "docker/before-from",
                f"{each.name} stands before FROM",
                "Only ARG may.",
            )
        if each.name == "ARG" and each.stage == 0:
            arguments.update(word.partition("=")[0] for word in each.words)
        if each.name not in _KNOWN:
            near = difflib.get_close_matches(each.name, _KNOWN, 1, 0.6)
            yield Issue(
                each.line,
                _S.HIGH,
                _T.INVALID_VALUES,
                "docker/instruction",
                f"`{each.name[:40]}` is no instruction",
                f"Did you mean {near[0]}?" if near else "A backslash may be missing on the line before.",
            )
            continue
        if each.name in ("CMD", "ENTRYPOINT", "HEALTHCHECK"):
            before = last.get((each.stage, each.name))
            if before is not None:
                yield Issue(
                    before.line,
                    _S.MEDIUM,
                    _T.DUPLICATION,
                    "docker/overridden",
                    f"This {each.name} has no effect; the one on line {each.line} wins",
                    "Remove it.",
                )
            last[each.stage, each.name] = each
        yield from _one(each, known, arguments, place, document.name)


def _one(each: Instruction, known: dict[str, int], arguments: set[str], place: Place, path: str) -> Iterator[Issue]:
    line, name, rest = each.line, each.name, each.rest
    if not rest:
        yield Issue(line, _S.HIGH, _T.MISSING_PART, "docker/empty", f"{name} says nothing", "Complete it.")
    elif name in ("CMD", "ENTRYPOINT", "SHELL", "RUN") and rest.startswith("["):
        try:
            json.loads(rest)
        except (ValueError, RecursionError):
            if re.match(r"\[\s*(?:'[^']*'|\"[^\"]*\"?)\s*[,\]]", rest):
                yield Issue(
                    line,
                    _S.HIGH,
                    _T.INVALID_VALUES,
                    "docker/exec-form",
                    f"The list of {name} is not valid JSON, so a shell gets it as text",
                    "Use double quotes, and commas between.",
                )
    elif name == "EXPOSE":
        for word in each.words:
            ports = [int(port) for port in re.findall(r"\d+", word.partition("/")[0])]
            if "$" not in word and (not ports or any(not 0 < port <= 65535 for port in ports)):
                yield Issue(
                    line, _S.HIGH, _T.INVALID_VALUES, "port-range", "EXPOSE names a port that cannot be", "Correct it."
                )
    elif name == "MAINTAINER":
        yield Issue(line, _S.LOW, _T.END_OF_LIFE, "docker/maintainer", "MAINTAINER is no longer used", "Use LABEL.")
    elif name == "WORKDIR" and rest[0] not in "/$\"'" and not re.match(r"[A-Za-z]:", rest):
        yield Issue(
            line,
            _S.LOW,
            _T.INVALID_VALUES,
            "docker/workdir",
            "WORKDIR is relative: where it leads depends on what came before",
            "Give the whole path.",
        )
    elif name == "FROM":
        for variable in re.findall(r"\$\{?(\w+)", each.words[0] if each.words else ""):
            if variable not in arguments and variable not in _GIVEN:
                yield Issue(
                    line,
                    _S.HIGH,
                    _T.BROKEN_REFERENCE,
                    "docker/arg",
                    f"FROM uses `{variable}`, which no ARG before it declares",
                    "Declare it above the first FROM.",
                )
    elif name == "RUN":
        yield from _run(line, rest)
    elif name in ("COPY", "ADD"):
        yield from _copy(each, known, place, path)
    elif name == "HEALTHCHECK" and not re.match(r"NONE\b|.*\bCMD\b", rest, re.DOTALL):
        yield Issue(
            line, _S.HIGH, _T.INVALID_VALUES, "docker/healthcheck", "HEALTHCHECK has neither CMD nor NONE", "Add CMD."
        )


def _run(line: int, rest: str) -> Iterator[Issue]:
    if re.search(r"\bapt(?:-get)?\s+(?:-\w+\s+)*install\b", rest):
        if not re.search(
            r"\bapt(?:-get)?\s+install\b.*(?:\s-\w*y|\s--yes|--assume-yes)|apt(?:-get)?\s+(?:-\w*y\w*|--yes|-qqy|-qy)\b",
            rest,
            re.DOTALL,
        ):
            yield Issue(
                line,
                _S.HIGH,
                _T.INVALID_VALUES,
                "docker/apt-yes",
                "apt waits for an answer that nobody gives",
                "Add -y.",
            )
        if not re.search(r"\bapt(?:-get)?\s+(?:-\w+\s+)*update\b", rest):
            yield Issue(
                line,
                _S.LOW,
                _T.MISSING_PART,
                "docker/apt-update",
                "Packages are installed without an update in the same step",
                "Run apt-get update before, in the same RUN.",
            )
    if re.fullmatch(r"cd\s+\S+", rest):
        yield Issue(
            line,
            _S.MEDIUM,
            _T.INVALID_VALUES,
            "docker/cd",
            "`cd` in a RUN of its own has no effect on what follows",
            "Use WORKDIR.",
        )


def _copy(each: Instruction, known: dict[str, int], place: Place, path: str) -> Iterator[Issue]:
    origin = each.flag("from")
    listed = each.rest.split("\n", 1)[0]
    words_ = each.words
    if listed.lstrip().startswith("[") or "[" in listed.split("]")[0][:1]:
        try:
            words_ = [str(word) for word in json.loads(re.sub(r"^(?:--\S+\s+)*", "", listed))]
        except (ValueError, TypeError, RecursionError):
            return
    if "<<" in listed:
        return
    if len(words_) < 2:
        yield Issue(
            each.line,
            _S.HIGH,
            _T.MISSING_PART,
            "docker/copy",
            f"{each.name} needs a source and a destination",
            "Add it.",
        )
        return
    if len(words_) > 2 and not words_[-1].endswith(("/", ".")) and "$" not in words_[-1]:
        yield Issue(
            each.line,
            _S.HIGH,
            _T.INVALID_VALUES,
            "docker/copy",
            f"{each.name} of several files needs a folder, ending with `/`, as destination",
            "Add the slash.",
        )
    if origin:
        number = known.get(origin.lower())
        if number is not None and number >= each.stage:
            yield Issue(
                each.line,
                _S.HIGH,
                _T.BROKEN_REFERENCE,
                "docker/stage",
                f"COPY takes from stage `{origin}`, which comes later",
                "Change the order.",
            )
        elif origin.isdigit() and int(origin) >= each.stage - 1:
            yield Issue(
                each.line,
                _S.HIGH,
                _T.BROKEN_REFERENCE,
                "docker/stage",
                "COPY takes from a stage that does not exist",
                "Correct it.",
            )
        elif (
            number is None
            and known
            and not re.search(r"[/:.$@]", origin)
            and not origin.isdigit()
            and (near := difflib.get_close_matches(origin.lower(), known, 1, 0.7))
        ):
            yield Issue(
                each.line,
                _S.HIGH,
                _T.BROKEN_REFERENCE,
                "docker/stage",
                f"There is no stage `{origin}`",
                f"Did you mean `{near[0]}`?",
            )
        return
    for source in words_[:-1]:
        if source.startswith("../"):
            yield Issue(
                each.line,
                _S.HIGH,
                _T.BROKEN_REFERENCE,
                "docker/context",
                f"{each.name} reaches outside the folder that is built",
                "Build from a folder above.",
            )
        elif "://" not in source and place.missing(path, source) and place.missing(".", source):
            yield Issue(
                each.line,
                _S.HIGH,
                _T.BROKEN_REFERENCE,
                "docker/copy",
                f"{each.name} takes `{source[:60]}`, which is not there",
                "Correct the path.",
            )
