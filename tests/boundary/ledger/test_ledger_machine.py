"""Any sequence of releases, refusals, crashes, sessions and inheritance leaves the ledger as a simple model has it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from ledger_places import PostgresPlace, SqlitePlace, key

from plantwin.errors import LedgerError
from plantwin.ledgers.records import read_statements
from plantwin.ledgers.verification import verify
from plantwin.types.ledger import Audience, Charge, Decision, Entry

THRESHOLD = 3_000
EXAMPLES = 18
NAMES = ("a", "b", "c", "d")
AUDIENCES = (
    Audience("alpha", ("alpha",)),
    Audience("beta", ("beta", "gamma")),
    Audience("gamma", ("beta", "gamma")),
)
names = st.sampled_from(NAMES)
audiences = st.sampled_from(AUDIENCES)
charges = st.lists(
    st.tuples(names, st.sampled_from(("kind=x", "role=x", "role=y", "lacks=x", "edge=x")), st.integers(0, 1_500)),
    max_size=4,
)


class CrashError(Exception):
    """The process dies inside a transaction."""


class Machine(RuleBasedStateMachine):
    """The model: every row ever told, as a list."""

    refresh: float | None = None

    def make(self, folder: Path):
        raise NotImplementedError

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.place = self.make(Path(self.folder.name))
        self.sessions = [self.place.open(refresh=self.refresh)]
        self.rows: list[tuple[str, str, str, int, float]] = []
        self.lines = 0
        self.turns: list[tuple[str, float]] = []
        self.highest: dict[tuple[str, str], int] = {}

    def teardown(self):
        self.place.__exit__()
        self.folder.cleanup()

    def spent(self, name, audience, *, ever=False):
        costs: dict[str, int] = {}
        for row_name, told, unit, cost, at in self.rows:
            counts = ever or self.refresh is None or at > self.place.now - self.refresh
            if row_name == name and told in audience.shared and counts:
                costs[unit] = max(cost, costs.get(unit, 0))
        return sum(costs.values())

    def units(self, name, audience):
        return {row[2] for row in self.rows if row[0] == name and row[1] in audience.shared}

    @property
    def session(self):
        return self.sessions[-1]

    @rule(audience=audiences, wanted=charges, entries=st.integers(0, 2))
    def release(self, audience, wanted, entries):
        """What a careful caller does: take what fits, refuse the rest."""
        keys = [key(name) for name in NAMES]

        def decide(standing):
            made = []
            known = standing.known
            spent = {name: known[key(name)].spent for name in NAMES}
            seen = {name: set(known[key(name)].units) for name in NAMES}
            for name, unit, cost in wanted:
                if unit not in seen[name] and spent[name] + cost <= THRESHOLD:
                    made.append((name, unit, cost))
                    spent[name] += cost
                    seen[name].add(unit)
            return Decision(
                made,
                tuple(Charge(key(name), unit, cost) for name, unit, cost in made),
                dict.fromkeys(keys, THRESHOLD),
                (Entry("envelope", b"{}"),) * entries,
            )

        made = self.session.transact(audience, keys, decide).value
        self.rows += [(name, audience.name, unit, cost, self.place.now) for name, unit, cost in made]
        self.lines += entries + bool(made)
        for name, _, _ in made:
            assert self.spent(name, audience) <= THRESHOLD

    @rule(audience=audiences, wanted=charges.filter(len))
    def careless(self, audience, wanted):
        """What does not fit is refused whole; what fits is taken whole."""
        fresh = len({(name, unit) for name, unit, _ in wanted}) == len(wanted)
        fresh = fresh and all(unit not in self.units(name, audience) for name, unit, _ in wanted)
        sums = {name: self.spent(name, audience) for name, _, _ in wanted}
        for name, _, cost in wanted:
            sums[name] += cost
        fits = fresh and all(total <= THRESHOLD for total in sums.values())
        made = tuple(Charge(key(name), unit, cost) for name, unit, cost in wanted)
        decision = Decision(None, made, {each.key: THRESHOLD for each in made})
        keys = [key(name) for name in NAMES]
        if fits:
            self.session.transact(audience, keys, lambda known: decision)
            self.rows += [(name, audience.name, unit, cost, self.place.now) for name, unit, cost in wanted]
            self.lines += 1
        else:
            with pytest.raises(LedgerError):
                self.session.transact(audience, keys, lambda known: decision)

    @rule(audience=audiences)
    def crash_inside(self, audience):
        def decide(known):
            raise CrashError

        with pytest.raises(CrashError):
            self.session.transact(audience, [key("a")], decide)
        self.sessions.pop().close()
        self.sessions.append(self.place.open(refresh=self.refresh))

    @rule(name=names, ancestors=st.lists(names, max_size=3))
    def inherit(self, name, ancestors):
        self.session.inherit(key(name), [key(each) for each in ancestors])
        rows = [row for row in self.rows if row[0] == name or row[0] in ancestors]
        kept, new = [], []
        # Its own first; of the others whatever is dearer or younger than all that is there.
        for row in sorted(rows, key=lambda row: (row[0] != name, -row[3], -row[4])):
            if not any(own[1:3] == row[1:3] and own[3] >= row[3] and own[4] >= row[4] for own in kept):
                kept.append(row)
                new += [(name, *row[1:])] if row[0] != name else []
        self.rows += new
        self.lines += bool(new)

    @rule(audience=audiences)
    def turn(self, audience):
        self.session.note(audience.name, "turn", [Entry("plan", b"{}")])
        self.turns.append((audience.name, self.place.now))
        self.lines += 1

    @precondition(lambda self: len(self.sessions) < 4)
    @rule()
    def another_session(self):
        self.sessions.append(self.place.open(refresh=self.refresh))

    @rule()
    def other_session(self):
        self.sessions.insert(0, self.sessions.pop())

    @rule(seconds=st.integers(1, 80) | st.just(2000))
    def time_passes(self, seconds):
        self.place.now += seconds

    @invariant()
    def agrees_with_the_model(self):
        for audience in AUDIENCES:
            known = self.session.known(audience, [key(name) for name in NAMES])
            statements = list(read_statements(self.session, audience.name))
            assert len(statements) == sum(row[1] == audience.name for row in self.rows)
            for name in NAMES:
                assert known[key(name)] == (self.units(name, audience), self.spent(name, audience))
                assert {each.unit for each in statements if each.key == key(name)} <= known[key(name)].units
                if self.refresh is None:
                    assert known[key(name)].spent >= self.highest.get((name, audience.name), 0)
                    self.highest[name, audience.name] = known[key(name)].spent
            since = (self.place.now - 3600) // 60  # events are counted by the minute
            assert self.session.standing(audience).turns == sum(
                told in audience.shared and at // 60 >= since for told, at in self.turns
            )

    @invariant()
    def the_trail_is_whole(self):
        assert verify(self.session)[::2] == (self.lines, "")


def machine(made, period):
    class Made(Machine):
        refresh = period

        def make(self, folder):
            return made(folder)

    return Made


@pytest.mark.parametrize("refresh", [None, 100.0])
def test_sqlite_agrees_with_a_model(refresh):
    run_state_machine_as_test(
        machine(SqlitePlace, refresh),
        settings=settings(
            max_examples=EXAMPLES, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )


@pytest.mark.parametrize("refresh", [None, 100.0])
def test_postgres_agrees_with_a_model(server, refresh):
    run_state_machine_as_test(
        machine(lambda folder: PostgresPlace(server, folder), refresh),
        settings=settings(
            max_examples=EXAMPLES // 3, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
