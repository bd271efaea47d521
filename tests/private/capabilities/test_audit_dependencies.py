"""Dependencies: every manifest and lock file that is read; single rules are tested by their examples."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import json
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

ADVISORIES = [
    ("npm", "lodash", "CVE-2021-23337", "HIGH", "4.17.21"),
    ("npm", "minimist", "CVE-2021-44906", "CRITICAL", "1.2.6"),
    ("npm", "ejs", "CVE-2022-29078", "CRITICAL", "3.1.7"),
    ("crates.io", "regex", "CVE-2022-24713", "HIGH", "1.5.5"),
    ("crates.io", "smallvec", "CVE-2021-25900", "CRITICAL", "1.6.1"),
    ("RubyGems", "rack", "CVE-2022-30123", "CRITICAL", "2.2.3.1"),
    ("Packagist", "twig/twig", "CVE-2022-39261", "HIGH", "3.4.3"),
    ("Packagist", "phpunit/phpunit", "CVE-2017-9841", "CRITICAL", "4.8.28"),
    ("Maven", "org.apache.logging.log4j:log4j-core", "CVE-2021-44228", "CRITICAL", "2.15.0"),
    ("Maven", "org.yaml:snakeyaml", "CVE-2022-1471", "HIGH", "2.0"),
]
"""Registry, package, id, severity, first fixed version: what a person imports besides what is shipped."""


def document(registry: str, name: str, id: str, severity: str, fixed: str) -> dict[str, object]:
    """Return an advisory as OSV writes it."""
    return {
        "id": f"TEST-{id}",
        "aliases": [id],
        "modified": "2025-11-30T10:00:00Z",
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


def told(result: Result) -> set[tuple[int, str, str]]:
    """Line, severity and tag of every finding."""
    return {(each.line, each.severity, each.tag) for each in result.findings}


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


MANIFESTS: dict[str, tuple[str, int, set[tuple[int, str, str]]]] = {
    "requirements.txt": (
        "--extra-index-url http://pypi.internal.example/simple\n--trusted-host pypi.internal.example\nflask==3.0.3\nrequests==2.19.1\nPyYAML\n"
        "reqeusts==1.0\nnumpi>=1.0\ngit+https://github.com/acme/tool.git@main#egg=tool\n"
        "lib @ git+https://github.com/acme/lib@0123456789abcdef0123456789abcdef01234567\n"
        "other @ https://files.example/other-1.0.tar.gz\nflask==2.0\npytest==8.0\n",
        10, {(1, "medium", "untrusted_source"), (1, "high", "untrusted_source"), (2, "high", "untrusted_source"), (4, "medium", "known_vulnerability"),
             (5, "medium", "unpinned"), (6, "high", "lookalike_name"), (7, "low", "unpinned"), (7, "medium", "lookalike_name"),
             (8, "medium", "untrusted_source"), (9, "low", "untrusted_source"), (10, "medium", "untrusted_source"),
             (11, "medium", "known_vulnerability"), (11, "medium", "version_conflict"), (12, "low", "style")},
    ),
    "package.json": (
        '{"private": true, "engines": {"node": "14.x"},\n"dependencies": {"express": "^4.18.0",\n"left-pad": "*",\n"lodash": "4.17.15",\n"mine": "file:../mine",\n'
        '"fork": "github:acme/fork",\n"tarball": "http://files.example/t.tgz",\n"loadsh": "1.0.0",\n"eslint": "8.0.0"},\n'
        '"devDependencies": {"jest": "^29.0.0",\n"minimist": "1.2.0"}}\n',
        10, {(1, "high", "end_of_life"), (3, "medium", "unpinned"), (4, "high", "known_vulnerability"), (6, "medium", "untrusted_source"),
             (7, "high", "untrusted_source"), (8, "high", "lookalike_name"), (9, "low", "style"), (11, "medium", "known_vulnerability"), (0, "low", "unpinned")},
    ),
    "pyproject.toml": (
        '[build-system]\nrequires = ["hatchling"]\n[project]\nname = "x"\nrequires-python = ">=3.7"\nlicense = "MIT"\n'
        'dependencies = [\n  "requests==2.19.1",\n  "click>=8",\n]\n[project.optional-dependencies]\ntest = ["pytest"]\n',
        4, {(2, "low", "unpinned"), (5, "low", "end_of_life"), (8, "medium", "known_vulnerability"), (12, "low", "unpinned")},
    ),
    "poetry/pyproject.toml": (
        '[tool.poetry.dependencies]\npython = "^3.12"\ndjango = "2.2.1"\nx = { git = "https://github.com/a/x.git" }\nfoo = "*"\n',
        3, {(4, "medium", "untrusted_source"), (5, "medium", "unpinned"), (0, "low", "unpinned")},
    ),
    "Pipfile": (
        '[[source]]\nurl = "http://pypi.example/simple"\n[packages]\nflask = "*"\n[requires]\npython_version = "3.6"\n',
        1, {(2, "high", "untrusted_source"), (4, "medium", "unpinned"), (6, "high", "end_of_life")},
    ),
    "Pipfile.lock": (
        '{"default": {"jinja2": {"version": "==2.10", "hashes": ["a"]}},\n "develop": {"six": {"version": "==1.16"}}}\n',
        2, {(1, "high", "known_vulnerability"), (1, "medium", "known_vulnerability"), (2, "medium", "missing_integrity")},
    ),
    "poetry.lock": (
        '[[package]]\nname = "pyyaml"\nversion = "5.3"\nfiles = [{file = "x", hash = "sha256:a"}]\n[[package]]\nname = "b"\nversion = "1"\n',
        2, {(2, "high", "known_vulnerability"), (6, "medium", "missing_integrity")},
    ),
    "uv.lock": (
        'version = 1\n[[package]]\nname = "own"\nversion = "0.1"\nsource = { editable = "." }\n[[package]]\nname = "urllib3"\n'
        'version = "1.26.4"\nsource = { registry = "https://index.example/simple" }\nwheels = [{ url = "x", hash = "sha256:a" }]\n',
        2, {(7, "high", "known_vulnerability"), (7, "medium", "known_vulnerability")},
    ),
    "setup.cfg": (
        "[options]\npython_requires = >=3.12\ninstall_requires =\n    requests==2.19.1\n    click\n",
        2, {(4, "medium", "known_vulnerability"), (5, "low", "unpinned")},
    ),
    "yarn.lock": (
        '# yarn lockfile v1\n\n"@a/b@^1.0.0", "@a/b@^1.1.0":\n  version "1.2.0"\n  resolved "https://registry.example/x#abc"\n'
        '  integrity sha512-x\n\nminimist@^1.2.0:\n  version "1.2.5"\n  resolved "https://registry.example/minimist"\n',
        2, {(8, "critical", "known_vulnerability"), (8, "medium", "missing_integrity")},
    ),
    "pnpm-lock.yaml": (
        "lockfileVersion: '9.0'\npackages:\n  '@a/b@1.0.0':\n    resolution: {integrity: sha512-x}\n  ejs@3.1.6:\n    resolution: {integrity: sha512-y}\n",
        2, {(5, "critical", "known_vulnerability")},
    ),
    "go.mod": (
        "module example.com/a\n\ngo 1.17\n\nrequire (\n\tgithub.com/dgrijalva/jwt-go v3.2.0+incompatible\n\tgolang.org/x/net v0.20.0\n"
        "\tgopkg.in/yaml.v2 v2.2.3 // indirect\n)\n\nreplace golang.org/x/net => github.com/fork/net v0.1.0\n",
        4, {(3, "high", "end_of_life"), (6, "medium", "known_vulnerability"), (8, "low", "known_vulnerability"), (11, "low", "untrusted_source")},
    ),
    "Cargo.toml": (
        '[package]\nname = "x"\n[dependencies]\nserde = "1.0"\nrand = "*"\nx = { git = "https://github.com/a/x" }\nregex = "=1.5.4"\n',
        4, {(5, "medium", "unpinned"), (6, "medium", "untrusted_source"), (7, "high", "known_vulnerability"), (0, "low", "unpinned")},
    ),
    "Cargo.lock": (
        '[[package]]\nname = "own"\nversion = "0.1.0"\n\n[[package]]\nname = "smallvec"\nversion = "1.6.0"\n'
        'source = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "a"\n',
        2, {(6, "critical", "known_vulnerability")},
    ),
    "Gemfile": (
        "source 'http://rubygems.org'\nruby '2.5.1'\ngem 'rails', '~> 7.1'\ngem 'puma'\ngem 'x', git: 'https://github.com/a/x'\n"
        "group :test do\n  gem 'rspec'\nend\n",
        4, {(1, "high", "untrusted_source"), (2, "high", "end_of_life"), (4, "medium", "unpinned"), (5, "medium", "untrusted_source"),
            (7, "low", "unpinned"), (0, "low", "unpinned")},
    ),
    "Gemfile.lock": (
        "GEM\n  remote: https://rubygems.org/\n  specs:\n    rack (2.2.2)\n    rails (7.1.0)\n      rack (>= 2)\n\nDEPENDENCIES\n  rails\n",
        2, {(4, "critical", "known_vulnerability")},
    ),
    "composer.json": (
        '{"require": {"php": ">=7.2", "monolog/monolog": "*", "twig/twig": "3.4.0"}, "config": {"secure-http": false}}\n',
        2, {(1, "low", "end_of_life"), (1, "medium", "unpinned"), (1, "high", "known_vulnerability"), (1, "high", "untrusted_source")},
    ),
    "composer.lock": (
        '{"packages": [{"name": "phpunit/phpunit", "version": "4.8.20", "license": ["BSD-3-Clause"]}], "packages-dev": []}\n',
        1, {(1, "critical", "known_vulnerability")},
    ),
    "pom.xml": (
        "<project><properties><log.version>2.14.1</log.version><java.version>1.7</java.version></properties>\n<dependencies>\n"
        "<dependency><groupId>org.apache.logging.log4j</groupId><artifactId>log4j-core</artifactId><version>${log.version}</version></dependency>\n"
        "<dependency><groupId>a</groupId><artifactId>b</artifactId><version>LATEST</version></dependency>\n"
        "<dependency><groupId>a</groupId><artifactId>managed</artifactId></dependency>\n</dependencies></project>\n",
        3, {(1, "high", "end_of_life"), (3, "critical", "known_vulnerability"), (4, "medium", "unpinned")},
    ),
    "build.gradle": (
        "dependencies {\n  implementation 'org.yaml:snakeyaml:1.33'\n  implementation \"a:b:1.+\"\n  testImplementation 'junit:junit:4.13.2'\n}\n",
        3, {(2, "high", "known_vulnerability"), (3, "medium", "unpinned")},
    ),
    "Dockerfile": (
        "ARG VERSION=3.7\nFROM python:${VERSION}-buster AS build\nRUN true\nFROM node\nCOPY --from=build /a /b\nFROM build\n"
        "FROM alpine@sha256:0123\nFROM python:3.13-slim\n",
        4, {(2, "high", "end_of_life"), (4, "medium", "unpinned")},
    ),
    ".github/workflows/ci.yml": (
        "jobs:\n  a:\n    runs-on: ubuntu-18.04\n    steps:\n      - uses: actions/checkout@v4\n      - uses: acme/deploy@main\n"
        "      - uses: acme/lint@v1\n      - uses: acme/ok@0123456789abcdef0123456789abcdef01234567\n      - uses: ./local\n"
        "      - uses: tj-actions/changed-files@v44\n      - with:\n          python-version: ['3.6', '3.13']\n",
        5, {(3, "high", "end_of_life"), (6, "high", "unpinned"), (7, "low", "missing_integrity"), 
            (10, "low", "missing_integrity"), (12, "high", "end_of_life")},
    ),
    "docker-compose.yml": ("services:\n  db:\n    image: postgres:11\n  web:\n    image: acme/web\n", 2, {(3, "high", "end_of_life"), (5, "medium", "unpinned")}),
    ".nvmrc": ("v14.17.0\n", 0, {(1, "high", "end_of_life")}),
}  # fmt: skip


@pytest.mark.parametrize("name", MANIFESTS)
def test_each_sort_of_file(audit: Run, name: str) -> None:
    text, packages, expected = MANIFESTS[name]
    result = audit(given(name, text))
    assert told(result) == expected
    assert result.facts["packages"] == {name: packages}
    assert result.outcome["status"] == "done"
    assert "Nothing was looked up in a network." in result.text


def test_a_lock_file_beside_holds_ranges(audit: Run) -> None:
    text = MANIFESTS["package.json"][0]
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


@pytest.mark.parametrize(
    ("wanted", "ecosystem", "version", "admitted"),
    [
        ("^1.2.0", "npm", "1.9.0", True),
        ("^1.2.0", "npm", "2.0.0", False),
        ("^0.2.0", "npm", "0.3.0", False),
        ("~=1.4.2", "pypi", "1.4.9", True),
        ("~=1.4.2", "pypi", "1.5.0", False),
        (">=1,<2", "pypi", "1.5", True),
        (">=1,<2", "pypi", "2.1", False),
        ("1.0", "cargo", "1.9.0", True),
        ("1.0", "cargo", "2.0.0", False),
        ("2.x", "npm", "2.9.1", True),
        ("whatever", "npm", "1.0", True),
    ],
)
def test_ranges(wanted: str, ecosystem: str, version: str, admitted: bool) -> None:
    assert admits(wanted, ecosystem, version) is admitted


@pytest.mark.parametrize(
    ("ecosystem", "wanted", "version"), [("pypi", "==1.0; python_version<'3'", "1.0"), ("npm", "^1.0.0", "")]
)
def test_exact_versions(ecosystem: str, wanted: str, version: str) -> None:
    manifest = Manifest(path="a", ecosystem=ecosystem)
    assert exact_version(manifest, Package(name="a", version=wanted, line=1)) == version


@pytest.mark.parametrize(
    ("ecosystem", "name", "popular"),
    [
        ("pypi", "reqests", "requests"), ("npm", "expresss", "express"), ("npm", "cross_env", "cross-env"),
        ("pypi", "requests", ""), ("pypi", "Flask_SQLAlchemy", ""), ("npm", "preact", ""), ("npm", "tslint", ""),
        ("npm", "left-pad", ""), ("go", "requsts", ""),
    ],
)  # fmt: skip
def test_names_that_look_alike(ecosystem: str, name: str, popular: str) -> None:
    assert package_names().lookalike(ecosystem, name) == popular


def test_the_tables_are_sound() -> None:
    for ecosystem, names in package_names().popular.items():
        assert {normalize(ecosystem, name) for name in names} == names
    assert end_of_life().of("python", "3.7.9-slim") == ("3.7", date(2023, 6, 27))
    assert end_of_life().of("python", "4.0") is None and end_of_life().of("cobol", "1") is None


def test_shipped_advisories_are_dated_and_have_their_notice() -> None:
    shipped = advisories.known()
    assert set(shipped) == {"pypi", "go"}
    notice = advisories.SHIPPED.with_name("NOTICE").read_text()
    for ecosystem, extract in shipped.items():
        assert date.fromisoformat(extract.as_of) and extract.as_of in notice and len(extract.packages) > 500
        assert all(normalize(ecosystem, name) == name for name in extract.packages)


@pytest.mark.parametrize(
    ("ecosystem", "name", "version", "id", "affected"),
    [
        ("pypi", "PyYAML", "5.3.1", "CVE-2020-14343", True),
        ("pypi", "pyyaml", "5.4", "CVE-2020-14343", False),
        ("pypi", "django", "4.0", "CVE-2022-28346", True),
        ("pypi", "django", "4.0rc1", "CVE-2022-28346", False),  # introduced in 4.0, and a pre-release comes before
        ("pypi", "django", "4.0.4", "CVE-2022-28346", False),
        ("pypi", "django", "3.2.13", "CVE-2022-28346", False),
        ("go", "golang.org/x/net", "0.20.0", "CVE-2023-45288", True),
        ("go", "golang.org/x/net", "0.23.0", "CVE-2023-45288", False),
    ],
)
def test_versions_are_matched_as_their_registry_orders_them(
    ecosystem: str, name: str, version: str, id: str, affected: bool
) -> None:
    found = advisories.known()[ecosystem].of(ecosystem, name, version)
    assert (id in {advisory.id for advisory in found}) is affected


@pytest.mark.parametrize(
    ("ecosystem", "ascending"),
    [
        ("pypi", ["1.0.dev1", "1.0a1", "1.0rc1", "1.0", "1.0.post1", "1!0.1"]),
        ("npm", ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-rc.2", "1.0.0-rc.11", "1.0.0", "1.0.10"]),
        ("go", ["v0.0.0-20190308221718-c2843e01d9a2", "v0.0.0-20200220183623-bac4c82f6975", "v0.1.0"]),
    ],
)
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
