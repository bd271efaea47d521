"""What was told, decided and spent, in words for a person. Used by the local report and by local views."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile

from msgspec import UNSET

from plantwin.private.formats.lexicon import Lexicon
from plantwin.types.outcome import Outcome
from plantwin.types.plan import Narrowed, StepInput
from plantwin.types.prices import MILL, statement_of
from plantwin.types.sets import TwinSet
from plantwin.types.verdict import Allowed, Denied, Failure, Verdict

_LEXICON = Lexicon(__file__)

FIELDS: dict[str, str] = _LEXICON.tables["fields"]
"""Fields as a person reads them."""

FAILURES = {Failure(name): meaning for name, meaning in _LEXICON.tables["failures"].items()}


def amount(mills: int) -> str:
    """Thousandths as a person reads them: `4.5`, `0.25`, `71.0` for 71.044."""
    return f"{mills / MILL:.1f}" if mills % 100 == 0 or mills >= MILL else f"{mills / MILL:.3f}".rstrip("0")


def words(text: str) -> str:
    """A word of the vocabulary in plain letters."""
    return text.replace("_", " ")


def unit(text: str, others: Mapping[str, str] | None = None) -> str:
    """One thing told: `semantic_class=payment_module` is `class: payment module`. `others`: names behind edges."""
    field, _, value = statement_of(text).partition("=")
    capability, dot, field = field.rpartition(".")
    if capability == "set":
        return f"as a member of a set: {_set_unit(field, value)}"
    if dot:
        said = {
            "severity": f"severity {words(value)}",
            "count": f"{words(value)} found",
            "examined": f"{words(value)} examined",
            "affected": f"{words(value)} affected",
        }
        return f"{words(capability).replace('own.', 'your own ')}: {said.get(field, words(value))}"
    if field == "component":
        return "belongs to a component"
    what, _, key = value.partition(":")
    if field == "amounts":
        return f"how much: {words(what)} {words(key)}"
    if field in ("edge", "reason"):
        back = key.startswith("from:")
        other = "a local tool" if key == "tool" else (others or {}).get(key.removeprefix("from:"), "another object")
        arrow = f"{words(what)} {'←' if back else '→'} {other}"
        return arrow if field == "edge" else f"because of {arrow}"
    if field == "nothing":
        return f"nothing of: {FIELDS.get(value, words(value))}"
    return f"{FIELDS.get(field, words(field))}: {words(value)}"


def _set_unit(field: str, value: str) -> str:
    """One thing told of the set that an object is in: `some contain credentials`, `class runbook`."""
    word, _, rest = value.partition(":")
    share = rest.partition(":")[0]
    if field == "relation":
        reason, _, rest = rest.partition(":")
        return f"{words(rest.partition(':')[0])} {words(reason)} others"
    if field == "nothing":
        return f"nothing of {FIELDS.get(word, words(word))}"
    if field == "split":
        return f"{'can' if share == str(True) else 'cannot'} be split by {words(word)}"
    told = words(field) if value == "set" else f"{FIELDS.get(field, words(field))} {words(word)}"
    return f"{told} ({words(share)})" if share else told


def units(texts: Iterable[str], others: Mapping[str, str] | None = None) -> list[str]:
    """Everything told of one object: its own fields first, then what steps said, several values of a field together."""
    grouped: dict[str, list[str]] = {}
    for text in sorted(texts, key=_order):
        head, colon, value = unit(text, others).partition(": ")
        grouped.setdefault(head, []).extend([value] if colon else [])
    return [f"{head}: {', '.join(dict.fromkeys(values))}" if values else head for head, values in grouped.items()]


def _order(text: str) -> tuple[bool, int, str]:
    field = text.partition("=")[0]
    fields = list(FIELDS)
    outcome = ("status", "examined", "severity", "affected", "count", "tag")
    last = field.rpartition(".")[2]
    place = fields.index(field) if field in fields else outcome.index(last) if last in outcome else len(fields)
    return "." in field, place, text


def told(outcome: Outcome) -> str:
    """What the planner hears of a step."""
    parts = [words(outcome.status)]
    if outcome.severity is not UNSET:
        parts.append(f"severity {words(outcome.severity)}")
    if outcome.count is not UNSET:
        parts.append(f"{words(outcome.count)} found")
    if outcome.affected is not UNSET:
        parts.append(f"{words(outcome.affected)} affected")
    if outcome.examined is not UNSET:
        parts.append(f"{words(outcome.examined)} examined")
    if outcome.tags is not UNSET:
        parts.append(", ".join(map(words, outcome.tags)))
    return "; ".join(parts)


def reason(verdict: Verdict, names: Mapping[str, tuple[str, str]] | None = None) -> str:
    """Why a step was refused or failed, with the number of the check; nothing for one that ran."""
    if isinstance(verdict, Denied):
        code = verdict.code
        detail = named(verdict.detail, names)
        return f"check ({code.check}) {code.value}: {code.meaning}" + (f" [{detail}]" if detail else "")
    return f"{verdict.failure.value}: {FAILURES[verdict.failure]}" if verdict.failure is not None else ""


def named(id_: str, names: Mapping[str, tuple[str, str]] | None) -> str:
    """The real name behind an id, where there is one."""
    path, part = (names or {}).get(id_, (id_, ""))
    return f"{path}#{part}" if part else path


def input_words(name: StepInput, names: Mapping[str, tuple[str, str]] | None) -> str:
    """What a step works on: a path, what a set is, a step, `s1.affected`; a narrower set with its conditions."""
    return named(name.set, names) + only_words(name) if isinstance(name, Narrowed) else named(name, names)


def only_words(name: StepInput) -> str:
    """The conditions of a narrower set: `, only environment staging`."""
    conditions = name.where.conditions if isinstance(name, Narrowed) else ()
    said = ", ".join(f"{FIELDS.get(field, words(field))} {words(word)}" for field, word in conditions)
    return f", only {said}" if said else ""


_KINDS: dict[str, str] = _LEXICON.tables["kinds"]
_UNCOUNTED = _LEXICON.words("uncounted")
"""Last words of classes that have no plural of their own."""


_FAMILIES: dict[str, str] = _LEXICON.tables["families"]
"""What one file of a family is called, where it is not `database file`."""
NAME = 60
"""Characters of a set's name, about."""


