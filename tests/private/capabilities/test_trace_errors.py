"""Stack traces of each language, and the objects that they lead to."""

from __future__ import annotations

import msgspec
import pytest
from capability_inputs import TRACES, Run, around, earlier, given, shop

from plantwin.private.capabilities.logs.log import Log
from plantwin.private.capabilities.trace_errors.traces import Folder, traces_of
from tables import cases

PYTHON, JAVA = TRACES["python"]["text"], TRACES["java"]["text"]


@pytest.mark.parametrize("language", TRACES)
def test_a_trace_is_read_from_the_place_where_it_was_raised(language: str) -> None:
    expected = TRACES[language]
    (trace,) = traces_of(Log("a.log", expected["text"]))
    assert (trace.language, trace.type, trace.root) == (language, expected["raised"], expected["root"])
    assert [[frame.path, frame.line, frame.function] for frame in trace.own] == expected["frames"]
    assert trace.time >= 0
    assert repr(trace) == "<Trace private>"


def test_traces_that_differ_in_lines_alone_are_one_kind(run: Run) -> None:
    again = PYTHON.replace("line 12", "line 13").replace("10:00:0", "11:00:0")
    result = run("trace_errors", given("a.log", PYTHON + again))
    (group,) = result.facts["groups"]  # type: ignore[misc]
    assert group["count"] == 2
    other = run("trace_errors", given("a.log", PYTHON + JAVA))
    assert len(other.facts["groups"]) == 2  # type: ignore[arg-type]


def test_the_shop_leads_to_the_gateway(run: Run) -> None:
    folder = around(
        {
            "shop/app.py": "app_entrypoint",
            "shop/payments/service.py": "payment_module",
            "shop/payments/quillfjord_gateway.py": "payment_module",
            "shop/auth/service.py": "authentication_module",
            "tests/test_payments.py": "test_suite",
        },
        [("tests/test_payments.py", "depends_on", "tests", "shop/payments/service.py")],
    )
    analysis = run("analyze_logs", shop("logs/application.log"))
    for source in (shop("logs/application.log"), earlier("s1", "analyze_logs", analysis)):
        result = run("trace_errors", source, surroundings=folder)
        suspects = result.facts["suspects"]
        assert isinstance(suspects, list)
        assert suspects[0]["name"] == "shop/payments/quillfjord_gateway.py"
        assert {
            "name": "shop/payments/service.py",
            "score": 0.6,
            "tests": ["tests/test_payments.py"],
            "recent": False,
        } in suspects
        assert "shop/auth/service.py" not in {each["name"] for each in suspects}
        assert result.outcome["tags"] == ["suspect_found", "timeout", "untested"]
        first = next(each for each in result.findings if each.tag == "suspect_found")
        assert (first.name, first.line) == ("shop/payments/quillfjord_gateway.py", 29)


def test_a_message_leads_to_the_line_that_writes_it(run: Run) -> None:
    log = given("a.log", "2024-03-01 10:00:00 ERROR could not reserve seat 12 in hall A\n" * 3)
    code = given("seats.py", 'def f(n, h):\n    log.error("could not reserve seat %s in hall %s", n, h)\n')
    result = run("trace_errors", log, code)
    (suspect,) = [each for each in result.findings if each.tag == "suspect_found"]
    assert (suspect.name, suspect.line) == ("seats.py", 2)
    assert "could not reserve" in suspect.evidence


@cases("path", "found")
def test_a_frame_is_one_object_or_none(path: str, found: str) -> None:
    names = ("shop/payments/service.py", "shop/auth/service.py", "shop/__init__.py", "shop/basket.py")
    assert Folder(around(dict.fromkeys(names, "business_logic"), [])).path(path) == found


def test_a_logger_is_one_module_or_none() -> None:
    folder = Folder(around(dict.fromkeys(("shop/auth/service.py", "shop/db.py"), "business_logic"), []))
    assert folder.logger("shop.auth.service") == "shop/auth/service.py"
    assert folder.logger("shop.auth.service.Login") == "shop/auth/service.py"
    assert folder.logger("werkzeug.serving") == ""


def test_a_recent_change_is_told_where_it_stands_out() -> None:
    made = around(dict.fromkeys([f"a/m{n}.py" for n in range(9)], "business_logic"), [])
    fresh = msgspec.structs.replace(made.objects[0], freshness="today")
    assert Folder(msgspec.structs.replace(made, objects=(fresh, *made.objects[1:]))).recent("a/m0.py")
    every = tuple(msgspec.structs.replace(each, freshness="today") for each in made.objects)
    assert not Folder(msgspec.structs.replace(made, objects=every)).recent("a/m0.py")
