"""Terraform, CloudFormation and Kubernetes through checkov, in a Python process of its own for all files of a call."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from plantwin.private.capabilities.adapters.examine import Reported, finding
from plantwin.private.capabilities.adapters.installed import Installed
from plantwin.private.capabilities.adapters.process import Checkout, python, run

SECONDS = 100.0
FRAMEWORKS = {"Terraform": "terraform", "CloudFormation": "cloudformation", "Kubernetes": "kubernetes"}
"""By our own names of the technologies."""
_ENSURE = re.compile(r"^(?:ensures?(?: that)?|make sure(?: that)?)\s+", re.IGNORECASE)


class Row(msgspec.Struct, frozen=True, array_like=True):
    """One failed check."""

    path: str
    first: int
    last: int
    check: str
    name: str
    resource: str


class Answer(msgspec.Struct, frozen=True):
    """What `checkov_run` prints."""

    rows: list[Row]
    unparsed: list[str]
    """Files that checkov could not read."""
    covers: list[str]
    """Types of resources that it has checks for."""


def checkov(engine: Installed, files: Checkout) -> Iterator[Reported]:
    """Audit declared infrastructure. The first part of a copy's name, before `=`, is its framework."""
    words = python("plantwin.private.capabilities.adapters.checkov_run", files.folder)
    answer = msgspec.json.decode(run(words, files.folder, seconds=SECONDS), type=Answer)
    yield Reported("", None, covers=frozenset(answer.covers))
    for path in answer.unparsed:
        yield Reported(path, None)
    for row in answer.rows:
        wanted = _ENSURE.sub("", row.name)
        message = f"`{row.resource}` does not meet: {wanted}"
        made = finding("checkov", row.check, row.first, message, reference="checkov")
        yield Reported(row.path, made, row.last)
