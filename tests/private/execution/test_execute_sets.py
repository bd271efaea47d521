"""Steps over sets: every member is examined or counted with the reason, and one that misbehaves costs itself alone."""

from __future__ import annotations

import os
import signal
import threading
import time
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from workers import AUDIT, CAPABILITY, SET, executor, record, running, settled, written

from plantwin.private.capabilities import catalog
from plantwin.private.capabilities.engine.job import Neighbour, Surroundings
from plantwin.private.execution import members as reasons
from plantwin.private.execution.calls import FolderView
from plantwin.private.execution.executor import SandboxExecutor
from plantwin.private.execution.launcher import Launcher
from plantwin.private.execution.members import AT_ONCE, TOGETHER
from plantwin.private.execution.protocol import Extension, Limits
from plantwin.private.facts import Record, Relation
from plantwin.private.reading import signature_of
from plantwin.types.capability import Capability
from plantwin.types.outcome import Outcome
from plantwin.types.plan import Narrowed, Where
from plantwin.types.verdict import Failure
from plantwin.vocabulary import CapabilityName, ContentTag, Kind, ResultType, Risk, SemanticClass, WorksOn

COMPARE = Capability(
    name=CapabilityName.COMPARE,
    doc="",
    example="",
    least=2,
    most=2,
    returns=ResultType.COMPARISON,
    works_on=WorksOn.PAIRS,
)
WHOLE = Capability(
    name=CapabilityName.TRACE_ERRORS, doc="", example="", returns=ResultType.FINDINGS, works_on=WorksOn.WHOLE
)


def over(root: Path, sets: Sequence[Record] | Mapping[str, Sequence[Record]], **more: Any) -> SandboxExecutor:
    """An executor whose worker does what its files say, over one set or several."""
    by_id = sets if isinstance(sets, Mapping) else {SET: sets}
    return executor(root, "by_content", {}, members=lambda name: by_id[name], **more)


def left_out(worker: SandboxExecutor, step: str = "s1") -> dict[str, tuple[str, ...]]:
    """Names of what a step left out, by reason."""
    coverage = worker.results[step].coverage
    assert coverage is not None
    assert all(each.count == len(each.names) for each in coverage.left_out)
    return {each.reason: each.names for each in coverage.left_out}


def names(records: Sequence[Record]) -> list[str]:
    return [each.path for each in records]


def test_every_member_is_examined_and_one_outcome_told(tmp_path: Path, mode: str) -> None:
    records = written(tmp_path, {"a.py": "high", "b/c.py": "", "d.py": "low", "e.py": ""})
    worker = over(tmp_path, records)
    executed = worker.execute("s1", AUDIT, [SET])
    assert executed.raw == {
        "status": "done",
        "severity": "high",
        "count": "few",
        "tags": ["injection"],
        "examined": "all",
        "affected": "few",
    }
    msgspec.convert(executed.raw, Outcome)
    result = worker.results["s1"]
    assert [(each.name, each.severity) for each in result.findings] == [("a.py", "high"), ("d.py", "low")]
    assert result.coverage is not None
    assert (result.coverage.given, result.coverage.examined, result.coverage.affected) == (4, 4, 2)
    assert names(worker.resolve(["s1.affected"])) == ["a.py", "d.py"]
    assert names(worker.resolve(["s1.clean"])) == ["b/c.py", "e.py"]
    assert names(worker.resolve(["s1.worst"])) == ["a.py"]
    assert worker.resolve(["s1.unexamined"]) == worker.resolve(["s1"]) == ()


def test_a_worker_has_one_file_at_a_time(tmp_path: Path, mode: str) -> None:
    records = written(tmp_path, {f"{number}.py": "" for number in range(20)})
    worker = over(tmp_path, records)
    worker.execute("s1", AUDIT, [SET])
    members: Any = worker.results["s1"].facts["members"]
    assert {tuple(each["left"]) for each in members.values()} == {("0",)}


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("crash", reasons.FAILURES[Failure.CRASHED]),
        ("raise", reasons.FAILURES[Failure.CRASHED]),
        ("memory", reasons.FAILURES[Failure.MEMORY]),
        ("long", reasons.FAILURES[Failure.OUTPUT_TOO_LARGE]),
        ("unknown", "in no form that this capability reads"),
    ],
)
def test_a_file_that_cannot_be_examined_costs_itself_alone(tmp_path: Path, word: str, reason: str, mode: str) -> None:
    files = {f"{number:02}.py": "low" for number in range(12)} | {"05.py": word, "06.py": word}
    worker = over(tmp_path, written(tmp_path, files))
    executed: Any = worker.execute("s1", AUDIT, [SET]).raw
    assert (executed["status"], executed["examined"], executed["affected"]) == ("partial", "most", "all")
    assert left_out(worker) == {reason: ("05.py", "06.py")}
    assert names(worker.resolve(["s1.unexamined"])) == ["05.py", "06.py"]
    assert len(worker.results["s1"].findings) == 10


