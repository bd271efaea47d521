"""Attacks on what sessions told, with budgets and without: what an audience that only wants to know finds out.

A planner who plans for information holds ten sessions on one ledger: it splits every set, describes every object and
runs four capabilities on each of them for what their outcomes tell. Then, over what it was told:

shown             which of 15 files of the folder is this object, by every word, of those told of by themselves
with outcomes     the same, who can run the same capabilities on the 15 files
structure         the same, by the number and types of edges alone
collusion         the same, with what a second audience was told that shares nothing by configuration
linkage           which of 15 objects of another session is this one; later: after every third file was changed
stack, contents   which sorts of content and which ecosystems the folder has, against guessing the commoner answer
membership        is this file one of the folder's: of files here and of files of other folders
"""

from __future__ import annotations

import math
import random
import shutil
import sysconfig
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from plantwin.config.accountants import Lookalikes, statements
from plantwin.config.settings import Settings
from plantwin.private.project import nameless
from plantwin.session import run as session
from plantwin.types.prices import MILL, statement_of
from plantwin.vocabulary import ContentTag, Ecosystem
from plantwin_evals.configurations import Configuration
from plantwin_evals.fingerprints import fingerprints
from plantwin_evals.greedy import Greedy
from plantwin_evals.metrics import mean
from plantwin_evals.reid import GOALS, POOL
from plantwin_evals.reidentification import STRATEGIES, Case, Units, linked, rank_of, structure_of
from plantwin_evals.tables import Table
from plantwin_evals.task_folder import TaskFolder
from plantwin_evals.workspace import EvaluationWorkspace, Known, Memory

PROBES: Final = ("find_personal_data", "list_todos", "secret_scan", "summarize")
"""Capabilities that take every kind and need no program."""
DRAWS: Final = 40
"""Pools that are drawn for each target."""
TREES: Final = 20
SIZES: Final = (20, 150)
"""Files of a public tree."""
UNLIMITED: Final = 100.0


class Arm(NamedTuple):
    """One way to budget, and how the folder is told."""

    name: str
    mode: str = "twin"
    accountant: str = "weighted"
    scale: float = 1.0
    k: int = 5

    def settings(self) -> Settings:
        """As in a study, with as many turns and objects as there may be."""
        made = Configuration(self.name, "offline", self.mode, "", self.accountant, self.scale, self.k).settings()
        limits = msgspec.structs.replace(made.limits, max_turns=8, max_objects=256)
        return msgspec.structs.replace(made, limits=limits)


ARMS: Final = tuple(
    Arm(f"{name}, {'sets' if mode == 'twin' else 'objects'}", mode, accountant, scale)
    for name, accountant, scale in (
        ("no budget", "weighted", UNLIMITED),
        ("weighted", "weighted", 1.0),
        ("calibrated", "calibrated", 1.0),
        ("entropy", "entropy", 1.0),
        ("k-anonymity", "k-anonymity", 1.0),
        ("differential", "differential", 1.0),
    )
    for mode in ("twin", "objects")
)
TRUTH: Final = Arm("truth", "objects", scale=UNLIMITED)


class Heard(NamedTuple):
    """What is true of every object of a folder, and what was told of it to each audience."""

    places: Sequence[str]
    truths: Sequence[Units]
    told: Mapping[str, Sequence[Units]]
    """Words of its own and of its sets, by audience."""
    outcomes: Mapping[str, Sequence[Units]]
    degrees: Sequence[tuple[Units, Units]]
    """Edges that there are, and that were told."""
    shown: Sequence[bool]
    """Whether the first audience was told of it by itself."""
    heard: frozenset[str]
    """Every statement that the first audience was told, of whatever it is."""
    bits: tuple[float, float]
    """Of those that were shown, on average: gained by the words of their own, and charged for them."""


