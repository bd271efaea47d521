"""Settings of `[budget]`: what disclosure costs, where it ends, and who sets the prices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

import msgspec
from msgspec import Meta
from msgspec.structs import asdict

from plantwin.boundary.budget import Weighted
from plantwin.config.accountants import Folder, accountant
from plantwin.types.capability import Capability
from plantwin.types.prices import BY_KIND, BY_SENSITIVITY, CELL, COSTS, MILL
from plantwin.vocabulary import Kind, Sensitivity, member

NATS: Final = 5
"""Nats for a point: with so many, plans are as good as with the paper's weights (`bench privacy`)."""
Weight = Annotated[float, Meta(ge=0, le=1000)]


Who = Annotated[str, Meta(pattern=r"^(weighted|calibrated|entropy|k-anonymity|differential)\Z")]


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One section of the file."""


Costs = msgspec.defstruct(
    "Costs", [(name, Weight, cost / MILL) for name, cost in COSTS.items()], bases=(Section,), module=__name__
)
Levels = msgspec.defstruct(
    "Levels", [(each.value, Weight, most / MILL) for each, most in BY_SENSITIVITY.items()], bases=(Section,)
)
Kinds = msgspec.defstruct(
    "Kinds",
    [(each.value, Weight | None, BY_KIND[each] / MILL if each in BY_KIND else None) for each in Kind],
    bases=(Section,),
)


class Thresholds(Section, frozen=True):
    """Most that one audience may ever be told of an object; of several that apply, the smallest."""

    sensitivity: Levels = Levels()  # type: ignore[valid-type]
    kind: Kinds = Kinds()  # type: ignore[valid-type]
    sets: Weight = CELL / MILL
    """For what is told of an object as one of many: of the sets that it is in, each statement at its share."""


class Budget(Section, frozen=True):
    """What disclosure costs and where it ends."""

    accountant: Who = "k-anonymity"
    audiences: dict[Annotated[str, Meta(pattern=r"^[a-z0-9._-]{1,64}\Z")], Who] = {}
    """Who sets prices for these audiences, where it is another one."""
    epsilon: Annotated[float, Meta(ge=0.1, le=10)] = 1.0
    """Of one random word, with `differential`."""
    costs: Costs = Costs()  # type: ignore[valid-type]
    thresholds: Thresholds = Thresholds()
    scale: Annotated[float, Meta(ge=0, le=100)] = 1.0
    refresh: Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,3}[hdw]\Z")] | None = None
    ration_local: bool = False
    """Whether budgets refuse to planners that cannot send anything to anybody, too; by default they are counted."""

    def chosen(self, catalog: Iterable[Capability], folder: Folder, k: int) -> Weighted:
        """Who sets prices and limits. `folder`: all objects, for those who look at all of them; `k` must stay alike."""
        by_level, by_kind = asdict(self.thresholds.sensitivity), asdict(self.thresholds.kind)
        levels = {member(Sensitivity, level): self._mills(most) for level, most in by_level.items()}
        kinds = {member(Kind, kind): self._mills(most) for kind, most in by_kind.items() if most is not None}
        if self.accountant == "weighted":
            costs = {field: round(cost * MILL) for field, cost in asdict(self.costs).items()}
            return Weighted(costs, levels, kinds, self.scale)
        tags = {each.unit: len(each.tags) for each in catalog}
        return accountant(
            self.accountant, levels, kinds, self.scale, tags=tags, folder=folder, k=k, epsilon=self.epsilon
        )

    @property
    def cell(self) -> int:
        """Most that may be told of an object as one of many."""
        return int(self._mills(self.thresholds.sets) * self.scale)

    def _mills(self, points: float) -> int:
        """A threshold in thousandths of the accountant's unit."""
        return round(points * (1 if self.accountant == "weighted" else NATS) * MILL)