def test_a_file_that_hangs_costs_its_time(tmp_path: Path) -> None:
    token = uuid.uuid4().hex
    files = {f"{number:02}.py": "low" for number in range(8)} | {"03.py": "hang"}
    worker = over(tmp_path, written(tmp_path, files), limits=Limits(seconds=2), token=token)
    began = time.monotonic()
    assert worker.execute("s1", AUDIT, [SET]).failure is None
    assert time.monotonic() - began < 15
    assert left_out(worker) == {"took too long": ("03.py",)}
    assert settled(token, 0)


def test_all_that_fails_is_a_failed_step(tmp_path: Path) -> None:
    worker = over(tmp_path, written(tmp_path, {"a.py": "raise", "b.py": "crash"}))
    assert worker.execute("s1", AUDIT, [SET]).raw == {"status": "failed", "examined": "none", "affected": "none"}
    assert worker.errors["s1"].startswith("ValueError at private/")


def test_the_time_of_a_step_is_limited(tmp_path: Path) -> None:
    token = uuid.uuid4().hex
    worker = over(tmp_path, written(tmp_path, {f"{n:03}.py": "nap" for n in range(200)}), token=token)
    began = time.monotonic()
    executed: Any = worker.execute("s1", AUDIT, [SET], seconds=3).raw
    assert time.monotonic() - began < 8
    assert executed["status"] == "partial"
    assert executed["examined"] in ("some", "most")
    assert set(left_out(worker)) == {reasons.LATE}
    assert settled(token, 0)


def test_an_interruption_keeps_what_was_done(tmp_path: Path) -> None:
    token = uuid.uuid4().hex
    worker = over(tmp_path, written(tmp_path, {f"{n:03}.py": "nap" for n in range(200)}), token=token)
    threading.Timer(2.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    executed = worker.execute("s1", AUDIT, [SET])
    assert executed.failure is None
    coverage = worker.results["s1"].coverage
    assert coverage is not None
    assert 0 < coverage.examined < 200
    assert set(left_out(worker)) == {reasons.STOPPED}
    assert worker.cut_short and not worker.interrupted
    assert settled(token, 0)
    assert worker.execute("s2", AUDIT, [SET], seconds=1).failure is None


def test_what_is_not_permitted_not_taken_or_too_much_is_counted(tmp_path: Path) -> None:
    records = written(tmp_path, {f"{number}.py": "" for number in range(6)})
    records += written(tmp_path, {"notes.md": "", "more.md": ""}, kind="document", semantic_class="runbook")
    code = msgspec.structs.replace(AUDIT, kinds=frozenset({Kind.CODE_FILE}))
    worker = over(tmp_path, records, max_files=3)
    executed: Any = worker.execute("s1", code, [SET], permitted=lambda each: each.path != "0.py").raw
    assert (executed["status"], executed["examined"]) == ("partial", "some")
    assert left_out(worker) == {
        reasons.UNFIT: ("notes.md", "more.md"),
        reasons.TOO_MANY: ("4.py", "5.py"),
        reasons.REFUSED: ("0.py",),
    }
    assert len(worker.resolve(["s1.unexamined"])) == 5


def test_nothing_that_fits_is_not_a_failure(tmp_path: Path) -> None:
    worker = over(tmp_path, written(tmp_path, {"a.py": ""}))
    executed = worker.execute("s1", AUDIT, [SET], permitted=lambda _: False)
    assert executed.raw == {"status": "partial", "examined": "none", "affected": "none"}


def test_an_empty_set_and_an_empty_part_are_no_error(tmp_path: Path) -> None:
    worker = over(tmp_path, {SET: [], "set_bbbbbbbb": written(tmp_path, {"a.py": ""})})
    nothing = {"status": "done", "severity": "none", "count": "none", "examined": "none", "affected": "none"}
    assert worker.execute("s1", AUDIT, [SET]).raw == nothing
    worker.execute("s2", AUDIT, ["set_bbbbbbbb"])
    assert worker.execute("s3", AUDIT, ["s2.affected"]).raw == nothing
    assert worker.execute("s4", AUDIT, ["s3.clean", "nobody.worst"]).raw == nothing


def test_what_is_gone_changed_or_no_file_is_left_out(tmp_path: Path) -> None:
    records = written(tmp_path, {f"{name}.py": "low" for name in ("gone", "pipe", "link", "edited", "fine")})
    seen = {each.path: signature_of((tmp_path / each.path).stat()) for each in records}
    worker = over(tmp_path, records, signatures=seen)
    for name in ("gone", "pipe", "link"):
        (tmp_path / f"{name}.py").unlink()
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "link.py").symlink_to("fine.py")
    (tmp_path / "edited.py").write_text("high")
    executed: Any = worker.execute("s1", AUDIT, [SET]).raw
    assert (executed["status"], executed["examined"], executed["severity"]) == ("partial", "some", "low")
    assert left_out(worker) == {
        reasons.UNREADABLE: ("pipe.py", "link.py"),
        reasons.GONE: ("gone.py",),
        reasons.CHANGED: ("edited.py",),
    }


