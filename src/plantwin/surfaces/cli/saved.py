"""Plans on disk: as `plantwin plan` saves them, or as a person writes them, with real paths for inputs.

Ids are random in every session. A saved plan says what each stands for: an object by its path, a set by what is told
of it and by a digest of its members, so that the same set is found again.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plantwin.errors import InputError
from plantwin.surfaces.cli.files import reason, write_chunks
from plantwin.surfaces.cli.output import FORMAT
from plantwin.surfaces.render.text import path_fields, well_formed
from plantwin.types.plan import source_of
from plantwin.types.twin import object_id_like

if TYPE_CHECKING:
    from plantwin.boundary.release import Released
    from plantwin.private.facts import Record
    from plantwin.run import Run
    from plantwin.session_context import SessionContext
    from plantwin.types.identity import Issuer
    from plantwin.types.local import LocalSet
    from plantwin.types.plan import Plan

LIMIT = 1 << 20
"""Bytes of a saved plan at most."""
MAP = 64 << 20
"""Bytes of a map of a made-up folder at most."""


class SavedSet(NamedTuple):
    """A set of a saved plan."""

    values: dict[str, Any]
    """What is told of it, without ids."""
    members: str
    """A digest of the names of its members."""
    description: str

    def __repr__(self) -> str:
        return "<SavedSet private>"


class Saved(NamedTuple):
    """A plan as it was read: steps unchecked, with what each id stands for."""

    steps: list[Any]
    objects: dict[str, tuple[str, str]]
    """Path and part by id; empty for a plan whose inputs are real paths."""
    sets: dict[str, SavedSet]
    root: str | None
    goal: str
    planner: str
    audience: str
    locality: str
    bare: bool
    rationed: bool
    """Whether budgets refuse: where the planner may send, or did not say."""
    file: str = ""
    """Where it is saved: in the folder it is about, perhaps."""

    def __repr__(self) -> str:
        return "<Saved private>"


def save(run: Run, context: SessionContext | None, path: Path) -> Path:
    """Write the run's plan with what its ids stand for, readable by its owner alone. `path`: a folder, or the file."""
    import msgspec

    if path.is_dir():
        day = time.strftime("%Y%m%d-%H%M%S", time.localtime(run.started))
        path = path / f"{day}-{run.session}.json"
    document = {
        "format": FORMAT,
        "saved": run.started,
        "session": run.session,
        "goal": well_formed(run.goal),
        **path_fields(os.fspath(run.root or ""), "root"),
        "planner": {"name": well_formed(run.planner), "audience": run.audience, "locality": run.locality},
        "rationed": run.rationed,
        "plan": msgspec.to_builtins(run.turns[0].plan),
        "objects": {
            id_: {**path_fields(name), **({"part": part} if part else {})}
            for id_, (name, part) in run.names.items()
            if object_id_like(id_)
        },
        "sets": _sets(context) if context is not None else {},
    }
    write_chunks(str(path), [json.dumps(document, indent=2).encode("ascii") + b"\n"], 0o600)
    return path


def _sets(context: SessionContext) -> dict[str, Any]:
    return {
        set_.id: {
            "is": well_formed(context.set_names.get(set_.id, "")),
            "values": values_of(set_),
            "members": digest_of(context.members(set_.id)),
        }
        for set_ in context.selected.sets
    }


def values_of(one: LocalSet) -> dict[str, Any]:
    """What is told of a set, without the ids of this session."""
    import msgspec

    told: dict[str, Any] = msgspec.to_builtins(one.set)
    return {name: value for name, value in told.items() if name not in ("set_id", "component", "within")}


def digest_of(members: Iterable[Record]) -> str:
    """A digest of which objects these are."""
    names = sorted(f"{member.path}\0{member.part}" for member in members)
    return hashlib.sha256("\n".join(names).encode("utf-8", "surrogatepass")).hexdigest()


def write_map(path: str, made: Mapping[str, Record]) -> None:
    """Write which object each made-up file stands for, readable by its owner alone."""
    places = {name: {**path_fields(record.path), "part": record.part} for name, record in made.items()}
    write_chunks(path, [json.dumps({"format": FORMAT, "made_up": places}, indent=1).encode("ascii") + b"\n"], 0o600)


