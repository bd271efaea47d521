"""Templates of made-up files are what they say; a made-up folder says what its twin says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from plantwin.private.environment import Environment
from plantwin.synth.templates import forms, measured
from plantwin.vocabulary import SemanticClass
from plantwin_evals import synth_forms
from plantwin_evals.transfer import round_trip


def test_every_class_has_forms_and_they_are_of_it() -> None:
    for leaf in SemanticClass:
        own = [form for form in forms()[leaf] if not form.named]
        assert own, leaf
        for form in own:
            found = synth_forms.measure(form, snippets=False)
            assert found is not None
            assert (form.key, found.kind, found.semantic_class) == (form.key, form.kind, leaf)


def test_what_is_kept_of_templates_was_measured_of_them() -> None:
    kept = measured()
    for rows in forms().values():
        for form in rows:
            found = synth_forms.measure(form, snippets=False)
            assert (found is None) == (form.key not in kept)
            if found is not None:
                for field in ("kind", "semantic_class", "confidence", "tags", "causes", "needs", "lacks", "made_of"):
                    assert getattr(kept[form.key], field) == getattr(found, field), (form.key, field)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Environment]:
    from plantwin_evals.suite import domain
    from plantwin_evals.workspaces import build

    environment = Environment(build(domain("coding"), tmp_path / "coding"), state=tmp_path / "state")
    yield environment
    environment.close()


def test_a_made_up_folder_says_what_its_twin_says(workspace: Environment, tmp_path: Path) -> None:
    found = round_trip(workspace.scan(), tmp_path / "made", tmp_path / "state")
    assert found.fields["kind"].share >= 0.95
    assert found.fields["semantic_class"].share >= 0.95
    assert found.fields["sensitivity"].share >= 0.95
    assert found.share >= 0.85