def test_hostile_names_are_spelled_out(tmp_path: Path, mode: str) -> None:
    odd = [
        os.fsdecode(b"caf\xe9\n.py"),
        "-rf.py",
        "a b`|*.py",
        "x" * 200 + ".py",
        "../up.py",
        "/etc/passwd",
        "\u202e.py",
    ]
    records = written(tmp_path, dict.fromkeys(odd[:4] + odd[6:], "low"))
    records += [msgspec.structs.replace(records[0], path=path, number=90 + at) for at, path in enumerate(odd[4:6])]
    worker = over(tmp_path, records)
    assert worker.execute("s1", AUDIT, [SET]).failure is None
    assert left_out(worker) == {reasons.UNREADABLE: ("../up.py", "/etc/passwd")}
    found = {each.name for each in worker.results["s1"].findings}
    assert found == {"caf\\udce9\n.py", "-rf.py", "a b`|*.py", "x" * 200 + ".py", "\u202e.py"}
    assert [each.path for each in worker.resolve(["s1.affected"])] == [each.path for each in records[:5]]


def test_conditions_choose_members_of_sets_and_of_parts(tmp_path: Path) -> None:
    records = written(tmp_path, {"a.py": "high", "b.py": "low"}, contains=(("credentials", "few"),))
    records += written(tmp_path, {"c.py": "high"}, semantic_class="payment_module")
    records = [msgspec.structs.replace(each, number=at) for at, each in enumerate(records)]
    worker = over(tmp_path, records)
    by_class = Narrowed(set=SET, where=Where(semantic_class=SemanticClass.PAYMENT_MODULE))
    assert names(worker.resolve([by_class])) == ["c.py"]
    by_content = Narrowed(set=SET, where=Where(contains=ContentTag.CREDENTIALS, kind=Kind.CODE_FILE))
    assert names(worker.resolve([by_content, SET])) == ["a.py", "b.py", "c.py"]
    assert worker.execute("s1", AUDIT, [by_content]).failure is None
    assert names(worker.resolve(["s1.worst"])) == ["a.py"]
    worker.execute("s2", AUDIT, [SET])
    parts = Narrowed(set="s2.worst", where=Where(contains=ContentTag.CREDENTIALS))
    worker.execute("s3", AUDIT, [parts])
    assert names(worker.resolve(["s3.affected"])) == ["a.py"]


def test_parts_of_parts_and_of_earlier_turns(tmp_path: Path) -> None:
    worker = over(tmp_path, written(tmp_path, {"a.py": "high", "b.py": "low", "c.py": ""}))
    worker.execute("s1", AUDIT, [SET])
    worker.forget(["s2"])
    worker.execute("s2", AUDIT, ["s1.affected"])
    worker.forget(["s3"])
    worker.execute("s3", AUDIT, ["s2.worst"])
    assert names(worker.resolve(["s3.affected"])) == ["a.py"]
    worker.forget(["s1"])
    assert worker.resolve(["s1.affected"]) == ()
    assert names(worker.resolve(["s2.affected"])) == ["a.py", "b.py"]
    worker.execute("s1", AUDIT, ["s2.affected"])
    assert names(worker.resolve(["s1.affected"])) == ["a.py", "b.py"]


