"""Attacks on what sessions told, with budgets and without: what an audience that only wants to know finds out.

A planner who plans for information holds ten sessions on one ledger: it splits every set, describes every object,
runs four capabilities on each of them for what their outcomes tell, and on parts and narrower sets. Then, over what it
was told:

shown             which of 15 files of the folder is this object, by every word, of those told of by themselves
with outcomes     the same, who can run the same capabilities on the 15 files
structure         the same, by the number and types of edges alone
collusion         the same, with what a second audience was told that shares nothing by configuration
linkage           which of 15 objects of another session is this one; later: after every third file was changed
differencing      in which files does a capability find something: who knows the members of every set holds answers
                  about a set against those about its parts; against guessing the commoner answer of the folder
stack, contents   which sorts of content and which ecosystems the folder has, against guessing the commoner answer
membership        is this file one of the folder's: of files here and of files of other folders
"""

from __future__ import annotations

import math
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET

from plantwin.config.accountants import Lookalikes, statements
from plantwin.config.settings import Settings
from plantwin.private.facts import Record
from plantwin.private.project import nameless
from plantwin.run import Run
from plantwin.session import run as session
from plantwin.types.prices import MILL, statement_of
from plantwin.types.verdict import Allowed
from plantwin.vocabulary import Affected, ContentTag, Ecosystem
from plantwin_evals.configurations import LARGER, Configuration
from plantwin_evals.fingerprints import fingerprints
from plantwin_evals.greedy import Greedy
from plantwin_evals.metrics import mean
from plantwin_evals.reid import GOALS, POOL
from plantwin_evals.reidentification import Case, Units, linked, ranks, structure_of
from plantwin_evals.running import memory
from plantwin_evals.suite import domain
from plantwin_evals.tables import Table
from plantwin_evals.task_folder import ScannedFolder, TaskFolder
from plantwin_evals.workspace import EvaluationWorkspace, Known, Memory, Remembering

PROBES: Final = ("find_personal_data", "list_todos", "secret_scan", "summarize")
"""Capabilities that take every kind and need no program."""
SESSIONS: Final = 10
DRAWS: Final = 40
"""Pools that are drawn for each target."""
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
) + tuple(Arm(f"k-anonymity, k = {k}, sets", accountant="k-anonymity", k=k) for k in LARGER)
TRUTH: Final = Arm("truth", "objects", scale=UNLIMITED)
SURE: Final = 0.02  # the least belief that somebody has


class Answer(NamedTuple):
    """What the first audience was told by one step on several objects."""

    capability: str
    members: frozenset[str]
    affected: Affected


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
    answers: Sequence[Answer] = ()
    charged: Sequence[float] = ()
    """Bits charged for each object, on its own account and on that of its cell."""


def listen(root: Path, arm: Arm, state: Path, goals: Iterable[str], memory: Memory, more: Iterable[str] = ()) -> Heard:
    """Hold sessions with a planner who plans for information; `more`: other audiences, one everyday session each."""
    settings = arm.settings()
    with closing(EvaluationWorkspace(root, settings, state, memory, True)) as room:
        answers = [
            answer for goal in goals for answer in _answers(session(goal, room, Greedy(probes=PROBES)), room.executor)
        ]
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
        paid = room.spent(objects, Greedy.audience)
    edges = [edge for each in objects for edge in each.held.edges]
    own = {name: [frozenset(map(statement_of, found[key].units)) for key in keys] for name, found in known.items()}
    return Heard(
        [_place(each.record) for each in objects],
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
        answers,
        [spent / MILL / math.log(2) for spent, _ in paid],
    )


def _place(record: Record) -> str:
    return f"{record.path}/{record.part}"


def _answers(done: Run, executor: Remembering) -> Iterator[Answer]:
    """What steps on several objects told of how many are affected."""
    for turn in done.turns:
        for position, step in enumerate(turn.plan.steps):
            verdict = turn.verdict(position)
            affected = verdict.outcome.affected if isinstance(verdict, Allowed) else UNSET
            if affected is not UNSET:
                yield Answer(step.capability, frozenset(map(_place, executor.resolve(step.inputs))), affected)


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


def picked(cases: Sequence[Case], targets: Sequence[bool]) -> Score | None:
    """Pick each target out of 15 files of its folder; None where it is smaller than that."""
    if len(cases) < POOL or not any(targets):
        return None
    places = ranks(cases, [at for at, wanted in enumerate(targets) if wanted], pool=POOL, draws=DRAWS)
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
    return Score(share, (1 + share) / 2)


class Differenced(NamedTuple):
    """Of one folder: guesses of who is affected that are right, those by the commoner answer, and bits gained."""

    right: float
    common: float
    gained: float


def differenced(heard: Heard, truth: Heard) -> Differenced | None:
    """Hold answers about sets against each other; None where nothing was told of files that differ."""
    right, common, gained = [], [], []
    for capability in PROBES:
        said = [one for one in heard.answers if one.capability == capability]
        affected = {
            place: any(unit.startswith(f"{capability}.count=") and not unit.endswith("=none") for unit in units)
            for place, units in zip(truth.places, truth.outcomes[Greedy.audience], strict=True)
        }
        base = mean(affected.values())
        if not said or base in (0, 1):
            continue
        for place, rate in _rates(said).items():
            right.append((rate > 0.5) == affected[place])
            common.append((base > 0.5) == affected[place])
            belief, before = min(max(rate, SURE), 1 - SURE), base
            gained.append(math.log2(belief / before if affected[place] else (1 - belief) / (1 - before)))
    return Differenced(mean(right), mean(common), mean(gained)) if right else None


