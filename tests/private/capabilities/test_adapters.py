"""Engines: what each reports on real files, folded with our own rules; how they are found, weighed and limited."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from capability_inputs import Run, given

from plantwin.private.capabilities import catalog
from plantwin.private.capabilities.adapters import installed
from plantwin.private.capabilities.adapters.examine import finding, folded, weigh
from plantwin.private.capabilities.adapters.installed import ENGINES
from plantwin.private.capabilities.adapters.process import Copy, EngineError, TooSlowError, checkout
from plantwin.private.capabilities.adapters.process import run as run_program
from plantwin.private.capabilities.engine.source import source
from plantwin.private.execution import sandbox
from plantwin.private.execution.launcher import Launcher
from plantwin.vocabulary import CapabilityName
from tables import cases, value_of

DOCS = Path(__file__).parents[3] / "docs"
BUCKET = 'resource "aws_s3_bucket" "b" {\n  bucket = "x"\n}\nresource "aws_neptune_cluster" "n" {\n  storage_encrypted = false\n}\nresource "example_thing" "t" {\n}\n'
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n    - {name: c, image: 'nginx:1.27', securityContext: {privileged: true}}\n"
STACK = "Resources:\n  Db:\n    Type: AWS::RDS::DBInstance\n    Properties:\n      PubliclyAccessible: true\n"


def test_every_engine_of_the_extra_is_here_and_documented() -> None:
    page = (DOCS / "capabilities.md").read_text("utf-8")
    for engine in ENGINES:
        assert f"| {engine.name} | {engine.licence} |" in page
        assert engine.capabilities
        own = engine.name in ("gofmt", "semgrep", "opengrep", "checkov", "axe")
        assert own or installed.find(engine.name) is not None


@pytest.mark.usefixtures("checkov")
def test_checkov_sees_all_files_of_a_call_at_once(run: Run) -> None:
    files = {"infra/main.tf": BUCKET, "k8s/pod.yaml": POD, "stack.yaml": STACK}
    result = run("audit_infrastructure", *(given(name, text) for name, text in files.items()))
    by_file = {name: {each.rule for each in result.findings if each.name == name} for name in files}
    # Ours where both know it, checkov's where it alone does.
    assert {"AWS-S3-VERSIONING", "CKV_AWS_144"} <= by_file["infra/main.tf"]
    assert "CKV_AWS_44" in by_file["infra/main.tf"]
    assert "CKV_AWS_21" not in by_file["infra/main.tf"]
    assert "K8S-PRIVILEGED" in by_file["k8s/pod.yaml"] and "CKV_K8S_16" not in by_file["k8s/pod.yaml"]
    assert "AWS-DATABASE-PUBLIC" in by_file["stack.yaml"] and "CKV_AWS_17" not in by_file["stack.yaml"]
    (privileged,) = [each for each in result.findings if each.rule == "K8S-PRIVILEGED"]
    assert "CKV_K8S_16" in privileged.reference
    assert all("checkov 3." in tool for tool in result.facts["tool"].values())  # type: ignore[attr-defined]
    assert "No rules for 1 resource types: `example_thing`" in result.text
    assert result.outcome["status"] == "partial"


@cases("engine", "code", "message", "level", "expected")
def test_what_an_engine_reports_is_weighed(
    engine: str, code: str, message: str, level: str, expected: tuple[str, str]
) -> None:
    assert weigh(engine, code, message, level) == expected


@pytest.mark.parametrize(("line", "left"), [(5, []), (12, ["CKV_K8S_16"]), (0, [])])
def test_one_place_and_one_meaning_are_one_finding(line: int, left: list[str]) -> None:
    own = finding("checkov", "K8S-PRIVILEGED", line, "ours")
    other = finding("checkov", "CKV_K8S_16", 3, "theirs")
    kept = folded([own], [(other, 9)])
    assert [each.rule for each in kept] == ["K8S-PRIVILEGED", *left]


@pytest.mark.parametrize(
    ("code", "seconds", "most", "error"),
    [
        ("import time; time.sleep(60)", 0.5, 100, TooSlowError),
        ("print('x' * 1000)", 10.0, 100, EngineError),
        ("raise SystemExit(7)", 10.0, 100, EngineError),
    ],
)
def test_an_engine_has_limits(tmp_path: Path, code: str, seconds: float, most: int, error: type[Exception]) -> None:
    with pytest.raises(error):
        run_program([sys.executable, "-c", code], str(tmp_path), seconds=seconds, most=most)


def test_copies_stay_in_their_folder_and_settings_of_engines_do_not_count() -> None:
    names = ["../../x.py", "a/b.py", "/etc/x.py", "-c.py", ".oxlintrc.json", "a/b.py", "a", "a b.py"]
    copies = [Copy(source(given(name, "x = 1\n")), "x = 1\n") for name in names]
    with checkout(copies) as files:
        found = {str(path.relative_to(files.folder)) for path in Path(files.folder).rglob("*") if path.is_file()}
        assert found == set(files.names) and len(found) == len(names)
        assert {"a/b.py", "a b.py"} <= found and not found & {".oxlintrc.json", "-c.py"}


@pytest.mark.parametrize("name", ["a-min.js", "a_min.js", "a.min.test.js", "node_modules/p/a.js", ".hidden/a.ts"])
def test_no_name_keeps_a_script_from_being_linted(run: Run, name: str) -> None:
    assert run("lint", given(name, "debugger;\n")).findings


@pytest.mark.parametrize(("name", "text"), [("a.min.js", "debugger;\n"), ("a.js", f"debugger;\n// {'x' * 20_000}\n")])
def test_a_script_that_is_passed_over_as_minified_does_not_count_as_clean(run: Run, name: str, text: str) -> None:
    result = run("lint", given(name, text))
    assert "unparsable" in result.outcome["tags"] and "Not linted (minified" in result.text


def test_a_worker_is_told_versions_so_that_kept_results_belong_to_them() -> None:
    told = installed.options(catalog()["lint"], "/tools")["engines"]
    assert told["ruff"] == ["/tools/ruff", installed.find("ruff").version, ""]  # type: ignore[index,union-attr]
    assert installed.options(catalog()[CapabilityName.SUMMARIZE.value]) == {}


SAID = value_of(__file__, "said")
"""An answer in the shape of semgrep 1.170 and opengrep."""


def printing(program: Path, text: str) -> Path:
    """Make `program` one that prints `text`, whatever it is given."""
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{text}\nEND\n", "utf-8")
    program.chmod(0o700)
    return program


@pytest.fixture
def semgrep(tmp_path: Path) -> Path:
    return printing(tmp_path / "semgrep", json.dumps(SAID))


def test_semgrep_is_asked_by_rules_of_the_persons_alone(run: Run, semgrep: Path) -> None:
    inputs = given("a.js", "eval(req.body.x);\nparse(x);\n"), given("b.js", "f(\n")
    engines = {"semgrep": [str(semgrep), "1.170.0"]}
    assert "semgrep" not in run("security_audit", *inputs, engines=engines).text
    result = run("security_audit", *inputs, engines=engines, semgrep_rules=str(semgrep))
    by_rule = {found.rule: found for found in result.findings}
    assert "eval-use" in by_rule["INJECTION-CODE"].reference and "eval-use" not in by_rule
    assert (by_rule["xxe"].severity, by_rule["xxe"].tag) == ("medium", "missing_check")
    assert by_rule["xxe"].reference.startswith("CWE-611") and "taste" not in by_rule
    assert "could not read the file on b.js" in result.text and result.outcome["status"] == "partial"
    assert "semgrep 1.170.0 by your rules" in str(result.facts["tool"])


PAGES = value_of(__file__, "pages")
"""What our script prints of axe-core 4.14."""


def test_axe_is_asked_about_whole_pages(run: Run, tmp_path: Path) -> None:
    node = printing(tmp_path / "node", "\n".join(map(json.dumps, PAGES)))
    page = "<html lang=en><title>A</title><body>\n<img src=a.png>\n<div role=slider aria-valuenow=1 aria-label=v>v</div>\n</body></html>"
    inputs = given("a.html", page), given("b.html", page), given("part.html", "<p>only a part</p>")
    assert "axe" not in str(run("check_accessibility", *inputs, engines={}).facts["tool"])
    result = run("check_accessibility", *inputs, engines={"axe": [str(node), "4.14.0", str(tmp_path)]})
    by_rule = {(found.name, found.rule): found for found in result.findings}
    assert "image-alt" in by_rule["a.html", "A11Y-IMG-ALT"].reference
    alone = by_rule["a.html", "aria-input-field-name"]
    assert (alone.line, alone.severity, alone.tag) == (3, "medium", "missing_text")
    assert "could not read the file on b.html" in result.text and result.outcome["status"] == "partial"
    assert "axe 4.14.0 on whole pages" in str(result.facts["tool"])


def test_axe_is_found_where_node_has_its_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check, axe = catalog()["check_accessibility"], installed.BY_NAME["axe"]
    monkeypatch.setattr(installed, "PLACES", (str(tmp_path),))
    monkeypatch.setattr(installed, "NODE_PACKAGES", (str(tmp_path / "absent"), str(tmp_path)))
    (tmp_path / "node").write_text("", "utf-8")
    (tmp_path / "node").chmod(0o700)
    monkeypatch.setattr(installed, "find", lambda name: installed._of_node(installed.BY_NAME[name]))
    assert installed.find("axe") is None and not Launcher(tmp_path / "folder").programs(check)
    for package in axe.packages:
        (tmp_path / package).mkdir()
        (tmp_path / package / "package.json").write_text('{"version": "4.14.0"}', "utf-8")
    assert installed.find("axe") == ("axe", str(tmp_path / "node"), "4.14.0", str(tmp_path))
    assert Launcher(tmp_path / "folder").programs(check)


def test_rules_for_semgrep_let_an_audit_start_programs(
    tmp_path: Path, semgrep: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit = catalog()["security_audit"]
    assert not Launcher(tmp_path).programs(audit)
    monkeypatch.setattr(installed, "semgrep", lambda: installed.Installed("semgrep", str(semgrep), "1"))
    launcher = Launcher(tmp_path / "folder", semgrep=tmp_path)
    assert launcher.programs(audit) and launcher.bounds(audit).memory == installed.SEMGREP_ADDRESSES
    assert launcher.bounds(catalog()["lint"]).memory < installed.SEMGREP_ADDRESSES
    assert sandbox.environment_of(str(semgrep), tmp_path / "folder") == []
    place = tmp_path / "venv" / "bin" / "semgrep"
    place.parent.mkdir(parents=True)
    (tmp_path / "venv" / "pyvenv.cfg").write_text("", "utf-8")
    assert sandbox.environment_of(str(place), tmp_path / "folder") == [str(tmp_path / "venv")]
    assert sandbox.environment_of(str(place), tmp_path) == []
    assert installed.changed(tmp_path / "venv") > 0 == installed.changed(tmp_path / "absent")