def test_a_step_may_replace_one_whose_part_it_takes(tmp_path: Path) -> None:
    worker = over(tmp_path, written(tmp_path, {"a.py": "high", "b.py": ""}))
    worker.execute("s1", AUDIT, [SET])
    worker.execute("s1", AUDIT, ["s1.affected"])
    assert worker.results["s1"].coverage is not None
    assert worker.results["s1"].coverage.given == 1


def test_objects_beside_a_set_are_members_and_have_parts_by_themselves(tmp_path: Path) -> None:
    records = written(tmp_path, {"a.py": "high", "b.py": ""})
    worker = executor(tmp_path, "by_content", {"o": records[0], "p": records[1]}, members=lambda _: records[1:])
    worker.execute("s1", AUDIT, ["o", SET])
    assert worker.results["s1"].coverage is not None
    assert worker.results["s1"].coverage.given == 2
    executed: Any = worker.execute("s2", AUDIT, ["o", "p"]).raw
    assert "examined" not in executed
    assert names(worker.resolve(["s2.affected"])) == ["a.py"]
    assert names(worker.resolve(["o", SET, "s2.affected", "s2"])) == ["a.py", "b.py"]


def test_a_step_done_before_has_its_parts_too(tmp_path: Path) -> None:
    worker = over(tmp_path, written(tmp_path, {"a.py": "high", "b.py": ""}))
    worker.execute("s1", AUDIT, [SET], recipe="r")
    worker.again("s9", "r")
    assert names(worker.resolve(["s9.affected"])) == ["a.py"]
    assert worker.results["s9"] is worker.results["s1"]


def test_thousands_of_files(tmp_path: Path) -> None:
    files = {f"{number % 50}/{number}.py": "low" if number % 10 == 0 else "" for number in range(3000)}
    worker = over(tmp_path, written(tmp_path, files))
    told: list[tuple[str, int, int]] = []
    worker.progress = lambda *word: told.append(word)
    began = time.monotonic()
    executed: Any = worker.execute("s1", AUDIT, [SET]).raw
    took = time.monotonic() - began
    assert (executed["examined"], executed["affected"], executed["count"]) == ("all", "few", "many")
    assert len(worker.resolve(["s1.affected"])) == len(worker.results["s1"].findings) == 300
    assert told[-1] == ("s1", 3000, 3000)
    assert len(told) <= took * 10 + 2
    assert [each[1] for each in told] == sorted(each[1] for each in told)


def test_texts_of_members_stand_under_their_names(tmp_path: Path) -> None:
    worker = over(tmp_path, written(tmp_path, {"a.py": "", "b.py": ""}))
    worker.execute("s1", CAPABILITY, [SET])
    text = worker.results["s1"].text
    assert text.index("### a.py\n\nread a.py") < text.index("### b.py\n\nread b.py")
    worker.execute("s2", CAPABILITY, [SET, "s1"])
    assert "read s1" in worker.results["s2"].text


def related(reason: str, source: int, target: int) -> Relation:
    return Relation(source=source, edge="similar_to", reason=reason, target=target)


def test_pairs_are_found_by_relations_then_by_name(tmp_path: Path) -> None:
    files = {"new.py": "low", "old.py": "", "x/same.py": "", "y/same.py": "", "alone.py": "high"}
    relations = [related("supersedes", 0, 1)]
    worker = over(tmp_path, written(tmp_path, files), relations=lambda: relations)
    executed: Any = worker.execute("s1", COMPARE, [SET]).raw
    assert (executed["status"], executed["examined"], executed["severity"]) == ("partial", "most", "low")
    result = worker.results["s1"]
    assert result.facts["pairs"] == [["old.py", "new.py"], ["x/same.py", "y/same.py"]]
    assert result.coverage is not None
    assert result.coverage.pairs == 2
    assert left_out(worker) == {reasons.UNPAIRED: ("alone.py",)}
    assert names(worker.resolve(["s1.affected"])) == ["new.py", "old.py"]
    assert names(worker.resolve(["s1.newer"])) == ["new.py"]
    assert names(worker.resolve(["s1.older"])) == ["old.py"]


