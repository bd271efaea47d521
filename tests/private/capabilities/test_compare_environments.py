"""Environments side by side: what is missing, what differs, what should not be shared."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import msgspec
import pytest
from capability_inputs import Run, given, rules

STAGING = """\
APP_ENV=staging
DATABASE_URL=postgres://app:Gentle-Harbor-19@db-staging.example.org/app
SESSION_SECRET=7f3a9c51d2e84b60a1c7
REPLICAS=3
HTTP_TIMEOUT=30s
CACHE_SIZE=64MB
LOG_LEVEL=info
BUCKET=app-uploads
FEATURE_X=true
"""
PRODUCTION = """\
APP_ENV=production
DATABASE_URL=postgres://app:Brisk-Lantern-42@db-staging.example.org/app
SESSION_SECRET=7f3a9c51d2e84b60a1c7
REPLICAS=1
HTTP_TIMEOUT=30m
CACHE_SIZE=64MB
LOG_LEVEL=debug
DEBUG=1
BUCKET=app-uploads
"""


def test_what_differs_between_two_environments(run: Run) -> None:
    result = run("compare_environments", given("staging.env", STAGING), given("production.env", PRODUCTION))  # fmt: skip
    production = {(finding.line, finding.rule) for finding in result.findings if finding.name == "production.env"}
    assert production == {
        (0, "ENV-MISSING-KEY"),
        (2, "ENV-OTHER-STAGE"),
        (3, "ENV-SHARED-SECRET"),
        (4, "ENV-SMALLER"),
        (5, "ENV-MAGNITUDE"),
        (7, "ENV-LOG-LEVEL"),
        (9, "ENV-SHARED-PLACE"),
    }
    assert result.facts["missing"] == {"FEATURE_X": ["production.env"], "DEBUG": ["staging.env"]}
    assert "CACHE_SIZE" not in result.facts["differs"]  # type: ignore[operator]
    assert result.outcome["severity"] == "high"
    assert result.outcome["count"] == "few"
    assert "reused_secret" in result.outcome["tags"]  # type: ignore[operator]


def test_secrets_are_masked_and_their_equality_told(run: Run) -> None:
    result = run("compare_environments", given("staging.env", STAGING), given("production.env", PRODUCTION))
    told = msgspec.json.encode(result).decode()
    assert not [word for word in ("Gentle-Harbor", "Brisk-Lantern", "7f3a9c51d2e8") if word in told]
    assert "| `DATABASE_URL` | `**** (A)` | `**** (B)` |" in result.text


def test_equal_environments_are_identical(run: Run) -> None:
    text = "a: 1\nb: {c: [x, y]}\n"
    result = run("compare_environments", given("dev.yaml", text), given("qa.yaml", text), given("prod.yaml", text))  # fmt: skip
    assert result.outcome == {"status": "done", "severity": "none", "count": "none", "tags": ["identical"]}
    assert result.facts["environments"] == {"dev.yaml": "development", "qa.yaml": "test", "prod.yaml": "production"}


def test_an_example_says_what_is_missing(run: Run) -> None:
    result = run("compare_environments", given(".env", "A=1\n"), given(".env.example", "A=\nB=\n"))
    assert [(each.name, each.severity, each.tag) for each in result.findings] == [(".env", "medium", "key_missing")]


def test_syntaxes_can_be_compared(run: Run) -> None:
    result = run("compare_environments", given("dev.env", "DATABASE_HOST=a\nDEBUG=true\n"), given("prod.yaml", "database:\n  host: b\ndebug: false\n"))  # fmt: skip
    assert result.facts["missing"] == {}
    assert result.facts["differs"] == ["database_host", "debug"]


def test_manifests_are_compared_by_name(run: Run) -> None:
    manifest = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web-{0}}}\nspec:\n  replicas: {1}\n  template:\n    spec:\n      containers:\n        - {{name: web, image: 'web:{2}'}}\n"
    first = given("overlays/staging/web.yaml", manifest.format("staging", 3, "1.4"))
    second = given("overlays/production/web.yaml", manifest.format("production", 2, "1.3"))
    result = run("compare_environments", first, second)
    assert result.facts["missing"] == {}
    assert "Deployment/web.spec.template.spec.containers.web.image" in result.facts["differs"]  # type: ignore[operator]
    assert rules(result) == {"ENV-SMALLER"}


def test_the_shop(run: Run) -> None:
    result = run("compare_environments", "config/production.yaml", "config/staging.yaml")
    assert result.outcome == {
        "status": "done",
        "severity": "low",
        "count": "many",
        "tags": ["value_differs", "different"],
    }
    assert "| `payments.refund_window_days` | `14` | `30` |" in result.text


@pytest.mark.parametrize("inputs", [(given("a.env", "A=1\n"),), tuple(given(f"{at}.env", "A=1\n") for at in range(7)), (given("a.env", "A=1\n"), given("b.py", "x = 1\n")), (given("a.yaml", "a: 1\n"), given("b.yaml", b"\0\1\2" * 99))])  # fmt: skip
def test_what_cannot_be_compared_fails(run: Run, inputs: tuple[object, ...]) -> None:
    assert run("compare_environments", *inputs).outcome["status"] == "failed"


LAYERS = [
    ("src/application.yml", "src/application-prod.yml"),
    ("chart/values.yaml", "chart/values-production.yaml"),
    ("docker-compose.yml", "docker-compose.override.yml"),
    ("appsettings.json", "appsettings.Production.json"),
    ("k8s/base/app.yaml", "k8s/overlays/prod/patch.yaml"),
    ("config/default.yml", "config/production.yml"),
    ("settings.yml", "settings-staging.yml"),
]


@pytest.mark.parametrize(("base", "overlay"), LAYERS)
def test_an_overlay_lacks_nothing_that_its_base_has(run: Run, base: str, overlay: str) -> None:
    text, over = (
        '{"server": {"port": 80, "host": "x"}, "log": {"level": "info"}}',
        '{"server": {"port": 8080}, "extra": 1}',
    )
    result = run("compare_environments", given(base, text), given(overlay, over))
    assert result.facts["missing"] == {} and result.facts["differs"] == ["server.port"]
    assert "ENV-MISSING-KEY" not in rules(result) and "inherits 2 settings" in result.text


def test_overlays_without_their_base_and_siblings_that_are_none(run: Run) -> None:
    one, other = "a: 1\nb: 2\n", "a: 1\n"
    overlays = run("compare_environments", given("application-dev.yml", one), given("application-prod.yml", other))
    assert overlays.facts["missing"] == {} and "may be in its base" in overlays.text
    beside = run("compare_environments", given("dev/app.yml", one), given("prod/app.yml", other))
    assert beside.facts["missing"] == {"b": ["prod/app.yml"]}
    example = run("compare_environments", given(".env.example", "A=1\nB=2\n"), given(".env.production", "A=1\n"))
    assert example.facts["missing"] == {"B": [".env.production"]}


def test_files_that_share_few_keys_lack_nothing(run: Run) -> None:
    one, other = ("".join(f"{word}{n}: {n}\n" for n in range(12)) for word in ("a", "b"))
    result = run("compare_environments", given("dev/x.yml", one), given("prod/y.yml", other))
    assert "ENV-MISSING-KEY" not in rules(result) and "share few keys" in result.text
