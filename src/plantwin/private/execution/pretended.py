"""An executor that runs nothing: for plans that are judged, priced or timed, and not carried out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from plantwin.boundary.execution import Executed
from plantwin.boundary.local_object import LocalObject
from plantwin.types.capability import Capability


class PretendedExecutor:
    """Answers every step with an outcome that is made up from its capability."""

    def __init__(self, outcome: Callable[[Capability], Mapping[str, object]], *, sandboxed: bool = True) -> None:
        self.sandboxed = sandboxed
        self._outcome = outcome

    def prepare(self, capability: Capability, inputs: Sequence[str]) -> str:
        """Nothing will run."""
        return ""

    def again(self, step: str, recipe: str) -> None:
        """There are no results."""

    def sees(self, capability: Capability) -> Sequence[LocalObject]:
        """Nothing is read."""
        return ()

    def execute(
        self, step: str, capability: Capability, inputs: Sequence[str], *, recipe: str = "", prepared: str = ""
    ) -> Executed:
        """Return the made-up outcome."""
        return Executed(self._outcome(capability))
