"""The seam to execution: the trusted core asks, the private side runs. Only the outcome part comes back here."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from plantwin.types.capability import Capability
from plantwin.types.local import LocalObject, LocalSet, Subject
from plantwin.types.plan import StepInput
from plantwin.types.verdict import Failure
from plantwin.vocabulary import Dimension


class Executed(NamedTuple):
    """What the gatekeeper sees of an execution. The full result stays with the executor, under the step's id."""

    raw: object = None
    """The result's outcome part, unchecked; ignored when it failed."""
    failure: Failure | None = None

    def __repr__(self) -> str:
        return "<Executed private>"


class Scope(NamedTuple):
    """The objects behind a set, a part of a result or a narrower set, as far as the core must know them."""

    cells: tuple[bytes, ...] = ()
    """Accounts of the cells that they lie in."""
    number: int = 0
    few: tuple[LocalObject, ...] = ()
    """They themselves, where they are fewer than `k`."""
    rest: tuple[LocalObject, ...] = ()
    """What narrowing left out, where that is fewer than `k`: it could be found by subtraction."""
    subjects: Mapping[Subject, int] = {}
    version: str = ""
    """A keyed digest of what they are and hold."""

    def __repr__(self) -> str:
        return "<Scope private>"


class Executor(ABC):
    """Runs a capability on real objects and on full results of earlier steps.

    This one knows no sets, looks at nothing besides its inputs and remembers no results. Members of sets have marks:
    keyed digests that last.
    """

    sandboxed: bool = False
    """Whether workers run without network and with a read-only view of their inputs alone."""

    @abstractmethod
    def execute(
        self,
        step: str,
        capability: Capability,
        inputs: Sequence[StepInput],
        *,
        recipe: str = "",
        prepared: str = "",
        permitted: Callable[[Subject], bool] | None = None,
        without: frozenset[str] = frozenset(),
        missing: Sequence[str] = (),
    ) -> Executed:
        """Run `capability` for the step with this id. Inputs are objects, sets, steps and parts of results, in order.

        `recipe` names what is done on what; `prepared` is what `prepare` said, and must still be so. Of sets only
        members that are `permitted` are worked on, and none of those that are `without`, by id. `missing`: what a
        report would have joined, had it given a result.
        """

    def again(self, step: str, recipe: str) -> None:
        """Take the full result of an earlier step with this recipe for this one's."""
        return

    def prepare(self, capability: Capability, inputs: Sequence[StepInput]) -> str:
        """A digest of everything that would run or be read besides the inputs; nothing where there is nothing."""
        return ""

    def sees(self, capability: Capability) -> Sequence[LocalObject]:
        """Objects that code which the capability runs could read besides its inputs."""
        return ()

    def scope(self, inputs: Sequence[StepInput]) -> Scope:
        """What stands behind these sets, parts of results and narrower sets together."""
        return Scope()

    def split(self, set_id: str, by: Dimension) -> Sequence[LocalSet]:
        """A set as smaller sets; nothing where it cannot be cut."""
        return ()

    def behind(self, inputs: Sequence[StepInput], without: Collection[str] = ()) -> frozenset[str]:
        """Marks of all objects behind these inputs, but for those `without`, by id."""
        return frozenset()

    def cells(self) -> Mapping[bytes, frozenset[str]]:
        """Marks of the members of every cell, by its account."""
        return {}

    def alone(self, marks: Collection[str]) -> Sequence[LocalObject]:
        """These members by themselves."""
        return ()