def set_words(of: TwinSet, paths: Sequence[str]) -> str:
    """What a set is, how many files it has and where: `48 infra modules in envs/`, `7 files (a.py, b.py, …)`.

    `paths`: of its members, those that matter most first.
    """
    head = _members(of, len(paths))
    return head + _place(paths, NAME - len(head)) if paths else head


def _members(of: TwinSet, count: int) -> str:
    if of.semantic_class is not UNSET:
        noun = words(of.semantic_class)
        noun = f"{noun} file" if noun.rpartition(" ")[2] in _UNCOUNTED else noun
    elif of.family is not UNSET:
        noun = _FAMILIES.get(of.family, f"{words(of.family)} file")
    else:
        noun = _KINDS[of.kind] if of.kind is not UNSET else "file"
    return f"{count:,} {noun if count == 1 else several(noun)}"


def _place(paths: Sequence[str], room: int) -> str:
    """Where files are: the folder that they share, or the names of the first."""
    folders = [path.rpartition("/")[0].split("/") for path in paths]
    shared = [same[0] for same in takewhile(lambda same: len(set(same)) == 1, zip(*folders, strict=False))]
    if len(paths) > 1 and any(shared):
        folder = "/".join(shared)
        return f" in {folder}/" if len(folder) + 5 <= room else f" in …/{shared[-1]}/"
    names = list(dict.fromkeys(path.rpartition("/")[2] for path in paths))
    shown: list[str] = []
    while len(shown) < len(names) and sum(map(len, shown)) + 2 * len(shown) + len(names[len(shown)]) + 6 <= room:
        shown.append(names[len(shown)])
    more = ["…"] if len(shown) < len(names) else []
    return f" ({', '.join([*(shown or names[:1]), *more])})"


def several(noun: str) -> str:
    """The plural of a noun, or of the first noun of `file with secrets`."""
    head, space, rest = noun.partition(" with ")
    if head.endswith("y") and not head.endswith(("ay", "ey", "oy")):
        return f"{head[:-1]}ies{space}{rest}"
    return f"{head}{'es' if head.endswith(('s', 'x', 'ch', 'sh')) else 's'}{space}{rest}"


def called(capability: str, names: Mapping[str, tuple[str, str]] | None) -> str:
    """What a step does: the capability's word, or the person's own name for theirs."""
    return words(named(capability, names))


def state(verdict: Verdict | None) -> str:
    """One word for what became of a step."""
    match verdict:
        case None:
            return "not reached"
        case Denied():
            return "refused" if verdict.code.check != 4 else "not approved"
        case Allowed():
            return "failed" if verdict.failure is not None else words(verdict.outcome.status)
