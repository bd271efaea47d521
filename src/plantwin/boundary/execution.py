"""The seam to execution: the trusted core asks, the private side runs. Only the outcome part comes back here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from plantwin.boundary.local_object import LocalObject
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

    def prepare(self, capability: Capability, inputs: Sequence[str]) -> str:
        """A digest of everything that would run or be read besides the inputs; nothing where there is nothing."""
        ...

    def execute(
        self, step: str, capability: Capability, inputs: Sequence[str], *, recipe: str = "", prepared: str = ""
    ) -> Executed:
        """Run `capability` for the step with this id. Inputs are object ids and ids of earlier steps, in order.

        `recipe` names what is done on what; `prepared` is what `prepare` said, and must still be so.
        """
        ...

    def again(self, step: str, recipe: str) -> None:
        """Take the full result of an earlier step with this recipe for this one's."""
        ...

    def sees(self, capability: Capability) -> Sequence[LocalObject]:
        """Objects that code which the capability runs could read besides its inputs."""
        ...