def test_pairs_go_across_two_sets_and_an_object_meets_its_counterparts(tmp_path: Path) -> None:
    records = written(tmp_path, dict.fromkeys(("a/x.py", "b/x.py", "c/x.py", "d.py", "e.py"), ""))
    sets = {SET: [*records[:2], records[3]], "set_bbbbbbbb": [records[2], records[4]]}
    worker = executor(tmp_path, "by_content", {"o": records[3]}, members=sets.__getitem__)
    worker.execute("s1", COMPARE, [SET, "set_bbbbbbbb"])
    assert worker.results["s1"].facts["pairs"] == [["a/x.py", "c/x.py"], ["b/x.py", "c/x.py"]]
    worker.execute("s2", COMPARE, ["o", "set_bbbbbbbb"])
    assert worker.results["s2"].facts["pairs"] == [["d.py", "c/x.py"], ["d.py", "e.py"]]


def test_no_more_pairs_than_stated(tmp_path: Path) -> None:
    records = written(tmp_path, {f"{side}/{number}.py": "" for number in range(70) for side in "ab"})
    worker = over(tmp_path, records)
    worker.execute("s1", COMPARE, [SET])
    coverage = worker.results["s1"].coverage
    assert coverage is not None
    assert (coverage.pairs, coverage.examined, coverage.given) == (64, 128, 140)
    assert set(left_out(worker)) == {reasons.MORE_PAIRS}


@pytest.mark.parametrize(
    ("semantic_class", "pairs"), [("localization", 0), ("repository_config", 0), ("app_config", 1)]
)
def test_texts_by_language_are_no_environments(tmp_path: Path, semantic_class: str, pairs: int) -> None:
    given = written(tmp_path, {"lang/de/auth.py": "", "lang/fr/auth.py": ""})
    records = [msgspec.structs.replace(record, semantic_class=semantic_class) for record in given]
    six = msgspec.structs.replace(COMPARE, name=CapabilityName.COMPARE_ENVIRONMENTS, most=6)
    worker = over(tmp_path, records)
    worker.execute("s1", six, [SET])
    coverage = worker.results["s1"].coverage
    assert coverage is not None
    assert coverage.pairs == pairs
    assert set(left_out(worker)) == (set() if pairs else {reasons.UNFIT})


def test_settings_of_several_programs_are_no_environments(tmp_path: Path) -> None:
    paths = ("basket/app.py", "cart/app.py", "envs/eu/x.py", "envs/us/x.py", "dev/y.py", "prod/y.py")
    six = msgspec.structs.replace(COMPARE, name=CapabilityName.COMPARE_ENVIRONMENTS, most=6)
    worker = over(tmp_path, written(tmp_path, dict.fromkeys(paths, "")))
    worker.execute("s1", six, [SET])
    assert worker.results["s1"].facts["pairs"] == [["envs/eu/x.py", "envs/us/x.py"], ["dev/y.py", "prod/y.py"]]


def test_counterparts_of_several_environments_are_one_group(tmp_path: Path) -> None:
    records = written(tmp_path, {f"{name}.py": "" for name in ("dev", "prod", "stage")})
    relations = [related("sibling", 0, 1), related("sibling", 1, 2)]
    six = msgspec.structs.replace(COMPARE, name=CapabilityName.COMPARE_ENVIRONMENTS, most=6)
    worker = over(tmp_path, records, relations=lambda: relations)
    worker.execute("s1", six, [SET])
    assert worker.results["s1"].facts["pairs"] == [["dev.py", "prod.py", "stage.py"]]


def test_counterparts_are_found_in_whichever_of_many_sets_they_are(tmp_path: Path) -> None:
    records = written(tmp_path, dict.fromkeys(("dev.py", "prod.py", "dev/same.py", "live/same.py", "lone.py"), ""))
    ids = (SET, "set_bbbbbbbb", "set_cccccccc")
    sets = dict(zip(ids, (records[:3], records[3:4], records[4:]), strict=True))
    six = msgspec.structs.replace(COMPARE, name=CapabilityName.COMPARE_ENVIRONMENTS, most=6)
    worker = executor(tmp_path, "by_content", members=sets.__getitem__, relations=lambda: [related("sibling", 0, 1)])
    for step, capability, inputs in (("s1", COMPARE, ids), ("s2", six, ids), ("s3", six, ids[:2])):
        worker.execute(step, capability, inputs)
        assert worker.results[step].facts["pairs"] == [["dev/same.py", "live/same.py"], ["dev.py", "prod.py"]]


