"""Spans of a session: there where they are wanted, and made of closed words and numbers."""

from __future__ import annotations

import builtins
from pathlib import Path

import pytest
from command_line import HOSTILE, Cli
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from scripts import GOAL, plan, script, step

ANSWERS = plan(step("d", "describe", "@kind=config"), step("x", "poem_about_shop", "@object=1"))


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    return exporter


def ask(cli: Cli, tree: Path, folder: Path) -> int:
    return cli("run", GOAL, "--per-object", "--root", tree, "--planner", script(folder, ANSWERS), "--json").code


def test_a_session_and_its_steps_are_spans(
    cli: Cli, tree: Path, tmp_path: Path, spans: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLANTWIN_TELEMETRY", "1")
    ask(cli, tree, tmp_path)
    found = {span.name: span for span in spans.get_finished_spans()}
    assert found.keys() == {"plantwin.session", "plantwin.step"}
    session = found["plantwin.session"]
    assert session.attributes["plantwin.audience"] == "scripted"
    happened = list(dict.fromkeys(event.name for event in session.events))
    assert happened == ["observed", "send", "plan"]
    steps = [span for span in spans.get_finished_spans() if span.name == "plantwin.step"]
    assert all(span.parent.span_id == session.context.span_id for span in steps)
    assert [span.attributes["plantwin.capability"] for span in steps] == ["describe", "other"]
    assert steps[1].attributes["plantwin.code"] == "unknown_capability"
    everything = "".join(span.to_json() for span in spans.get_finished_spans())
    for private in ("app.toml", "store.py", "poem", "artifact_", GOAL, HOSTILE[:4], str(tree)):
        assert private not in everything


def test_without_the_variable_there_are_none(cli: Cli, tree: Path, tmp_path: Path, spans: InMemorySpanExporter) -> None:
    ask(cli, tree, tmp_path)
    assert spans.get_finished_spans() == ()


def test_wanted_and_not_installed_is_said(
    cli: Cli, tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLANTWIN_TELEMETRY", "1")
    real = builtins.__import__

    def without(name: str, *more: object, **others: object):
        if name == "opentelemetry":
            raise ImportError
        return real(name, *more, **others)

    monkeypatch.setattr(builtins, "__import__", without)
    assert ask(cli, tree, tmp_path) == 1
    assert cli("audit", "show", "--kind", "envelope", "--json").json["lines"] == []  # nothing was sent
