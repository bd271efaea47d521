"""Which account each record has, and from which accounts it inherits what was told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

from plantwin.private.lineage.features import Features, likeness
from plantwin.private.lineage.store import Content, Remembered, Spot
from plantwin.private.state import State


class Inheritance(Protocol):
    """The ledger's part in this."""

    def inherit(self, key: bytes, ancestors: Sequence[bytes]) -> None:
        """Take over what was told of the ancestors."""
        ...


class Observed(NamedTuple):
    """What a record is found to be."""

    place: bytes
    digest: bytes
    """Empty when there is no content."""
    telling: bool
    """Whether equal content means the same object."""
    features: Features
    """Empty when the content is known."""
    secret: bool


class Accounts:
    """Which account each record has, and from which it inherits."""

    def __init__(
        self,
        remembered: Remembered,
        state: State,
        followed: frozenset[bytes],
        here: Callable[[], frozenset[bytes]],
        *,
        only_gone: bool,
        shared: bool = False,
    ) -> None:
        """`followed`: the places of the records that are added. `here`: of all that are in the folder.

        `shared`: accounts follow from contents, so that they are the same on every machine.
        """
        self._shared = shared
        self.accounts: dict[int, bytes] = {}
        """By the record's number."""
        self._remembered, self._state, self._only_gone = remembered, state, only_gone
        self._followed, self._here = followed, here
        self._ancestors: dict[bytes, set[bytes]] = {}
        self._new: dict[bytes, tuple[Observed, bytes, Spot | None]] = {}
        self._contents: dict[bytes, bytes] = {}
        """Accounts of contents that are not remembered yet."""
        self._secrets: list[tuple[Features, bytes]] = []
        self._kin: dict[bytes, tuple[Content | None, set[bytes], bytes | None]] = {}

    def add(self, number: int, now: Observed, before: Spot | None, former: set[bytes]) -> None:
        """Find the account of a record. `former`: the places where git knows that it was."""
        content, kin, near = self._kindred(now)
        if self._shared and now.telling:
            account = now.digest
        elif content is not None:
            account = content.account
        elif now.digest in self._contents:
            account = self._contents[now.digest]
        else:
            account = (near if now.secret else None) or self._own(now, before)
            if now.telling:
                self._contents[now.digest] = account
                if now.secret:
                    self._secrets.append((now.features, account))
        changed = before is None or before.digest != now.digest
        ancestors = kin - {account}
        if self._only_gone or not changed:
            # It may have been elsewhere and come back. What is still here is an object of its own.
            ancestors = {ancestor for ancestor in ancestors if not self._present(ancestor, now.place)}
        if content is not None and content.account != account:
            ancestors.add(content.account)
        for place in former:
            spot = self._remembered.spot(place)
            ancestors.add(spot.account if spot else place)
        if before is not None:
            ancestors.add(before.account)
        self.accounts[number] = account
        self._ancestors.setdefault(account, set()).update(ancestors)
        if changed or before is None or before.account != account:
            self._new[now.place] = (now, account, before)

    def inheritances(self) -> Iterator[tuple[bytes, set[bytes]]]:
        """Accounts with all from which they take over, those of their ancestors too."""
        for account in self._ancestors:
            found = {account}
            waiting = [account]
            while waiting:
                new = self._ancestors.get(waiting.pop(), set()) - found
                found |= new
                waiting += new
            if ancestors := found - {account}:
                yield account, ancestors

    def remember(self) -> None:
        """Keep what is there now."""
        for place, (now, account, before) in self._new.items():
            self._remembered.put(place, Spot(now.digest, account))
            if now.telling:
                self._remembered.keep(now.digest, account, now.features)
                if before is not None and before.account != account:
                    # What is yet told of the account that it leaves, by a session under way, is found from here.
                    self._remembered.keep(now.digest, before.account)

    def _kindred(self, now: Observed) -> tuple[Content | None, set[bytes], bytes | None]:
        """The content if it is known, accounts of the same and of related contents, and the nearest one's."""
        if not now.telling:
            return None, set(), None
        found = self._kin.get(now.digest)
        if found is None:
            content = self._remembered.content(now.digest)
            kin = self._remembered.holders(content) if content else set()
            near: bytes | None = None
            mine, number = (content.features, content.number) if content else (now.features, 0)
            for other, close in self._remembered.related(mine, number):
                kin |= self._remembered.holders(other)
                if close and near is None:
                    near = other.account
            if near is None and now.secret:
                near = next((secret for kept, secret in self._secrets if likeness(kept, now.features).near), None)
            found = self._kin[now.digest] = (content, kin, near)
        return found

    def _own(self, now: Observed, before: Spot | None) -> bytes:
        """The account that it has, unless it shares it; else one that follows from its place."""
        for account in ([before.account] if before else []) + [now.place]:
            if all(place == now.place for place in self._remembered.places(account)):
                return account
        return self._state.keyed("diverged", now.place + now.digest)

    def _present(self, account: bytes, place: bytes) -> bool:
        """Whether another object here has this account."""
        others = [other for other in self._remembered.places(account) if other != place]
        # Which places there are at all costs more to find out than which of them are being followed.
        return not self._followed.isdisjoint(others) or any(other in self._here() for other in others)
