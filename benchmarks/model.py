"""What the small local model is worth and what it costs: plans, classes and text work.

python -m benchmarks.model [plans] [classes] [text]
"""

from __future__ import annotations

import random
import sys
import time
import tomllib
from pathlib import Path

from benchmarks.harness import scratch

TESTS = Path(__file__).parent.parent / "tests"
SETS = {"labelled": ("labels.toml",), "labelled_more": ("labels-a.toml", "labels-b.toml")}
GOALS = 60
SAMPLE = 40
"""Files for which the model's own choice is measured, whether or not it would be asked."""


def main() -> None:
    wanted = sys.argv[1:] or ["plans", "classes", "text"]
    for name in wanted:
        {"plans": plans, "classes": classes, "text": text}[name]()


def plans() -> None:
    """Plans over random scenes and goals: how many decode and are well typed, and how long they take."""
    from plantwin.boundary.wire import encode
    from plantwin.cloud.answer import decode_plan
    from plantwin.cloud.grammar import fits
    from plantwin.cloud.local import Local
    from plantwin.private.capabilities import catalog
    from plantwin.private.model.naming import classes_of
    from plantwin.types.envelope import Registration, Request
    from plantwin.types.goal import Goal
    from plantwin.types.identity import Issuer
    from plantwin.types.twin import TwinObject
    from plantwin.vocabulary import CapabilityName, Kind, SemanticClass

    capabilities = catalog()
    valid, times, sizes, steps = 0, [], [], []
    started = time.perf_counter()
    first: Local | None = None
    for seed in range(GOALS):
        rng, issuer = random.Random(seed), Issuer()
        objects = []
        for _ in range(rng.randint(1, 24)):
            kind = rng.choice(list(Kind))
            leaf = SemanticClass(rng.choice(classes_of(kind)))
            fields = {"semantic_class": leaf} if rng.random() < 0.7 else {}
            objects.append(TwinObject(object_id=issuer.object_id(), kind=kind, **fields))
        names = rng.sample(sorted(CapabilityName), rng.randint(0, 3))
        goal = Goal(intents=tuple(sorted(set(names))))
        told = {each.object_id: {"kind": each.kind, **_class(each)} for each in objects}
        planner = Local(capabilities)
        if first is None:
            first = planner
            planner._started()
        planner._endpoint = first._endpoint
        sent: list[int] = []
        planner.witness = lambda data, *_, sent=sent: sent.append(len(data))
        begun = time.perf_counter()
        answer = planner.plan([encode(Registration(objects=tuple(objects))), encode(Request(goal=goal))])
        answer_time = time.perf_counter() - begun
        plan = decode_plan(answer)
        typed = all(
            all((each in told and fits(capabilities[step.capability], told[each])) or not each.startswith("artifact_")
                for each in step.inputs)
            for step in plan.steps
        )  # fmt: skip
        valid += bool(plan.steps) and typed
        times.append(answer_time)
        sizes += sent
        steps.append(len(plan.steps))
    if first is not None:
        first.close()
    times.sort()
    print(f"plans that decode and are well typed: {valid} of {GOALS}")
    print(f"seconds per plan: median {times[len(times) // 2]:.2f}, most {times[-1]:.2f}")
    print(f"bytes per request: most {max(sizes)}; steps per plan: mean {sum(steps) / len(steps):.1f}")
    print(f"whole: {time.perf_counter() - started:.0f} s")


def _class(each: object) -> dict[str, str]:
    leaf = getattr(each, "semantic_class", None)
    return {"semantic_class": str(leaf)} if isinstance(leaf, str) else {}


def classes() -> None:
    """Kind, family and class on the labelled files: heuristics alone, with the model's word, and the model alone."""
    from plantwin import Environment
    from plantwin.private.model.model import Chosen, Model
    from plantwin.private.model.naming import BYTES, Namer
    from plantwin.vocabulary import SemanticClass
    from plantwin.weights import installed

    weights, runtime = installed()
    chosen = Chosen(weights, runtime, 3600.0)
    everything = []
    for name, files in SETS.items():
        rows = [row for file in files for row in tomllib.loads((TESTS / name / file).read_text())["file"]]
        for label, model in (("heuristics", None), ("with model", chosen)):
            found, started = {}, time.perf_counter()
            for domain in sorted({row["path"].split("/")[0] for row in rows}):
                environment = Environment(TESTS / name / domain, keep=False, ignore=False, model=model)
                for record in environment.scan(jobs=1).records():
                    found[f"{domain}/{record.path}"] = record
                environment.close()
            seconds = time.perf_counter() - started
            right = {"kind": 0, "family": 0, "semantic_class": 0}
            low = 0
            for row in rows:
                record, leaves = found[row["path"]], [row["semantic_class"], *row.get("also", [])]
                right["kind"] += record.kind == row["kind"]
                right["family"] += record.family in {SemanticClass(each).family for each in leaves}
                right["semantic_class"] += record.semantic_class in leaves
                low += record.confidence == "low"
                if model is None:
                    everything.append((TESTS / name / row["path"], record, leaves))
            print(f"{name} {label}: {right} of {len(rows)}, low confidence {low}, {seconds:.1f} s")
    doubted = [each for each in everything if each[1].confidence == "low"]
    with Model(weights, runtime, context=512) as loaded:
        namer = Namer(loaded)
        for label, sample in (
            ("files in doubt", doubted),
            ("any files", random.Random(1).sample(everything, SAMPLE)),
        ):
            hits = family = third = 0
            started = time.process_time()
            for path, record, leaves in sample:
                ranking = namer.opinion(record.kind, path.read_bytes()[:BYTES], (record.semantic_class,)).ranking
                names = [each for each, _ in ranking]
                hits += bool(names) and names[0] in leaves
                family += bool(names) and SemanticClass(names[0]).family in {SemanticClass(x).family for x in leaves}
                third += any(each in leaves for each in names[:3])
            each = (time.process_time() - started) / len(sample)
            heuristics = sum(record.semantic_class in leaves for _, record, leaves in sample)
            print(
                f"model alone, {label}: class {hits}, family {family}, among three {third} of {len(sample)} "
                f"(heuristics: class {heuristics}); {each:.2f} s of one core each"
            )


def text() -> None:
    """One step of each text capability with and without the model, in the sandbox."""
    from plantwin import Environment
    from plantwin.private.capabilities import catalog
    from plantwin.private.execution import Launcher, SandboxExecutor
    from plantwin.weights import installed

    with scratch() as folder:
        (folder / "rules.md").write_text("# Rules\n\nParcels are handed over before noon. The driver signs.\n" * 5)
        environment = Environment(folder, keep=False)
        (record,) = environment.scan(jobs=1).records()
        files = tuple(map(str, installed()))
        for name in ("summarize", "extract_constraints", "classify"):
            line = []
            for model in (None, files):
                executor = SandboxExecutor(Launcher(folder, model=model), {"o": record})
                started = time.perf_counter()
                executor.execute("s1", catalog()[name], ["o"])
                line.append(time.perf_counter() - started)
                executor.close()
            print(f"{name}: {line[0]:.2f} s without, {line[1]:.2f} s with the model")
        environment.close()


if __name__ == "__main__":
    main()
