"""The whole plan before the first step runs: which steps cannot, and the most that the others can cost."""

from __future__ import annotations

from typing import NamedTuple

from plantwin.types.plan import Step
from plantwin.types.verdict import Denied


class Priced(NamedTuple):
    """One step as admission sees it: refused already, or with the most it can cost."""

    step: Step
    refusal: Denied | None
    objects: tuple[str, ...]
    """Ids of the objects that its outcome tells about."""
    price: int
    """Most that it can cost each of them, in thousandths."""


class Admission(NamedTuple):
    """The whole plan, checked and priced before the first step runs."""

    steps: tuple[Priced, ...]
    order: tuple[int, ...]

    @property
    def price(self) -> int:
        """Most that the admissible steps can cost over all objects."""
        return sum(each.price * len(each.objects) for each in self.steps if each.refusal is None)
