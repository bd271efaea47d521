"""`plantwin advisories`: what is known, of what day, and imports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plantwin.surfaces.cli import main
from tables import value_of

ADVISORY = value_of(__file__, "advisory")


def test_an_import_is_used_by_the_audit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export, state, root = tmp_path / "export", tmp_path / "state", tmp_path / "root"
    for folder in (export, root):
        folder.mkdir()
    (export / "a.json").write_text(json.dumps(ADVISORY))
    (root / "package.json").write_text('{"private": true, "dependencies": {"a-library": "4.17.15"}}')
    audit = ["do", "audit_dependencies", str(root / "package.json"), "--json", "--state", str(state)]
    main(audit)
    before = json.loads(capsys.readouterr().out)
    assert "1 npm packages not checked" in before["result"]["text"]
    assert main(["advisories", "update", "--from", str(export), "--state", str(state), "--json"]) == 0
    (npm,) = [row for row in json.loads(capsys.readouterr().out)["registries"] if row["registry"] == "npm"]
    assert (npm["advisories"], npm["as_of"], npm["source"]) == (1, "2026-01-05", "export")
    main(audit)
    after = json.loads(capsys.readouterr().out)
    assert [row["severity"] for row in after["findings"] if row["rule"] == "DEP-VULNERABLE"] == ["medium"]


def test_the_shipped_advisories_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advisories", "--state", str(tmp_path)]) == 0
    assert "pypi" in capsys.readouterr().out


@pytest.mark.parametrize("source", ["absent", "empty"])
def test_an_export_without_advisories_is_refused(tmp_path: Path, source: str) -> None:
    (tmp_path / "empty").mkdir()
    assert main(["advisories", "update", "--from", str(tmp_path / source), "--state", str(tmp_path / "state")]) == 2


LAUGHS = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}' if n else 'x'] * 9)}]" for n in range(12))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("b.json", '{"id": "X", "affected": ["x"]}'),
        ("b.json", '{"id": "X", "affected": [{"package": "x"}], "aliases": 1}'),
        ("b.json", json.dumps({**ADVISORY, "modified": "9999-99-99"})),
        ("b.yaml", f'{LAUGHS}\nid: X\nsummary: *a11\naffected: [{{"package": {{"ecosystem": npm, "name": x}}, '
         '"versions": [*a11], "ranges": [{"type": SEMVER, "events": [{"introduced": *a11}]}]}]'),
    ],
    ids=["a text for an object", "a number for a list", "a day that is none", "a YAML that repeats itself"],
)  # fmt: skip
def test_a_hostile_advisory_neither_stops_an_import_nor_spoils_it(tmp_path: Path, name: str, text: str) -> None:
    export, state = tmp_path / "export", str(tmp_path / "state")
    export.mkdir()
    (export / "a.json").write_text(json.dumps(ADVISORY))
    (export / name).write_text(text)
    assert main(["advisories", "update", "--from", str(export), "--state", state]) == 0
    assert main(["advisories", "--state", state]) == 0