def listen(root: Path, arm: Arm, state: Path, goals: Iterable[str], memory: Memory, more: Iterable[str] = ()) -> Heard:
    """Hold sessions with a planner who plans for information; `more`: other audiences, one everyday session each."""
    settings = arm.settings()
    with closing(EvaluationWorkspace(root, settings, state, memory, True)) as room:
        for goal in goals:
            session(goal, room, Greedy(probes=PROBES))
        for audience in more:
            session(GOALS[1], room, Greedy(audience, PROBES))
        objects = sorted(room.everything(), key=lambda known: (known.record.path, known.record.part))
        audiences = (Greedy.audience, *more)
        cases = {name: fingerprints(room, objects, name) for name in audiences}
        keys = [known.held.key for known in objects]
        known = {name: room.ledger.known(settings.audience(name), keys) for name in audiences}
        first = known[Greedy.audience]
        cells = [key for each in room.contexts for held in each.release.sets.values() for key in held.cells]
        of_sets = room.ledger.known(settings.audience(Greedy.audience), list(dict.fromkeys(cells)))
    edges = [edge for each in objects for edge in each.held.edges]
    own = {name: [frozenset(map(statement_of, found[key].units)) for key in keys] for name, found in known.items()}
    return Heard(
        [f"{each.record.path}/{each.record.part}" for each in objects],
        [case.truth for case in cases[Greedy.audience]],
        {name: [case.told for case in found] for name, found in cases.items()},
        {name: [frozenset(unit for unit in units if _outcome(unit)) for units in found] for name, found in own.items()},
        [
            (structure_of(each.held.id, edges), _degrees(units))
            for each, units in zip(objects, own[Greedy.audience], strict=True)
        ],
        [bool(first[key].units) for key in keys],
        frozenset(statement_of(unit) for found in (first, of_sets) for each in found.values() for unit in each.units),
        _bits(objects, [first[key].units for key in keys], [first[key].spent for key in keys]),
    )


def _outcome(unit: str) -> bool:
    field = unit.partition("=")[0]
    return "." in field and not field.startswith("set.")


def _degrees(units: Units) -> Units:
    counts = Counter(unit[5:].partition(":")[0] for unit in units if unit.startswith("edge=") and ":from:" not in unit)
    return frozenset(f"degree=out.{kind}:{n}" for kind, most in counts.items() for n in range(1, most + 1))


def _bits(objects: Sequence[Known], told: Sequence[Units], spent: Sequence[int]) -> tuple[float, float]:
    lookalikes = Lookalikes(nameless(each.record) for each in objects)
    gains, charges = [], []
    for each, units, cost in zip(objects, told, spent, strict=True):
        if units:
            true = set(statements(nameless(each.record)))
            words = {word for word in map(statement_of, units) if word in true}
            gains.append(math.log2(len(objects) / max(1, lookalikes.size(words))))
            charges.append(cost / MILL / math.log(2))
    return mean(gains), mean(charges)


class Score(NamedTuple):
    """Of one attack on one folder."""

    accuracy: float
    mrr: float


def picked(cases: Sequence[Case], targets: Sequence[bool], seed: int = 20) -> Score | None:
    """Pick each target out of 15 files of its folder; None where it is smaller than that."""
    if len(cases) < POOL or not any(targets):
        return None
    source = random.Random(seed)  # noqa: S311 - a simulation, the same each time
    places = [
        rank_of(cases, target, POOL, STRATEGIES["full"], source)
        for target, wanted in enumerate(targets)
        if wanted
        for _ in range(DRAWS)
    ]
    return Score(mean(place == 1 for place in places), mean(1 / place for place in places))


def attacks(heard: Heard, truth: Heard, later: Heard, others: Sequence[Units]) -> dict[str, Score | None]:
    """Every attack on one folder. `others`: what is true of files of other folders."""
    told, ally = heard.told[Greedy.audience], heard.told["ally"]
    ran = truth.outcomes[Greedy.audience]
    places = {place: at for at, place in enumerate(later.places)}
    moved = [places[place] for place in heard.places]
    link = linked(told, ally, pool=POOL, trials=400)
    after = linked(told, [later.told["ally"][at] for at in moved], pool=POOL, trials=400)
    joined = [one | two for one, two in zip(told, ally, strict=True)]
    return {
        "shown": picked(list(map(Case, heard.truths, told)), heard.shown),
        "with outcomes": picked(
            [
                Case(true | out, units | said)
                for true, out, units, said in zip(heard.truths, ran, told, heard.outcomes[Greedy.audience], strict=True)
            ],
            heard.shown,
        ),
        "structure": picked([Case(*each) for each in heard.degrees], heard.shown),
        "collusion": picked(list(map(Case, heard.truths, joined)), heard.shown),
        "linkage": link and Score(link.accuracy, link.mrr),
        "linkage, later": after and Score(after.accuracy, after.mrr),
        "membership": _membership(heard, others),
    }


