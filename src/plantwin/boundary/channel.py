"""One session's line to one planner: who hears, what it may hear, what that costs, and where it is recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from plantwin.boundary.authority import Authority
from plantwin.boundary.budget import Accounts, Payer, Sharing, accounts_of
from plantwin.types.accounting import Accountant
from plantwin.types.ledger import (
    Audience,
    Decision,
    Entry,
    Ledger,
    Limits,
    Receipt,
    Recorded,
    Standing,
    T,
    canonical_json,
)


class Channel(NamedTuple):
    """What releasing and gatekeeping share. Here alone accounts are read and charged."""

    session: str
    audience: Audience
    ledger: Ledger
    accountant: Accountant
    authority: Authority
    limits: Limits = Limits()
    sharing: Sharing = Sharing()

    def standing(self, payers: Iterable[Payer]) -> Standing:
        """How the audience stands with these now; what follows from it is decided again when it is charged."""
        return self.ledger.standing(self.audience, accounts_of(payers))

    def accounts(self, standing: Standing) -> Accounts:
        """The accounts as they stand, with room for as many units and refusals as the hour still allows."""
        room = self.limits.fields_per_hour - standing.fields
        refusals = self.limits.refusals_per_hour - standing.refusals
        return Accounts(self.accountant, standing.known, self.sharing, room, refusals)

    def charge(
        self, payers: Iterable[Payer], decide: Callable[[Accounts], Decision[T]], more: Iterable[bytes] = ()
    ) -> Recorded[T]:
        """Let `decide` take from the accounts of these, and record that with its lines, in one transaction.

        `more`: keys of other accounts that it looks at.
        """

        def deciding(standing: Standing) -> Decision[T]:
            accounts = self.accounts(standing)
            value, _, _, entries, events = decide(accounts)
            return Decision(value, accounts.charges, accounts.thresholds, entries, events)

        return self.ledger.transact(self.audience, accounts_of(payers, more), deciding)

    def note(self, event: str, entry: Entry) -> Receipt:
        """Record a line that tells nothing new of any object."""
        return self.ledger.note(self.audience.name, event, (entry,))[0]

    def entry(self, kind: str, body: Mapping[str, object]) -> Entry:
        """A line of the trail."""
        return Entry(kind, canonical_json({"session": self.session, **body}))
