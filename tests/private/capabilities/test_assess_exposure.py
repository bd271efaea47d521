"""What a leak exposes, who else holds it, and what to replace."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import msgspec
import pytest
from capability_inputs import earlier, given, shop
from incident_inputs import around, checked

from plantwin.private.capabilities.assess_exposure.exposure import access_of
from plantwin.private.capabilities.engine.job import Surroundings

KEY = "AKIA" + "Q3EGZ7J2MK4TPLR5"
FOLDER = {
    ".env": "credentials_file",
    "docker-compose.yml": "environment_config",
    "config/old.env": "environment_config",
    "shop/payments/quillfjord_gateway.py": "payment_module",
    "backup/.env": "credentials_file",
    "docs/setup.md": "environment_config",
}


def folder() -> Surroundings:
    """A folder in which the environment file is used, copied, and shares one value."""
    made = around(
        FOLDER,
        [
            ("docker-compose.yml", "depends_on", "configures", ".env"),
            ("docs/setup.md", "depends_on", "documents", ".env"),
            ("backup/.env", "similar_to", "copy", ".env"),
        ],
        (".env",),
    )
    keys = {
        ".env": (("SECRET_KEY", 11), ("DEBUG", 5), ("SMTP_PASSWORD", 12)),
        "config/old.env": (("LEGACY_TOKEN", 11), ("DEBUG", 5)),
    }
    tags = {"docker-compose.yml": ("public_exposure",)}
    return msgspec.structs.replace(
        made,
        objects=tuple(
            msgspec.structs.replace(each, keys=keys.get(each.name, ()), tags=tags.get(each.name, ()))
            for each in made.objects
        ),
    )


def test_the_environment_file_of_the_shop(rules: str) -> None:
    result = checked("assess_exposure", shop(".env"), rules=rules, surroundings=folder())
    secrets = {each["key"]: each for each in result.facts["secrets"]}  # type: ignore[attr-defined]
    assert {key: each["opens"] for key, each in secrets.items()} == {
        "SECRET_KEY": "sign-in",
        "DATABASE_URL": "database",
        "QUILLFJORD_API_KEY": "payment",
        "SMTP_PASSWORD": "messages",
    }
    assert secrets["SECRET_KEY"]["elsewhere"] == ["config/old.env", "backup/.env"]
    assert secrets["SMTP_PASSWORD"]["elsewhere"] == ["backup/.env"]
    assert result.facts["dependents"] == {".env": ["docker-compose.yml"]}
    assert result.outcome["severity"] == "critical"
    assert set(result.outcome["tags"]) == {"hardcoded_secret", "reused_secret", "wide_access", "exposed_service"}  # type: ignore[call-overload]
    steps = [line for line in result.text.splitlines() if line.startswith("- [ ] ")]
    assert steps[0].startswith("- [ ] database: `DATABASE_URL`")
    assert len(steps) == 6


def test_no_value_stands_in_the_result(rules: str) -> None:
    result = checked("assess_exposure", shop(".env"), shop("shop/payments/quillfjord_gateway.py"), rules=rules)
    told = msgspec.json.encode(result).decode()
    for value in ("4f1d9b7e83c5a2604f7d1b9e6c35a827", "Tangerine-Velvet-88", "qf_7c31e9a4d05b82f6e1c94a7d30b5f82e", "Marzipan-Orchard-2024"):  # fmt: skip
        assert value not in told


def test_a_scan_stands_for_its_objects(rules: str) -> None:
    scan = checked("secret_scan", shop(".env"), rules=rules)
    result = checked("assess_exposure", earlier("s1", "secret_scan", scan), rules=rules, surroundings=folder())
    assert result.outcome["severity"] == "critical"
    assert "hardcoded_secret" in result.outcome["tags"]  # type: ignore[operator]
    assert result.facts["dependents"] == {".env": ["docker-compose.yml"]}


def test_the_same_secret_in_two_inputs(rules: str) -> None:
    text = f"aws_access_key_id = {KEY}\n"
    result = checked("assess_exposure", given("a.ini", text), given("b/c.ini", f"[x]\n{text}"), rules=rules)
    assert {(each.name, each.line) for each in result.findings if each.tag == "reused_secret"} == {
        ("a.ini", 1),
        ("b/c.ini", 2),
    }


def test_a_file_that_is_served(rules: str) -> None:
    result = checked("assess_exposure", given("public/app.js", f'const key = "{KEY}";\n'), rules=rules)
    assert "exposed_service" in result.outcome["tags"]  # type: ignore[operator]
    safe = checked("assess_exposure", given("public/app.js", "const key = process.env.KEY;\n"), rules=rules)
    assert safe.outcome == {"status": "done", "severity": "none", "count": "none", "tags": []}


def test_personal_data_of_a_table(rules: str) -> None:
    result = checked("assess_exposure", shop("data/shop.db", "customers"), rules=rules)
    (finding,) = result.findings
    assert (finding.tag, finding.name) == ("personal_data", "data/shop.db#customers")


def test_a_placeholder_is_no_secret(rules: str) -> None:
    result = checked("assess_exposure", shop(".env.example"), rules=rules)
    assert [(each.line, each.severity) for each in result.findings] == [(3, "low")]
    assert "- [ ]" not in result.text


@pytest.mark.parametrize(
    ("kind", "key", "word"),
    [
        ("aws_access_key", "", "cloud"),
        ("stripe_key", "", "payment"),
        ("github_token", "", "code"),
        ("vault_token", "", "secret store"),
        ("private_key", "", "machine"),
        ("slack_webhook", "", "messages"),
        ("openai_key", "", "paid service"),
        ("datadog_key", "", "monitoring"),
        ("connection_password", "", "database"),
        ("assigned_secret", "REDIS_PASSWORD", "database"),
        ("assigned_secret", "JWT_SIGNING_SECRET", "sign-in"),
        ("assigned_secret", "whatever", "unknown"),
        ("basic_auth_url", "URL postgresql", "database"),
        ("basic_auth_url", "PROXY_URL http", "unknown"),
        ("password", "", "unknown"),
    ],
)
def test_what_a_secret_opens(kind: str, key: str, word: str) -> None:
    assert access_of(kind, key).name == word


@pytest.mark.parametrize("data", [b"", b"\0" * 5000, bytes(range(256)) * 40, b"x" * 3_000_000, b"KEY=" * 100_000])
def test_junk_exposes_nothing(rules: str, data: bytes) -> None:
    assert checked("assess_exposure", given("a.bin", data), rules=rules).outcome["status"] == "done"


def test_what_is_too_long_is_said_to_be_cut(rules: str) -> None:
    outcome = checked("assess_exposure", given("a.txt", b"fine words here\n" * 1_100_000), rules=rules).outcome
    assert (outcome["status"], outcome["tags"]) == ("partial", ["truncated"])