def _membership(heard: Heard, others: Sequence[Units]) -> Score:
    """Tell a file of this folder from one of another by the longest description that fits it: how often it is right."""
    apart = ("set=", "confidence=")  # names of one session, and what follows from the goal
    told = {frozenset(unit for unit in units if not unit.startswith(apart)) for units in heard.told[Greedy.audience]}

    def fits(true: Units) -> int:
        return max((len(units) for units in told if units <= true), default=0)

    here, away = Counter(map(fits, heard.truths)), Counter(map(fits, others))
    pairs = [(one, two, here[one] * away[two]) for one in here for two in away]
    right = sum(((one > two) + (one == two) / 2) * number for one, two, number in pairs)
    share = right / max(1, sum(number for *_, number in pairs))
    return Score(share, share)


def attributes(heard: Sequence[Heard]) -> dict[str, tuple[float, float]]:
    """How often it is known whether a folder has a sort of content or a stack, and how often by the commoner answer."""
    found = {}
    for name, field, words in (("contents", "contains", ContentTag), ("stack", "ecosystem", Ecosystem)):
        right, common = [], []
        for word in words:
            unit = f"{field}={word}"
            true = [any(unit in truth for truth in each.truths) for each in heard]
            said = [any(unit in one or one.startswith(f"set.{unit}:") for one in each.heard) for each in heard]
            if any(true):
                right.append(mean(a == b for a, b in zip(true, said, strict=True)))
                common.append(max(mean(true), 1 - mean(true)))
        found[name] = mean(right), mean(common)
    return found


def attacked(folders: Sequence[TaskFolder], arm: Arm) -> dict[str, Any]:
    """All attacks on these folders with one arm: means over folders."""
    heard = []
    for folder in folders:
        goals = [*(task.goal for task in folder.domain.tasks), *GOALS, "Tell me everything about this folder."]
        truth = folder.remembered("truth", partial(_truth, folder))
        one = listen(folder.root, arm, folder.fresh(), goals, folder.memory, ("ally",))
        later = folder.remembered("later", partial(_changed, folder))
        state = Path(f"{folder.fresh()}-later")
        heard.append((one, truth, listen(later, arm, state, (), {}, ("ally",))))
    found: dict[str, list[Score]] = {}
    for at, each in enumerate(heard):
        others = [true for other, _, _ in [*heard[:at], *heard[at + 1 :]] for true in other.truths]
        for name, score in attacks(*each, others).items():
            found.setdefault(name, [])
            if score is not None:
                found[name].append(score)
    made: dict[str, Any] = {
        name: Score(mean(s.accuracy for s in scores), mean(s.mrr for s in scores)) if scores else None
        for name, scores in found.items()
    }
    bits = [one.bits for one, _, _ in heard if any(one.shown)]
    made["gained"], made["charged"] = mean(gain for gain, _ in bits), mean(charge for _, charge in bits)
    made["objects shown"] = sum(sum(one.shown) for one, _, _ in heard)
    return {**made, **attributes([one for one, _, _ in heard])}


def _truth(folder: TaskFolder) -> Heard:
    return listen(folder.root, TRUTH, folder.fresh(), [GOALS[1]] * 4, folder.memory)


def _changed(folder: TaskFolder) -> Path:
    """The folder at a later time: every third file has another line."""
    later = Path(shutil.copytree(folder.root, folder.root.parent / "later", symlinks=True))
    for path in sorted(each for each in later.rglob("*") if each.is_file() and ".git" not in each.parts)[::3]:
        with path.open("ab") as file:
            file.write(b"\n\n")
    return later


