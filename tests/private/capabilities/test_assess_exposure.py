"""What a leak exposes, who else holds it, and what to replace."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import msgspec
from capability_inputs import Run, around, earlier, given, shop

from plantwin.private.capabilities.assess_exposure import access_of
from plantwin.private.capabilities.engine.job import Surroundings
from tables import cases, value_of

FOLDER = value_of(__file__, "folder")


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


def test_the_environment_file_of_the_shop(run: Run) -> None:
    result = run("assess_exposure", shop(".env"), surroundings=folder())
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


def test_no_value_stands_in_the_result(run: Run) -> None:
    result = run("assess_exposure", shop(".env"), shop("shop/payments/quillfjord_gateway.py"))
    told = msgspec.json.encode(result).decode()
    for value in ("4f1d9b7e83c5a2604f7d1b9e6c35a827", "Tangerine-Velvet-88", "qf_7c31e9a4d05b82f6e1c94a7d30b5f82e", "Marzipan-Orchard-2024"):  # fmt: skip
        assert value not in told


def test_a_scan_stands_for_its_objects(run: Run) -> None:
    scan = run("secret_scan", shop(".env"))
    result = run("assess_exposure", earlier("s1", "secret_scan", scan), surroundings=folder())
    assert result.outcome["severity"] == "critical"
    assert "hardcoded_secret" in result.outcome["tags"]  # type: ignore[operator]
    assert result.facts["dependents"] == {".env": ["docker-compose.yml"]}


def test_authors_of_code_are_not_exposed(run: Run) -> None:
    result = run("assess_exposure", given("A.java", "/** @author Mara Brandt */\nclass A {}\n"))
    assert not result.findings and result.facts["personal"] == {}


def test_personal_data_of_a_table(run: Run) -> None:
    result = run("assess_exposure", shop("data/shop.db", "customers"))
    (finding,) = result.findings
    assert (finding.tag, finding.name) == ("personal_data", "data/shop.db#customers")


@cases("kind", "key", "word")
def test_what_a_secret_opens(kind: str, key: str, word: str) -> None:
    assert access_of(kind, key).name == word