def _rates(said: Iterable[Answer]) -> dict[str, float]:
    """How likely each file is affected: by the smallest set with it that was told of, or a difference of two such."""
    bounds: dict[frozenset[str], tuple[int, int]] = {}
    for _, members, word in said:
        half, all_ = len(members) // 2, len(members)
        bounds[members] = {
            "none": (0, 0),
            "one": (1, 1),
            "few": (2, half),
            "most": (half + 1, all_),
            "all": (all_, all_),
        }[word]
    for (whole, (low, high)), (part, (least, most)) in permutations(tuple(bounds.items()), 2):
        if part < whole:
            left = len(whole) - len(part)
            bounds.setdefault(whole - part, (max(0, low - most), max(0, min(left, high - least))))
    found: dict[str, float] = {}
    for members, (low, high) in sorted(bounds.items(), key=lambda item: -len(item[0])):
        found |= dict.fromkeys(members, min(1.0, (low + high) / 2 / max(1, len(members))))
    return found


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


def overheard(name: str, arms: Sequence[Arm] = ARMS, sessions: int = SESSIONS) -> list[tuple[Heard, Heard, Heard]]:
    """Of the folder of one domain, with every arm: many sessions, some without any budget, and one at a later time."""
    with TemporaryDirectory(prefix="plantwin-bench-", dir=memory()) as place:
        folder = TaskFolder(domain(name), Path(place))
        later = ScannedFolder(_changed(folder.root), Path(place) / "changed")
        truth = listen(folder.root, TRUTH, folder.fresh(), [GOALS[1]] * 4, folder.memory)
        goals = ["Tell me everything about this folder.", *GOALS, *(task.goal for task in folder.domain.tasks)][
            :sessions
        ]
        return [
            (
                listen(folder.root, arm, folder.fresh(), goals, folder.memory, ("ally",)),
                truth,
                listen(later.root, arm, later.fresh(), (), later.memory, ("ally",)),
            )
            for arm in arms
        ]


def attacked(heard: Sequence[tuple[Heard, Heard, Heard]]) -> dict[str, Any]:
    """All attacks with one arm on what was heard of each folder: means over folders."""
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
    apart = [one for each in heard if (one := differenced(*each[:2])) is not None]
    made["differencing"] = (
        (mean(one.right for one in apart), mean(one.common for one in apart)) if apart else (None, None)
    )
    made["gained by differencing"] = mean(one.gained for one in apart) if apart else None
    made["charged in all"] = mean(paid for one, _, _ in heard for paid in one.charged)
    return {**made, **attributes([one for one, _, _ in heard])}


def _changed(root: Path) -> Path:
    """The folder at a later time: every third file has another line."""
    later = Path(shutil.copytree(root, root.parent / "later", symlinks=True))
    for path in sorted(each for each in later.rglob("*") if each.is_file() and ".git" not in each.parts)[::3]:
        with path.open("ab") as file:
            file.write(b"\n\n")
    return later


def attack_tables(rows: Mapping[str, Mapping[str, Any]]) -> list[Table]:
    """Accuracy and MRR of every attack by arm, and what was gained for what was charged."""

    def cells(of: str) -> list[tuple[Any, ...]]:
        return [(arm, *(found[name] and getattr(found[name], of) for name in PICKS)) for arm, found in rows.items()]

    base = next(iter(rows.values()))
    accuracy = [
        (*row, *(found[name][0] for name in BASES)) for row, found in zip(cells("accuracy"), rows.values(), strict=True)
    ]
    bases = ("chance", *[1 / POOL] * (len(PICKS) - 1), 0.5, *(base[name][1] for name in BASES))
    chance = ("chance", *[mean(1 / place for place in range(1, POOL + 1))] * (len(PICKS) - 1), 0.75)
    bits = [(arm, found["objects shown"], *(found[name] for name in BITS)) for arm, found in rows.items()]
    return [
        Table("attacks", "Attacks: accuracy", ("arm", *PICKS, *BASES), [*accuracy, bases],
              "A planner for information, ten sessions on one ledger; pools of 15 files; means over folders. The last "
              "three are yes or no; chance is the commoner answer."),
        Table("attacks-mrr", "Attacks: MRR", ("arm", *PICKS), [*cells("mrr"), chance],
              "Where the answer is yes or no, MRR is (1 + accuracy) / 2."),
        Table("gain", "What is gained for what is charged", ("arm", "objects shown", *BITS), bits,
              "Bits for each object. Gained and charged: of shown objects, by and for words of their own. By "
              "differencing: for each file and capability. Charged in all: for it and its cell. Points: / ln 2."),
    ]  # fmt: skip


PICKS: Final = ("shown", "with outcomes", "structure", "collusion", "linkage", "linkage, later", "membership")
BASES: Final = ("differencing", "contents", "stack")
BITS: Final = ("gained", "charged", "gained by differencing", "charged in all")
