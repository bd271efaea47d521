"""Instructions of a Dockerfile, with continuation lines and here-documents joined."""

from __future__ import annotations

import re
from typing import NamedTuple

from plantwin.private.facts import private
from plantwin.private.formats.values import words

INSTRUCTIONS = words(
    "FROM RUN CMD LABEL MAINTAINER EXPOSE ENV ADD COPY ENTRYPOINT VOLUME USER WORKDIR ARG ONBUILD STOPSIGNAL "
    "HEALTHCHECK SHELL"
)
LINES = 20_000
LONGEST = 20_000
_CONTINUED = 400_000
"""Characters of continued lines that are kept of one instruction."""
_HERE = re.compile(r"<<-?\s{0,4}[\"']?([A-Za-z_]\w{0,60})[\"']?")
_STAGE = re.compile(r"\s+AS\s+([\w.-]{1,120})\s*$", re.IGNORECASE)


@private
class Instruction(NamedTuple):
    """One instruction."""

    line: int
    name: str
    """In capitals."""
    rest: str
    stage: int
    """How many FROM come before it, itself included."""

    @property
    def words(self) -> list[str]:
        """Return what follows, without its flags."""
        return [word for word in self.rest.split() if not word.startswith("--")]

    def flag(self, name: str) -> str:
        """Return the value of `--name=value`."""
        found = re.search(rf"(?:^|\s)--{name}=(\S+)", self.rest)
        return found[1] if found is not None else ""


def instructions(text: str) -> list[Instruction]:
    """Return the instructions in order."""
    found: list[Instruction] = []
    lines = text.split("\n")[:LINES]
    escape = "`" if re.match(r"(?:\s*#[^\n]*\n){0,3}\s*#\s*escape\s*=\s*`", text[:400]) else "\\"
    at, stage = 0, 0
    while at < len(lines):
        start = at + 1
        bare = lines[at].strip()
        at += 1
        if not bare or bare.startswith("#"):
            continue
        parts = [bare[:LONGEST]]
        size = 0
        while parts[-1].endswith(escape) and at < len(lines):
            parts[-1] = parts[-1][:-1].rstrip()
            following = lines[at].strip()
            at += 1
            while (not following or following.startswith("#")) and at < len(lines):
                following = lines[at].strip()
                at += 1
            size += len(following)
            parts.append(following[:LONGEST] if size < _CONTINUED else "")
        joined = " ".join(part for part in parts if part)
        name, *following_words = joined.split(None, 1)
        name, rest = name.upper(), "".join(following_words)
        if name in ("RUN", "COPY", "ADD"):
            for mark in _HERE.findall(rest)[:8]:
                end = next((n for n in range(at, len(lines)) if lines[n].strip() == mark), len(lines))
                rest += "\n" + "\n".join(lines[at:end])[:LONGEST]
                at = min(end + 1, len(lines))
        if name == "FROM":
            stage += 1
        found.append(Instruction(start, name, rest.strip(), stage))
    return found


def stages(found: list[Instruction]) -> dict[str, int]:
    """Return the names of stages with their numbers."""
    named: dict[str, int] = {}
    for instruction in found:
        if instruction.name == "FROM":
            match = _STAGE.search(instruction.rest)
            if match is not None:
                named[match[1].lower()] = instruction.stage
    return named
