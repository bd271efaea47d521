"""The seam to execution: the trusted core asks, the private side runs. Only the outcome part comes back here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from plantwin.types.capability import Capability
from plantwin.types.verdict import Failure


class Executed(NamedTuple):
    """What the gatekeeper sees of an execution. The full result stays with the executor, under the step's id."""

    raw: object = None
    """The result's outcome part, unchecked; ignored when it failed."""
    failure: Failure | None = None

    def __repr__(self) -> str:
        return "<Executed private>"


class Executor(Protocol):
    """Runs a capability on real objects and on full results of earlier steps."""

    sandboxed: bool
    """Whether workers run without network and with a read-only view of their inputs alone."""

    def execute(self, step: str, capability: Capability, inputs: Sequence[str]) -> Executed:
        """Run `capability` for the step with this id. Inputs are object ids and ids of earlier steps, in order."""
        ...