def test_the_whole_is_one_call_and_what_is_too_much_is_counted(tmp_path: Path) -> None:
    records = written(
        tmp_path, {f"{number:03}.py": "low" for number in range(AT_ONCE[CapabilityName.TRACE_ERRORS] + 6)}
    )
    worker = over(tmp_path, records)
    worker.execute("s1", WHOLE, [SET])
    assert worker.results["s1"].facts["inputs"] == [each.path for each in records[:-6]]
    assert left_out(worker) == {reasons.TOO_MUCH: tuple(names(records[-6:]))}


def test_where_all_is_too_much_the_smallest_are_read_and_the_rest_is_not_at_hand(tmp_path: Path) -> None:
    many = msgspec.structs.replace(WHOLE, name=CapabilityName.LIST_INVENTORY)
    worker = over(tmp_path, written(tmp_path, {"a.css": "low" + " " * (9 << 20), "b.py": "high", "c.py": "medium"}))
    worker.execute("s1", many, [SET])
    assert [each.name for each in worker.results["s1"].findings] == ["b.py", "c.py"]
    assert worker.results["s1"].facts["at_hand"] == ["b.py", "c.py"]


def test_results_go_into_the_call_on_the_whole(tmp_path: Path) -> None:
    worker = over(tmp_path, written(tmp_path, {"a.py": "low"}))
    worker.execute("s1", AUDIT, [SET])
    worker.execute("s2", WHOLE, [SET, "s1"])
    assert worker.results["s2"].facts["inputs"] == ["a.py", "s1"]


def test_files_that_explain_each_other_go_together_and_are_parted_where_one_fails(tmp_path: Path) -> None:
    together = msgspec.structs.replace(AUDIT, name=CapabilityName.AUDIT_INFRASTRUCTURE)
    files = {f"{name}/{number}.tf": "low" for name in "ab" for number in range(5)} | {"b/3.tf": "crash"}
    worker = over(tmp_path, written(tmp_path, files))
    worker.execute("s1", together, [SET])
    assert left_out(worker) == {reasons.FAILURES[Failure.CRASHED]: ("b/3.tf",)}
    assert len(worker.results["s1"].findings) == 9
    assert TOGETHER[CapabilityName.AUDIT_INFRASTRUCTURE] > 1


def test_a_file_too_large_for_a_copy_has_a_worker_of_its_own(tmp_path: Path, mode: str) -> None:
    records = written(tmp_path, {"a.py": "low", "big.py": "high" + " " * (9 << 20), "c.py": ""})
    worker = over(tmp_path, records)
    executed: Any = worker.execute("s1", AUDIT, [SET]).raw
    assert (executed["examined"], executed["severity"]) == ("all", "high")
    assert names(worker.resolve(["s1.worst"])) == ["big.py"]


def test_surroundings_are_told_once_and_each_member_its_place(tmp_path: Path) -> None:
    records = written(tmp_path, {f"{number}.py": "" for number in range(3)})
    asked: list[int] = []

    def around(inputs: Sequence[str | Record], _: object) -> Surroundings:
        asked.append(len(inputs))
        near = tuple(Neighbour(name=f"{number}.py", kind="code_file", semantic_class="x") for number in range(3))
        return Surroundings(objects=near, inputs=tuple(each.number for each in inputs if isinstance(each, Record)))

    looking = msgspec.structs.replace(AUDIT, surroundings=True)
    worker = over(tmp_path, records, surroundings=around)
    worker.execute("s1", looking, [SET])
    members: Any = worker.results["s1"].facts["members"]
    assert {name: each["places"] for name, each in members.items()} == {"0.py": [0], "1.py": [1], "2.py": [2]}
    assert asked == [3]
    assert worker.prepare(looking, [SET])


