"""One session's line to one planner: who hears, what it may hear, what that costs, and where it is recorded."""

from __future__ import annotations

from typing import NamedTuple

from plantwin.boundary.authority import Authority
from plantwin.boundary.budget import Accountant, Accounts
from plantwin.boundary.ledger.interface import Audience, Ledger, Limits, Standing


class Channel(NamedTuple):
    """What releasing and gatekeeping share."""

    session: str
    audience: Audience
    ledger: Ledger
    accountant: Accountant
    authority: Authority
    limits: Limits = Limits()

    def accounts(self, standing: Standing) -> Accounts:
        """The accounts as they stand, with room for as many units as the hour still allows."""
        return Accounts(self.accountant, standing.known, self.limits.fields_per_hour - standing.fields)
