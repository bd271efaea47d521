"""The paper's definitions on real folders: anonymity sets, calibration, what is learned for what is charged, linking.

Gain is what a listener who knows the whole folder learns of which object is meant: ln of all objects over those that
what was told leaves. It is what re-identification feeds on, and no accountant that bounds information may charge less.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate
from operator import eq
from pathlib import Path
from statistics import median
from typing import Final

import msgspec

from plantwin.config.accountants import CHOICES, Lookalikes, statements
from plantwin.config.settings import Settings
from plantwin.private.environment import Environment
from plantwin.private.facts import Record
from plantwin.private.project import build, nameless
from plantwin.types.capability import FIELDS
from plantwin.types.identity import Issuer
from plantwin.types.ledger import Known
from plantwin.types.prices import COSTS, MILL
from plantwin.types.twin import TwinObject
from plantwin_evals.configurations import ACCOUNTANTS
from plantwin_evals.figures import lines
from plantwin_evals.tables import Table

TOLD: Final = tuple(field for field in FIELDS if field not in ("edges", "component"))
"""Fields whose words are the object's own, in the order in which they are told."""
MEASURED: Final = "ln b_f"
"""The paper's weights, calibrated exactly as its theorem 3 asks for."""
SESSIONS: Final = 1000
FEW: Final = 20
"""Objects of a pair of sessions that are linked."""


def theory(
    roots: Sequence[Path],
    state: Path,
    progress: Callable[[int, int], None] | None = None,
    figures: Path | None = None,
) -> list[Table]:
    """All tables, over these folders. `figures`: where two are drawn."""
    folders: dict[str, list[Record]] = {}
    for number, root in enumerate(roots, 1):
        folders[root.name] = list(Environment(root, state=state, keep=False).scan(jobs=1).records())
        if progress:
            progress(number, len(roots))
    objects = {name: [nameless(each) for each in records] for name, records in folders.items()}
    if figures is not None:
        _draw(objects, figures)
    return [_calibration(objects), _anonymity(objects), _linkable(objects), _charges(objects), _ids(folders)]


def _draw(folders: dict[str, list[TwinObject]], place: Path) -> None:
    """Draw how many objects look the same as fields are told, and what each field alone leaves of them."""
    place.mkdir(parents=True, exist_ok=True)
    fields = [field for field in TOLD if field != "amounts"]
    after, alone = {}, {}
    for name, objects in folders.items():
        sizes = [_sizes(each, lookalikes) for lookalikes in [Lookalikes(objects)] for each in objects]
        after[name] = [median(each[TOLD.index(field)] for each in sizes) for field in fields]
        by_field = [Counter(_words(each, field) for each in objects) for field in fields]
        alone[name] = [
            sum(count * math.log(len(objects) / count) for count in found.values()) / len(objects) for found in by_field
        ]
    (place / "anonymity.svg").write_text(lines(fields, after, "objects that look the same (median)", log=True))
    (place / "fields.svg").write_text(lines(fields, alone, "nats that a field alone tells of which object"))


def _words(each: TwinObject, field: str) -> frozenset[str]:
    return frozenset(word for word in statements(each) if word.startswith(f"{field}="))


def _sizes(each: TwinObject, lookalikes: Lookalikes) -> list[int]:
    """How many objects look like one after each field."""
    by_field = [sorted(_words(each, field)) for field in TOLD]
    return [lookalikes.size(told) for told in accumulate(by_field, lambda before, more: [*before, *more])]


def _branching(objects: Sequence[TwinObject], field: str) -> int:
    """The paper's b_f: as classes only shrink, it is the number of values in the whole folder."""
    return len({_words(each, field) for each in objects})


def _linkable(folders: dict[str, list[TwinObject]]) -> Table:
    """Theorem 2: ε as it states it for patterns that are all as likely, and as it is for those that there are."""
    rows = []
    for name, objects in folders.items():
        cells: list[str] = []
        for fields in (TOLD[:1], TOLD[:2], TOLD):
            patterns = Counter(tuple(_words(each, field) for field in fields) for each in objects)
            cells += [f"{math.log(len(patterns)):.2f}", f"{math.log(len(objects) / min(patterns.values())):.2f}"]
        rows.append((name, len(objects), *cells))
    columns = ("folder", "objects", "kind", "kind, holds", "+ class", "holds", "all fields", "all, holds")
    note = "ln of the number of patterns, and what holds: a rare pattern links with odds of one over its frequency."
    return Table("unlinkability", "ε of linking two sessions by what both told", columns, rows, note)