def read(path: str, made_up: str | None = None) -> Saved:
    """A saved plan, or a bare one; anything else is bad input. `made_up`: a map of the folder that it was made for."""
    saved = _read(path)
    if made_up is None:
        return saved
    if not saved.bare:
        raise InputError("--made-up goes with steps that name paths, not with a plan that `plantwin plan` saved")
    try:
        places = {name: (_path(one), str(one["part"])) for name, one in _tree(made_up, MAP)["made_up"].items()}
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(f"'{made_up}' is no map that `plantwin synth --map` wrote") from None
    own = {step.get("id") for step in saved.steps if isinstance(step, dict)}

    def real(given: Any) -> Any:
        """What a path stands for. One that no made-up file has is never taken for a file of the real folder."""
        if not isinstance(given, str) or given in own or given.partition(".")[0] in own:
            return given
        return "#".join(filter(None, places.get(given.removeprefix("./"), (f"{given} (no made-up file)", ""))))

    steps = [
        {**step, "inputs": [real(given) for given in step["inputs"]]} if _inputs(step) else step for step in saved.steps
    ]
    return saved._replace(steps=steps)


def _tree(path: str, limit: int = LIMIT) -> Any:
    """A JSON document of a person's, within limits."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(limit + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read '{path}': {reason(error)}") from None
    if len(data) > limit:
        raise InputError(f"'{path}' is larger than a plan: {limit >> 20} MiB at most")
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise InputError(f"'{path}' is not JSON: give a plan that `plantwin plan` saved, or write its steps") from None


def _read(path: str) -> Saved:
    tree = _tree(path)
    from plantwin.cloud.scripted import earlier

    if isinstance(tree, dict) and (earlier(tree) or earlier(tree.get("plan"))):
        raise InputError(
            f"'{path}' is a plan of wire format 1, whose groups and `expand` are gone: plan the goal again with "
            "`plantwin plan`, or name paths, and split a set with `split` and `by`"
        )
    if isinstance(tree, dict) and isinstance(tree.get("steps"), list):
        return Saved(tree["steps"], {}, {}, None, "", "offline", "offline", "local", True, False)
    try:
        return _saved(tree)._replace(file=str(Path(path).absolute()))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(f"'{path}' is not a plan: it needs a list `steps`, or what `plantwin plan` saved") from None


def _saved(tree: Any) -> Saved:
    planner = tree["planner"]
    texts = (tree["goal"], planner["name"], planner["audience"], planner["locality"])
    steps = tree["plan"]["steps"]
    if not all(isinstance(text, str) for text in texts) or not isinstance(steps, list):
        raise TypeError("not text")
    if planner["locality"] not in ("local", "remote"):
        raise ValueError("not a locality")
    objects = {str(id_): (_path(obj), str(obj.get("part", ""))) for id_, obj in tree["objects"].items()}
    sets = {str(id_): _set(set_) for id_, set_ in tree.get("sets", {}).items()}
    return Saved(steps, objects, sets, _path(tree, "root"), *texts, False, tree.get("rationed") is not False)


def _set(tree: dict[str, Any]) -> SavedSet:
    if not isinstance(tree["values"], dict):
        raise TypeError("not a set")
    return SavedSet(tree["values"], str(tree["members"]), str(tree.get("is", "")))


def _path(tree: dict[str, Any], name: str = "path") -> str:
    """A path exactly as it was, also where it is no valid Unicode."""
    if f"{name}_bytes" in tree:
        return os.fsdecode(base64.b64decode(tree[f"{name}_bytes"], validate=True))
    text = tree[name]
    if not isinstance(text, str):
        raise TypeError("not a path")
    return text


class Translated(NamedTuple):
    """A saved plan in the ids of a session."""

    answer: bytes
    """As a planner would answer."""
    names: dict[str, tuple[str, str]]
    """Path and part by id."""
    missing: dict[str, str]
    """Names of the plan that no object has, by the id that stands for them here."""

    def __repr__(self) -> str:
        return "<Translated private>"


def wanted(saved: Saved) -> set[tuple[str, str]] | None:
    """Objects that a session must show for a plan; none where the goal says which, since sets are cut for the goal."""
    if _uses_sets(saved):
        return None
    return _named(saved) if saved.bare else set(saved.objects.values())


def translated(saved: Saved, context: SessionContext) -> Translated:
    """A saved plan in the ids of this session."""
    from plantwin.types.identity import Issuer

    names = {id_: (record.path, record.part) for id_, record in context.selected.records.items()}
    names |= {id_: (text, "") for id_, text in context.set_names.items()}
    missing: dict[str, str] = {}
    issuer = Issuer()

    def fresh(text: str) -> str:
        """An id that was never shown, for what is not there: refused like any other foreign id."""
        id_ = issuer.object_id()
        missing[id_] = text
        return id_

    ids = {place: id_ for id_, place in names.items()}
    steps = _steps(saved, ids, _sets_here(saved, context, issuer, missing), fresh)
    answer = json.dumps({"steps": steps})
    return Translated(answer.encode(), names, {id_: text for id_, text in missing.items() if id_ in answer})


def classes(plan: Plan, context: SessionContext) -> dict[str, tuple[str, ...]]:
    """What a planner has to know of the objects of its plan: who asks for what depends on a class has been told it."""
    catalog = context.catalog
    selective = [step for step in plan.steps if step.capability in catalog and catalog[step.capability].selective]
    named = {source for step in selective for name in step.inputs if object_id_like(source := source_of(name))}
    return dict.fromkeys(named & context.selected.records.keys(), ("semantic_class",))


class SavedPlanner:
    """Answers with a saved plan, once. It tells nobody."""

    name, audience, locality, sends = "saved plan", "offline", "local", False

    def __init__(self, saved: Saved, context: Callable[[], SessionContext | None]) -> None:
        """`context`: what the session works with, once it has begun."""
        self._saved, self._context = saved, context
        self._answer = b""
        self.missing: dict[str, str] = {}
        """What the plan names and the folder does not have, by the id that stands for it."""

    def plan(self, envelopes: Sequence[Released]) -> bytes:
        """The plan; after its results, that there is nothing further to ask. What is asked to be repaired stays."""
        from plantwin.cloud.answer import decode_plan

        context = self._context()
        if context is None or any(json.loads(envelope.data)["message"] == "results" for envelope in envelopes):
            return b'{"steps": []}'
        if not self._answer:
            found = translated(self._saved, context)
            self._answer, self.missing = found.answer, found.missing
            if fields := classes(decode_plan(self._answer), context):
                context.release.request(context.selected.goal, fields)
        return self._answer


def _uses_sets(saved: Saved) -> bool:
    """Whether a step of a saved plan works on a set."""
    inputs = [given for step in saved.steps for given in _inputs(step)]
    return any((given.get("set") if isinstance(given, dict) else given) in saved.sets for given in inputs)


def _named(saved: Saved) -> set[tuple[str, str]]:
    """Places that a bare plan's inputs may name: a path, or `path#table`."""
    texts = {given for step in saved.steps for given in _inputs(step) if isinstance(given, str)}
    places = set()
    for text in texts:
        text = text.removeprefix("./")
        places.add((text, ""))
        path, mark, part = text.rpartition("#")
        if mark:
            places.add((path, part))
    return places