def attack_tables(rows: Mapping[str, Mapping[str, Any]]) -> list[Table]:
    """Accuracy of every attack by arm, and what was gained for what was charged."""
    names = ("shown", "with outcomes", "structure", "collusion", "linkage", "linkage, later", "membership")
    cells = [
        (arm, *(found[name] and found[name].accuracy for name in names), *(found[name][0] for name in BASES))
        for arm, found in rows.items()
    ]
    bases = ("chance", *[1 / POOL] * 6, 0.5, *(next(iter(rows.values()))[name][1] for name in BASES))
    more = [
        (arm, found["objects shown"], *(found[n] and found[n].mrr for n in ("shown", "with outcomes", "collusion")),
         f"{found['gained']:.2f}", f"{found['charged']:.2f}")
        for arm, found in rows.items()
    ]  # fmt: skip
    first = (
        "A planner for information, ten sessions on one ledger; pools of 15 files of the folder; means over folders."
    )
    second = (
        "MRR, and bits that the own words of a shown object tell of which it is, against bits charged (points: / ln 2)."
    )
    return [
        Table("attacks", "Attacks: accuracy", ("arm", *names, *BASES), [*cells, bases], first),
        Table("gain", "What is gained for what is charged",
              ("arm", "objects shown", "MRR shown", "MRR outcomes", "MRR collusion", "bits gained", "bits charged"),
              more, second),
    ]  # fmt: skip


BASES: Final = ("contents", "stack")


def public_trees(place: Path) -> list[Path]:
    """Packages that are installed here, of some size: trees that anybody can look up."""
    base = Path(sysconfig.get_path("purelib"))
    found = []
    for path in sorted(base.iterdir()):
        if path.is_dir() and (path / "__init__.py").is_file() and path.name != "plantwin":
            number = sum(1 for each in path.rglob("*") if each.is_file() and "__pycache__" not in each.parts)
            if SIZES[0] <= number <= SIZES[1]:
                found.append(path)
    chosen = random.Random(20).sample(found, min(TREES, len(found)))  # noqa: S311 - the same each time
    ignored = shutil.ignore_patterns("__pycache__", "*.so")
    return [Path(shutil.copytree(each, place / each.name, ignore=ignored)) for each in chosen]


def closed_world(place: Path, arms: Sequence[Arm], progress: Callable[[int, int], None] | None = None) -> Table:
    """Which of these public trees is this twin? The private copy lacks a tenth of the files of the adversary's."""
    trees, rows, done = public_trees(place / "trees"), [], 0
    private = []
    for tree in trees:
        copy = Path(shutil.copytree(tree, place / "private" / tree.name))
        for path in sorted(each for each in copy.rglob("*") if each.is_file())[5::10]:
            path.unlink()
        private.append(copy)
    for arm in arms:
        told: dict[str, list[frozenset[str]]] = {"public": [], "private": []}
        for whose, roots in (("public", trees), ("private", private)):
            for number, root in enumerate(roots):
                # What an adversary can make itself has no budget.
                how = arm if whose == "private" else arm._replace(scale=UNLIMITED, accountant="weighted")
                state = place / f"{arm.name}-{whose}-{number}"
                told[whose].append(listen(root, how, state, [GOALS[0 if whose == "private" else 1]], {}).heard)
                done += 1
                if progress:
                    progress(done, len(arms) * 2 * len(trees))
        places = []
        for at, words in enumerate(told["private"]):
            scores = [len(words & other) / max(1, len(words | other)) for other in told["public"]]
            places.append(1 + sum(score > scores[at] for score in scores))
        rows.append((arm.name, len(trees), mean(p == 1 for p in places), mean(1 / p for p in places), 1 / len(trees)))
    note = (
        "One session with another goal; the adversary compares all words with those of its own copies, by their share."
    )
    columns = ("arm", "trees", "accuracy", "MRR", "chance")
    return Table("closed-world", "Which of these public trees is this twin?", columns, rows, note)