def _calibration(folders: dict[str, list[TwinObject]]) -> Table:
    every = [each for objects in folders.values() for each in objects]
    rows = []
    for field in TOLD:
        if field == "amounts":
            continue
        seen = {word for each in every for word in statements(each) if word.startswith(f"{field}=")}
        weight = COSTS[field] / MILL
        need = max(math.log(_branching(objects, field)) for objects in folders.values())
        words = math.log(CHOICES[field])
        holds = "yes" if weight >= need else "no"
        rows.append((field, CHOICES[field], len(seen), f"{words:.2f}", f"{need:.2f}", f"{weight:.2f}", holds))
    note = "values: words that could stand there, absence included. The paper needs a weight of ln b_f, measured here."
    columns = ("field", "values", "seen", "ln values", "ln b_f", "weight", "holds")
    return Table("calibration", "Weights against what a word can tell", columns, rows, note)


def _anonymity(folders: dict[str, list[TwinObject]]) -> Table:
    """How many objects look like one when its fields are told one after the other."""
    rows = []
    for name, objects in folders.items():
        lookalikes = Lookalikes(objects)
        sizes = [_sizes(each, lookalikes) for each in objects]
        at = [TOLD.index(field) for field in ("kind", "semantic_class", "sensitivity", "contains", TOLD[-1])]
        alone = sum(each[-1] == 1 for each in sizes) / len(sizes)
        rows.append((name, len(objects), *(f"{median(each[place] for each in sizes):g}" for place in at), alone))
    columns = ("folder", "objects", "kind", "+ class", "+ sensitivity", "+ contents", "all fields", "alone")
    note = "Median of the objects that look the same as fields are told; alone: share that nothing else looks like."
    return Table("anonymity", "The size of the anonymity set", columns, rows, note)


def _charges(folders: dict[str, list[TwinObject]]) -> Table:
    """Gain and charge after every word, since a budget may end after any."""
    rows = []
    for name in (*ACCOUNTANTS, MEASURED):
        short, worst, total, gains, charged = 0, 0.0, 0, 0.0, 0.0
        for objects in folders.values():
            lookalikes = Lookalikes(objects)
            budget = msgspec.structs.replace(Settings().budget, accountant="weighted" if name == MEASURED else name)
            accountant = budget.chosen((), [(each, b"") for each in objects], 5)
            branching = {field: math.log(_branching(objects, field)) for field in TOLD}
            for each in objects:
                told = [word for field in TOLD for word in statements(each) if word.partition("=")[0] == field]
                if name == MEASURED:  # once for the field, whatever its words are
                    fields = [word.partition("=")[0] for word in told]
                    costs = [branching[field] * (field not in fields[:at]) for at, field in enumerate(fields)]
                else:
                    costs = [accountant.price(word, Known()) / MILL for word in told]
                prices = list(accumulate(costs))
                learned = [math.log(len(objects) / lookalikes.size(told[:end])) for end in range(1, len(told) + 1)]
                missing = max(gain - charge for gain, charge in zip(learned, prices, strict=True))
                total, gains, charged = total + 1, gains + learned[-1], charged + prices[-1]
                short, worst = short + (missing > 0), max(worst, missing)
        rows.append((name, total, short, f"{worst:.2f}", f"{gains / total:.2f}", f"{charged / total:.2f}"))
    columns = ("accountant", "objects", "charged too little", "by at most", "mean gain", "mean charge")
    note = "In nats, after each word, in the order in which they are told. Points of the weighted one stand for nats."
    return Table("charges", "What is learned for what is charged", columns, rows, note)


def _ids(folders: dict[str, list[Record]]) -> Table:
    """Two sessions of one folder: who links objects by their ids alone, or by their order, must not beat chance."""
    rows = []
    source = random.Random(20)  # noqa: S311 - a simulation; the ids are random all the same
    for name, records in folders.items():
        right, shared = {"id": 0, "order": 0}, 0
        for _ in range(SESSIONS):
            few = source.sample(records, min(len(records), FEW))
            sessions = [build(list(few), (), Issuer()) for _ in range(2)]
            ids = [{record.number: id_ for id_, record in made.objects.items()} for made in sessions]
            places = [{each.object_id: at for at, each in enumerate(made.twin.objects)} for made in sessions]
            shared += len(set(ids[0].values()) & set(ids[1].values()))
            one, other = (each.number for each in source.sample(few, 2))
            letters = [-sum(map(eq, ids[0][one], ids[1][each])) for each in (one, other)]
            orders = [abs(places[0][ids[0][one]] - places[1][ids[1][each]]) for each in (one, other)]
            for way, far in (("id", letters), ("order", orders)):
                right[way] += far[0] < far[1] or (far[0] == far[1] and source.random() < 0.5)
        bound = 1.96 * math.sqrt(0.25 / SESSIONS)
        rows.append((name, *(right[way] / SESSIONS for way in ("id", "order")), shared, f"0.5 ± {bound:.3f}"))
    columns = ("folder", "by id", "by order", "ids in both", "chance")
    note = f"{SESSIONS:,} pairs of sessions, in each a guess which of two objects of the second is one of the first."
    return Table("linking", "Whether ids or their order link two sessions", columns, rows, note)