def test_a_worker_that_waits_serves_the_files_of_the_step(tmp_path: Path) -> None:
    token = uuid.uuid4().hex
    worker = over(tmp_path, written(tmp_path, {f"{number}.py": "low" for number in range(5)}), token=token)
    worker.expect([AUDIT, AUDIT])
    assert settled(token, 1)
    executed: Any = worker.execute("s1", AUDIT, [SET]).raw
    assert executed["examined"] == "all"
    assert worker.execute("s2", AUDIT, ["s1.affected"]).failure is None
    worker.close()
    assert settled(token, 0)
    assert running(token) == 0


def test_a_report_names_what_is_missing(tmp_path: Path) -> None:
    records = written(tmp_path, {"a.py": "import pickle\npickle.loads(x)\n"})
    worker = SandboxExecutor(Launcher(tmp_path), {}, scanned_ns=2**62, view=FolderView(members=lambda _: records))
    worker.execute("s1", catalog()["security_audit"], [SET])
    executed: Any = worker.execute("s2", catalog()["report"], ["s1", "s7"], missing=["s8"]).raw
    assert executed["status"] == "partial"
    assert "- s7: missing" in worker.results["s2"].text
    assert "- s8: missing" in worker.results["s2"].text
    assert worker.results["s2"].facts["missing"] == ["s8", "s7"]


def test_tests_of_a_set_are_run_once(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    log = "import os\nprint('ran')\n\n\ndef test_it() -> None:\n    assert True\n"
    records = written(root, {f"test_{number}.py": log for number in range(3)}, semantic_class="test_suite")
    worker = SandboxExecutor(Launcher(root), {}, scanned_ns=2**62, view=FolderView(members=lambda _: records))
    if not worker.sandboxed:
        pytest.skip("no sandbox")
    executed: Any = worker.execute("s1", catalog()["run_tests"], [SET]).raw
    assert (executed["status"], executed["examined"]) == ("done", "all"), worker.errors
    assert len(worker.results["s1"].facts["cases"]) == 3  # type: ignore[arg-type]


def test_a_capability_of_ones_own_is_called_once(tmp_path: Path) -> None:
    root, code = tmp_path / "root", tmp_path / "code"
    root.mkdir()
    code.mkdir()
    (code / "mine.py").write_text(
        "from plantwin import capability\n\n\n@capability(name='mine', like='classify', most=3)\n"
        "def mine(*paths):\n    return {'status': 'done', 'facts': {'files': [len(paths)]}}\n"
    )
    own = Capability(
        name=CapabilityName.CLASSIFY,
        own="mine",
        wire="custom_aaaaaaaa",
        doc="",
        example="",
        most=3,
        returns=ResultType.CLASSES,
        risk=Risk.MEDIUM,
    )
    worker = SandboxExecutor(
        Launcher(root),
        {},
        scanned_ns=2**62,
        view=FolderView(members=lambda _: written(root, {f"{number}.py": "" for number in range(4)})),
        extensions={"mine": Extension(sort="function", own="mine", file=str(code / "mine.py"), shown=(str(code),))},
        cache=tmp_path / "results.db",
    )
    executed: Any = worker.execute("s1", own, [SET]).raw
    assert (executed["status"], executed["examined"]) == ("partial", "most"), worker.errors
    assert worker.results["s1"].facts["files"] == [3]
    assert not (tmp_path / "results.db").exists()
    assert left_out(worker) == {reasons.TOO_MUCH: ("3.py",)}


def test_a_folder_that_went_away_leaves_everything_out(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    worker = over(root, written(root, {"a.py": "low"}))
    root.rename(tmp_path / "elsewhere")
    executed: Any = worker.execute("s1", AUDIT, [SET]).raw
    assert executed["status"] == "failed"
    assert record("a.py").path in worker.results["s1"].text


def test_a_map_of_more_than_it_draws_is_made_all_the_same(tmp_path: Path) -> None:
    records = written(tmp_path, {f"{number:03}.py": "" for number in range(450)})
    near = tuple(Neighbour(name=each.path, kind="code_file", semantic_class="x") for each in records)
    view = FolderView(
        lambda inputs, _: Surroundings(objects=near, inputs=tuple(range(len(inputs)))), members=lambda _: records
    )
    worker = SandboxExecutor(Launcher(tmp_path), {}, scanned_ns=2**62, view=view)
    executed: Any = worker.execute("s1", catalog()["map_dependencies"], [SET]).raw
    assert (executed["status"], executed["examined"]) == ("partial", "all"), worker.errors
    assert worker.resolve(["s1.related"]) == ()
