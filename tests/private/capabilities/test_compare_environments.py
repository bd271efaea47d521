"""Environments side by side: what is missing, what differs, what should not be shared."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import msgspec
import pytest
from capability_inputs import Run, given, rules

from tables import value_of

STAGING = value_of(__file__, "staging")
PRODUCTION = value_of(__file__, "production")


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


def test_manifests_are_compared_by_name(run: Run) -> None:
    manifest = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web-{0}}}\nspec:\n  replicas: {1}\n  template:\n    spec:\n      containers:\n        - {{name: web, image: 'web:{2}'}}\n"
    first = given("overlays/staging/web.yaml", manifest.format("staging", 3, "1.4"))
    second = given("overlays/production/web.yaml", manifest.format("production", 2, "1.3"))
    result = run("compare_environments", first, second)
    assert result.facts["missing"] == {}
    assert "Deployment/web.spec.template.spec.containers.web.image" in result.facts["differs"]  # type: ignore[operator]
    assert rules(result) == {"ENV-SMALLER"}


def test_settings_that_a_program_assigns_are_compared(run: Run) -> None:
    ruby = "Rails.application.configure do\n  config.cache_store = {0}\n  # config.x = 1\n  config.mail = {{\n    host: '{1}',\n    port: 25\n  }}\n  if mode == 1\n  end\nend\n"
    first = given("config/environments/staging.rb", ruby.format(":null_store", "a.example"))
    second = given("config/environments/production.rb", ruby.format(":mem_store", "a.example"))
    result = run("compare_environments", first, second)
    assert result.facts["differs"] == ["cache_store"]
    assert result.facts["missing"] == {}
    assert result.facts["settings"] == 2


def test_another_spelling_of_a_key_is_the_same_key(run: Run) -> None:
    first = given("staging.yaml", "spring:\n  pool-size: 1\n  lone-key: 2\n")
    second = given("production.yaml", "spring:\n  poolSize: 1\n")
    result = run("compare_environments", first, second)
    assert [finding.message.split("`")[1] for finding in result.findings] == ["spring_lone_key"]


RAILS = "Rails.application.configure do\n  config.log = 1\n{0}end\n"
KUSTOMIZE = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [{0}]\n{1}"
NAMESPACED = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: web, namespace: shop-system}}\ndata: {{a: '{0}'}}\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({".env": "A=1\nB=2\n", ".env.production": "B=3\n"}, set()),
        ({".env": "A=1\nB=2\n", ".env.production": "B=3\n", ".env.staging": "B=4\nC=5\n"}, {"C"}),
        ({".env.staging": "A=1\nB=2\n", ".env.production": "B=3\n"}, {"A"}),
        ({".env.example": "A=1\nB=2\n", ".env": "B=3\n"}, {"A"}),
        ({"terraform.tfvars": "a = 1\nb = 2\n", "prod.tfvars": "b = 3\n"}, set()),
        ({"staging.tfvars": "a = 1\nb = 2\n", "prod.tfvars": "b = 3\n"}, {"a"}),
        ({"config/environments/production.rb": RAILS.format(""), "config/environments/test.rb": RAILS.format("  config.show = 2\n")}, set()),
        (
            {"clusters/production/kustomization.yaml": KUSTOMIZE.format("a.yaml", ""), "clusters/staging/kustomization.yaml": KUSTOMIZE.format("b.yaml", "namespace: x\n")},
            set(),
        ),
        ({"staging/web.yaml": NAMESPACED.format(1), "production/web.yaml": NAMESPACED.format(2)}, set()),
    ],
    ids=["dotenv", "dotenv of stages", "no base", "example", "tfvars", "tfvars of stages", "rails", "kustomize", "namespace"],
)  # fmt: skip
def test_an_overlay_lacks_nothing_that_its_base_has(run: Run, files: dict[str, str], expected: set[str]) -> None:
    result = run("compare_environments", *(given(name, text) for name, text in files.items()))
    assert {finding.message.split("`")[1] for finding in result.findings} == expected
