"""The accountant whose answers about sets are random: each word costs the epsilon of its draw."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from plantwin.config.accountants import WORDS, Calibrated
from plantwin.errors import ConfigError
from plantwin.types.capability import Capability
from plantwin.types.ledger import Known
from plantwin.types.outcome import Outcome
from plantwin.types.prices import BY_KIND, BY_SENSITIVITY, MILL, RANDOM, field_of
from plantwin.vocabulary import Kind, Sensitivity, StepStatus, member

RANDOMIZED: Final = ("severity", "affected", "count")
"""Words of the outcome of a step on a set that are drawn."""


class Differential(Calibrated):
    """Words of outcomes of sets are drawn at random: each costs its epsilon, whole, to every member."""

    def __init__(
        self,
        epsilon: float,
        sensitivities: Mapping[Sensitivity, int] = BY_SENSITIVITY,
        kinds: Mapping[Kind, int] = BY_KIND,
        scale: float = 1.0,
        tags: Mapping[str, int] | None = None,
    ) -> None:
        """`epsilon`: of one word. Without OpenDP, whose draws are exact whatever floats do, there are none."""
        super().__init__(sensitivities, kinds, scale, tags)
        try:
            from opendp.measurements import make_randomized_response
            from opendp.mod import enable_features
        except ImportError:
            raise ConfigError(
                "budget.accountant: differential needs OpenDP: pip install 'plantwin[differential]', or choose another"
            ) from None
        enable_features("contrib")
        self.noise = self
        self._draws: dict[str, Callable[[str], str]] = {}
        self.epsilons: dict[str, int] = {"status": 0}
        """Price of a word, by field, in thousandths: the epsilon that OpenDP states for its draw, rounded up."""
        for field in RANDOMIZED:
            words = [word.value for word in WORDS[field]]
            draw: Any = make_randomized_response(words, prob=math.exp(epsilon) / (math.exp(epsilon) + len(words) - 1))
            self._draws[field] = draw
            self.epsilons[field] = math.ceil(MILL * draw.map(1))

    def price(self, unit: str, known: Known) -> int:
        """The epsilon of a word that was drawn, nothing for the status beside it, else by its alternatives."""
        field, version = field_of(unit), unit.partition("@")[2]
        if version.startswith(RANDOM) and field in (*self.epsilons, "status"):
            return 0 if unit in known.units else self.epsilons.get(field, 0)
        return super().price(unit, known)

    def randomized(self, outcome: Outcome, capability: Capability, telling: str, heard: Iterable[str]) -> Outcome:
        """Each word as it was told the first time, else drawn now. Status, share examined and tags are not told.

        What has no word counts as `none`, so that whether there is one tells nothing.
        """
        before: dict[str, str] = {}
        for unit in heard:
            statement, _, version = unit.partition("@")
            if version == telling and statement.startswith(f"{capability.unit}."):
                before[field_of(unit)] = statement.partition("=")[2]
        told: dict[str, Any] = {
            field: member(WORDS[field], before.get(field) or draw(str(getattr(outcome, field) or "none")))
            for field, draw in self._draws.items()
        }
        return Outcome(status=StepStatus.DONE, **told)
