"""Dependencies: every manifest and lock file that is read; single rules are tested by their examples."""

from __future__ import annotations

import json
import tomllib
import zipfile
from datetime import date
from pathlib import Path

import pytest
from capability_inputs import SHOP, Run, given

from plantwin.private.capabilities.audit_dependencies import advisories, osv
from plantwin.private.capabilities.audit_dependencies.advisories import version_key
from plantwin.private.capabilities.audit_dependencies.manifest import (
    Manifest,
    Package,
    admits,
    exact_version,
    normalize,
    parse_version,
)
from plantwin.private.capabilities.audit_dependencies.tables import end_of_life, package_names
from plantwin.private.capabilities.engine.job import Input, Neighbour, Result, Surroundings
from tables import cases, rows_of

ADVISORIES = rows_of(__file__, "advisories")
"""Registry, package, id, severity, first fixed version: what a person imports besides what is shipped."""


def document(registry: str, name: str, id: str, severity: str, fixed: str) -> dict[str, object]:
    """Return an advisory as OSV writes it."""
    return {
        "id": f"TEST-{id}",
        "aliases": [id],
        "modified": "2026-11-01T10:00:00Z",
        "summary": "command injection by templates",
        "affected": [
            {
                "package": {"ecosystem": registry, "name": name},
                "ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}, {"fixed": fixed}]}],
                "database_specific": {"severity": severity},
            }
        ],
    }


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Advisories imported from an archive."""
    folder = tmp_path_factory.mktemp("osv")
    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        for row in ADVISORIES:
            archive.writestr(f"{row[2]}.json", json.dumps(document(*row)))
    kept = folder / "advisories.json.gz"
    kept.write_bytes(advisories.encode(osv.extracts(folder / "all.zip")))
    return kept


@pytest.fixture
def audit(run: Run, imported: Path) -> Run:
    """Audit on a fixed day, with further files in the folder."""

    def call(*inputs: Input, beside: tuple[str, ...] = ()) -> Result:
        held = Surroundings(objects=tuple(Neighbour(name, "config", "lock_file") for name in beside))
        options = {"today": "2025-12-15", "advisories": str(imported)}
        return run("audit_dependencies", *inputs, surroundings=held, **options)

    return call


def test_a_lock_out_of_step_with_its_manifest(audit: Run) -> None:
    manifest = {"private": True, "dependencies": {"a-one": "^1.2.0", "b-two": "^2.0.0", "c-three": "1.0.0"}}
    address = "https://registry.example/"
    lock = {
        "lockfileVersion": 3,
        "packages": {
            "": {},
            "node_modules/a-one": {"version": "1.4.0", "integrity": "sha512-x", "resolved": address, "license": "MIT"},
            "node_modules/b-two": {"version": "1.9.0", "resolved": address, "license": "AGPL-3.0"},
            "node_modules/b-two/node_modules/lodash": {
                "version": "4.17.20", "integrity": "x", "resolved": "http://mirror.example/l.tgz",
            },
        },
    }  # fmt: skip
    files = (
        given("package.json", json.dumps(manifest, indent=1)),
        given("package-lock.json", json.dumps(lock, indent=1)),
    )
    messages = {(each.name, each.rule): each.message for each in audit(*files).findings}
    assert messages == {
        ("package.json", "DEP-LOCK-MISMATCH"): "`b-two` is locked at 1.9.0, which ^2.0.0 does not admit",
        ("package.json", "DEP-NOT-LOCKED"): "`c-three` is not in package-lock.json",
        ("package-lock.json", "DEP-NO-HASH"): "1 of 3 packages have no hash: b-two",
        ("package-lock.json", "DEP-VULNERABLE"): "lodash 4.17.20: CVE-2021-23337, command injection by templates",
        ("package-lock.json", "DEP-HTTP-SOURCE"): "`lodash` comes over plain http",
        ("package-lock.json", "DEP-LICENSE"): "AGPL-3.0: b-two",
    }


MANIFESTS = tomllib.loads(Path(__file__).with_name("manifests.toml").read_text("utf-8"))


@pytest.mark.parametrize("name", MANIFESTS)
def test_each_sort_of_file(audit: Run, name: str) -> None:
    manifest = MANIFESTS[name]
    result = audit(given(name, manifest["text"]))
    assert {f"{each.line} {each.severity} {each.tag}" for each in result.findings} == set(manifest["found"])
    assert result.facts["packages"] == {name: manifest["packages"]}
    assert result.outcome["status"] == "done"
    assert "Nothing was looked up in a network." in result.text


def test_a_lock_file_beside_holds_ranges(audit: Run) -> None:
    text = MANIFESTS["package.json"]["text"]
    locked = audit(given("package.json", text), beside=("yarn.lock",))
    assert {(each.line, each.severity) for each in locked.findings if each.tag == "unpinned"} == {(3, "low")}


def test_the_shop(run: Run) -> None:
    result = run(
        "audit_dependencies", "requirements.txt", "Dockerfile", ".github/workflows/ci.yml", "docker-compose.yml"
    )
    assert [(each.line, each.severity) for each in result.findings if each.tag == "known_vulnerability"] == [
        (5, "medium"),
        (5, "medium"),
    ]
    assert {each.tag for each in result.findings} >= {"unpinned", "known_vulnerability"}
    assert (SHOP / "requirements.txt").read_text().split("\n")[4].startswith("requests")


def test_versions_are_compared_as_numbers() -> None:
    ascending = [parse_version(text) for text in ("1.8.9", "1.9rc1", "1.9", "1.10.0")]
    assert ascending == sorted(ascending)  # type: ignore[type-var]
    assert parse_version("v2.0.0+incompatible") == parse_version("2.0")
    assert parse_version("latest") is None


@cases("wanted", "ecosystem", "version", "admitted")
def test_ranges(wanted: str, ecosystem: str, version: str, admitted: bool) -> None:
    assert admits(wanted, ecosystem, version) is admitted


@pytest.mark.parametrize(
    ("ecosystem", "wanted", "version"), [("pypi", "==1.0; python_version<'3'", "1.0"), ("npm", "^1.0.0", "")]
)
def test_exact_versions(ecosystem: str, wanted: str, version: str) -> None:
    manifest = Manifest(path="a", ecosystem=ecosystem)
    assert exact_version(manifest, Package(name="a", version=wanted, line=1)) == version


@cases("ecosystem", "name", "popular")
def test_names_that_look_alike(ecosystem: str, name: str, popular: str) -> None:
    assert package_names().lookalike(ecosystem, name) == popular


def test_the_tables_are_sound() -> None:
    for ecosystem, names in package_names().popular.items():
        assert {normalize(ecosystem, name) for name in names} == names
    assert end_of_life().of("python", "3.7.9-slim") == ("3.7", date(2023, 6, 27))
    assert end_of_life().of("python", "4.0") is None and end_of_life().of("cobol", "1") is None


def test_shipped_advisories_are_dated_and_have_their_notice() -> None:
    shipped = advisories.known()
    assert set(shipped) == {"pypi", "go", "npm", "rubygems", "packagist", "cargo"} and shipped["npm"].about
    notice = advisories.SHIPPED.with_name("NOTICE").read_text()
    for ecosystem, extract in shipped.items():
        assert date.fromisoformat(extract.as_of) and extract.as_of in notice and len(extract.packages) > 300
        assert all(normalize(ecosystem, name) == name for name in extract.packages)


@cases("ecosystem", "name", "version", "id", "affected")
def test_versions_are_matched_as_their_registry_orders_them(
    ecosystem: str, name: str, version: str, id: str, affected: bool
) -> None:
    found = advisories.known()[ecosystem].of(ecosystem, name, version)
    assert (id in {advisory.id for advisory in found}) is affected


@cases("ecosystem", "ascending")
def test_versions_are_ordered(ecosystem: str, ascending: list[str]) -> None:
    keys = [version_key(ecosystem, version) for version in ascending]
    assert keys == sorted(keys) and len(set(keys)) == len(keys)


@pytest.mark.parametrize(
    ("vector", "score"),
    [
        ("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", 9.8),
        ("CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N", 6.1),
        ("CVSS:3.0/AV:L/AC:H/PR:L/UI:N/S:U/C:H/I:N/A:N", 4.7),
        ("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N", 0.0),
        ("CVSS:4.0/AV:N", None),
    ],
)
def test_scores_are_those_of_the_standard(vector: str, score: float | None) -> None:
    assert osv.cvss(vector) == score


def test_an_older_import_does_not_replace_newer_advisories(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(document("Go", "example.com/a", "CVE-2020-1", "LOW", "1.0.0")))
    kept = tmp_path / "advisories.json.gz"
    for day, packages in (("2020-01-01", 1367), ("2030-01-01", 1)):
        kept.write_bytes(advisories.encode(osv.extracts(tmp_path, day)))
        assert len(advisories.known(str(kept))["go"].packages) == packages
        advisories._kept.cache_clear()
