"""Record what the local side finds and sends, and compare a later version with the record.

    python -m benchmarks.golden write FOLDER [--only scan,findings,sessions] [--capability NAME]... [--domain NAME]...
    python -m benchmarks.golden compare FOLDER [the same options]

Trees: the evaluation's workspaces, the unseen suite's, both labelled trees and the example shop. Of each:

    scan        every object with all its values, and every relation
    findings    every capability on every object that it accepts: outcome, findings, digests of facts and text
    sessions    every task with the embedded planner: plan, verdicts, outcomes, envelopes with ids replaced by names

A refactoring changes none of it. `compare` lists what differs (messages apart, since wording may change) and exits with
status 1 if anything but a message does.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import secrets
import shutil
import sys
import sysconfig
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec

HERE = Path(__file__).resolve().parent.parent
PARTS = ("scan", "findings", "sessions")
SKIPPED = ("run_tests", "describe", "split", "report", "process_object", "process_project")
"""Capabilities that are not called: they run code, need results, or repeat the others."""
MOST = 40
"""Objects of one tree on which a capability is called at most, in the order of a hash of their paths."""
Line = tuple[str, Any]


def trees() -> dict[str, tuple[Path, Path | None]]:
    """Name, files and suite of every tree. A tree with a suite is built from its declaration."""
    found: dict[str, tuple[Path, Path | None]] = {"shop": (HERE / "examples/shop", None)}
    for labelled in ("labelled", "labelled_more"):
        for folder in sorted((HERE / "tests" / labelled).iterdir()):
            if folder.is_dir() and folder.name != "__pycache__":
                found[f"{labelled}/{folder.name}"] = (folder, None)
    for name, suite in (("eval", HERE / "plantwin_evals/tasks"), ("unseen", HERE / "benchmarks/unseen")):
        for folder in sorted(suite.iterdir()):
            if (folder / "workspace").is_dir():
                found[f"{name}/{folder.name}"] = (folder, suite)
    return found


def record(tree: str, parts: Sequence[str], capabilities: Sequence[str]) -> list[Line]:
    """Everything about one tree, in a fixed order."""
    source, suite = trees()[tree]
    if suite is not None:
        os.environ["PLANTWIN_TASKS"] = str(suite)
    with tempfile.TemporaryDirectory(prefix="plantwin-golden-") as name:
        place = Path(name)
        if suite is None:
            root = place / "tree"
            shutil.copytree(source, root, ignore=shutil.ignore_patterns("__pycache__"))
            for file in root.rglob("*"):
                os.utime(file, (1_700_000_000, 1_700_000_000), follow_symlinks=False)
            task_folder = None
        else:
            from plantwin_evals.suite import domain
            from plantwin_evals.task_folder import TaskFolder

            task_folder = TaskFolder(domain(source.name), place)
            root = task_folder.root
        lines: list[Line] = []
        if "scan" in parts:
            lines += scanned(root)
        if "findings" in parts:
            lines += called(root, capabilities)
        if "sessions" in parts and task_folder is not None:
            lines += planned(task_folder)
        text = json.dumps([[key, value] for key, value in lines], sort_keys=True, default=str)
        text = text.replace(str(place), "PLACE")
        return [(key, value) for key, value in json.loads(text)]


def scanned(root: Path) -> Iterator[Line]:
    """Objects and relations."""
    from plantwin.private.environment import Environment

    environment = Environment(root)
    scan = environment.scan(jobs=1)
    names = {}
    for found in scan.records():
        names[found.number] = f"{found.path}#{found.part}"
        values = msgspec.to_builtins(found)
        del values["number"], values["freshness"]
        yield f"object {names[found.number]}", values
    for line in sorted(
        [names.get(each.source, "?"), each.edge, each.reason, names.get(each.target, "-"), each.evidence]
        for each in scan.relations()
    ):
        yield f"relation {' '.join(line[:4])}", line[4]
    environment.close()


def called(root: Path, capabilities: Sequence[str]) -> Iterator[Line]:
    """Every capability on the objects that it accepts, in this process."""
    from plantwin.private.capabilities import catalog, function
    from plantwin.private.capabilities.engine.job import Input, Job
    from plantwin.private.environment import Environment
    from plantwin.private.surroundings import Neighbourhood
    from plantwin.vocabulary import Kind, SemanticClass, member

    environment = Environment(root)
    scan = environment.scan(jobs=1)
    records = sorted(scan.records(), key=lambda each: hashlib.sha256(f"{each.path}#{each.part}".encode()).digest())
    around = Neighbourhood(scan, {f"{each.path}#{each.part}": each for each in records}).around
    options: dict[str, object] = {"rules": str(_rules()), "tools": sysconfig.get_path("scripts")}
    for capability in catalog().values():
        name = capability.name.value
        if name in SKIPPED or (capabilities and name not in capabilities):
            continue
        fitting = [
            each
            for each in records
            if capability.accepts(member(Kind, each.kind), member(SemanticClass, each.semantic_class))
        ][:MOST]
        least = max(1, capability.least)
        calls = [fitting[start : start + least] for start in range(len(fitting) - least + 1)]
        if len(fitting) > least:
            calls.append(fitting[: capability.most])
        run = function(name)
        for chosen in calls:
            inputs = tuple(
                Input(
                    name=each.path, part=each.part, kind=each.kind,
                    semantic_class=each.semantic_class, file=str(root / each.path),
                )
                for each in chosen
            )  # fmt: skip
            near = around([f"{each.path}#{each.part}" for each in chosen]) if capability.surroundings else None
            extra = {"surroundings": near} if near is not None else {}
            key = f"{name} {' '.join(each.label for each in inputs)}"
            try:
                result = run(Job(capability=name, inputs=inputs, options=options, **extra))  # type: ignore[arg-type]
            except Exception as error:
                yield f"call {key}", {"crashed": type(error).__name__}
                continue
            yield f"call {key}", _result(result)
    environment.close()


def _rules() -> Path:
    from plantwin.private.detect.compiled import _folder

    return _folder()


def _result(result: Any) -> dict[str, Any]:
    plain = msgspec.to_builtins(result)
    findings = [
        [each["name"], each["line"], each["severity"], each["tag"], each["message"], each["hint"]]
        for each in plain["findings"]
    ]
    return {
        "outcome": plain["outcome"],
        "findings": sorted(findings),
        "message facts": _digest(plain["facts"]),
        "message text": _digest(plain["text"]),
    }


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=str).encode()).hexdigest()[:16]


def planned(task_folder: Any) -> Iterator[Line]:
    """Sessions of the embedded planner: what was sent, planned, decided and answered."""
    from plantwin.cloud.registry import Registry
    from plantwin.config.settings import Settings
    from plantwin.session import run
    from plantwin_evals.workspace import EvaluationWorkspace

    for task in task_folder.domain.tasks:
        _seed(task.id)
        room = EvaluationWorkspace(task_folder.root, Settings(), task_folder.fresh(), task_folder.memory, None, True)
        try:
            planner = Registry(room.settings, room.catalog, room.state.subfolder("planners")).planner("offline")
            done = run(task.goal, room, planner)
            names = {id_: f"{path}#{part}" for id_, (path, part) in done.names.items()}
            sent = [_named(each.data.decode(), names) for each in done.outbound]
            steps = []
            for turn in done.turns:
                for position, step in enumerate(turn.plan.steps):
                    inputs = [_named(json.dumps(msgspec.to_builtins(each)), names) for each in step.inputs]
                    verdict = turn.verdict(position)
                    steps.append([str(step.capability), inputs, _named(repr(verdict), names)])
            yield f"session {task.id}", {"steps": steps, "sent": [_sorted(json.loads(each)) for each in sent]}
        finally:
            room.close()


def _seed(name: str) -> None:
    """Make everything random the same for each task: ids, orders, ties."""
    source = random.Random(name)
    secrets.token_bytes = lambda size=32: source.randbytes(size or 32)  # type: ignore[assignment]
    secrets.randbits = source.getrandbits
    secrets.SystemRandom = lambda: source  # type: ignore[assignment,misc]


def _named(text: str, names: dict[str, str]) -> str:
    for id_, name in names.items():
        text = text.replace(id_, name.replace('"', "'").replace("\\", "/"))
    return re.sub(r"\b(?:component|set|artifact|custom)_[a-z2-7]{8}\b", "ID", text)


def _sorted(value: Any) -> Any:
    """Lists in a fixed order, since the order on the wire is random by design."""
    if isinstance(value, dict):
        return {key: _sorted(inner) for key, inner in value.items() if key not in ("session", "session_id", "nonce")}
    if isinstance(value, list):
        return sorted((_sorted(inner) for inner in value), key=lambda inner: json.dumps(inner, sort_keys=True))
    return value


def compare(old: list[Line], new: list[Line]) -> Iterator[tuple[str, str]]:
    """`what differs` with its key: lines of one record alone, values, findings, messages."""
    before, after = Counter(), Counter()
    values: dict[str, list[list[Any]]] = {}
    for which, lines in enumerate((old, new)):
        for key, value in lines:
            (before, after)[which][key] += 1
            values.setdefault(key, [[], []])[which].append(value)
    for key, (left, right) in values.items():
        if before[key] != after[key]:
            yield ("gone" if before[key] > after[key] else "new"), key
        for one, two in zip(left, right, strict=False):
            yield from ((kind, f"{key}: {detail}") for kind, detail in _differences(one, two))


def _differences(one: Any, two: Any) -> Iterator[tuple[str, str]]:
    if one == two:
        return
    if not (isinstance(one, dict) and isinstance(two, dict)):
        yield "value", f"{one!r} -> {two!r}"[:400]
        return
    for key in sorted(one.keys() | two.keys()):
        left, right = one.get(key), two.get(key)
        if left == right:
            continue
        if key == "findings":
            places = [Counter(tuple(each[:4]) for each in side or ()) for side in (left, right)]
            yield from (("finding gone", repr(each)) for each in (places[0] - places[1]).elements())
            yield from (("finding new", repr(each)) for each in (places[1] - places[0]).elements())
            if places[0] == places[1]:
                yield "message", "findings are worded otherwise"
        elif key.startswith("message"):
            yield "message", key
        else:
            yield "value", f"{key}: {left!r} -> {right!r}"[:400]


def main() -> None:
    """Write or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("write", "compare"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default=",".join(PARTS), help="parts, separated by commas")
    parser.add_argument("--capability", action="append", default=[], help="only findings of this capability")
    parser.add_argument("--domain", action="append", default=[], help="only trees whose name contains this")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--messages", action="store_true", help="list changed messages too")
    options = parser.parse_args()
    parts = options.only.split(",")
    names = [name for name in trees() if not options.domain or any(each in name for each in options.domain)]
    failed = False
    totals: Counter[str] = Counter()
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        made = {name: pool.submit(record, name, parts, options.capability) for name in names}
        for name, future in made.items():
            lines = future.result()
            file = options.folder / f"{name.replace('/', '-')}.json"
            if options.action == "write":
                options.folder.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps(lines, indent=0, sort_keys=True))
                print(f"{name}: {len(lines)} lines", file=sys.stderr)
                continue
            old = [(key, value) for key, value in json.loads(file.read_text()) if _wanted(key, parts, options)]
            for kind, detail in compare(old, lines):
                totals[kind] += 1
                if kind != "message":
                    failed = True
                if kind != "message" or options.messages:
                    print(f"{name}: {kind}: {detail}")
    if options.action == "compare":
        print(f"compared {len(names)} trees: {dict(totals) or 'all the same'}", file=sys.stderr)
    sys.exit(int(failed))


def _wanted(key: str, parts: Sequence[str], options: argparse.Namespace) -> bool:
    sort, _, rest = key.partition(" ")
    part = {"object": "scan", "relation": "scan", "call": "findings", "session": "sessions"}[sort]
    if part not in parts:
        return False
    return part != "findings" or not options.capability or rest.split(" ")[0] in options.capability


if __name__ == "__main__":
    main()