def _inputs(step: Any) -> list[Any]:
    inputs = step.get("inputs") if isinstance(step, dict) else None
    return inputs if isinstance(inputs, list) else []


def _sets_here(saved: Saved, context: SessionContext, issuer: Issuer, missing: dict[str, str]) -> dict[str, str]:
    """Ids of this session for the sets of a saved plan: with the same members, else of which the same is told."""
    here: dict[str, str] = {}
    for held in context.selected.sets:
        members = list(context.members(held.id))
        # The plan itself may have joined them since.
        others = [record for record in members if not saved.file.endswith(f"/{record.path}")]
        here |= {digest_of(members): held.id, digest_of(others): held.id}
    told: dict[str, list[str]] = {}
    for set_ in context.selected.sets:
        told.setdefault(_key(values_of(set_)), []).append(set_.id)
    found = {}
    for id_, old in saved.sets.items():
        alike = told.get(_key(old.values), [])
        found[id_] = here.get(old.members) or (alike[0] if len(alike) == 1 else issuer.set_id())
        if found[id_] not in context.set_names:
            missing[found[id_]] = old.description
    return found


def _key(values: dict[str, Any]) -> str:
    """What is told of a set, but for its size: files come and go."""
    return json.dumps({name: value for name, value in values.items() if name != "size"}, sort_keys=True)


def _steps(
    saved: Saved, ids: dict[tuple[str, str], str], sets: dict[str, str], fresh: Callable[[str], str]
) -> list[Any]:
    """The steps with ids of this session for objects and sets; ids of steps, and parts of results, stay."""
    own = {step.get("id") for step in saved.steps if isinstance(step, dict) and isinstance(step.get("id"), str)}

    def id_of(text: Any) -> Any:
        if isinstance(text, dict) and isinstance(text.get("set"), str):
            return {**text, "set": sets.get(text["set"], text["set"])}
        if not isinstance(text, str) or text in own or text.partition(".")[0] in own:
            return text
        if text in sets:
            return sets[text]
        if not saved.bare:
            if text not in saved.objects:
                return text
            path, part = saved.objects[text]
            return ids.get((path, part)) or fresh(f"{path}#{part}" if part else path)
        name = text.removeprefix("./")
        path, mark, part = name.rpartition("#")
        return ids.get((name, "")) or (ids.get((path, part)) if mark else None) or fresh(text)

    return [
        {**step, "inputs": [id_of(given) for given in step["inputs"]]} if _inputs(step) else step
        for step in saved.steps
    ]
