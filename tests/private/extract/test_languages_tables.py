"""The shared tables: every feature they name exists, and names fall back as promised."""

from __future__ import annotations

from importlib import import_module

import pytest

from plantwin.private.extract.features import FEATURES
from plantwin.private.extract.languages import CODE_FORMATS, outline_code
from plantwin.private.extract.languages.meanings import calls, marks, methods, openers, packages, resources, spellings
from plantwin.private.extract.languages.meanings.packages import package
from plantwin.vocabulary import EdgeReason


def test_every_feature_exists() -> None:
    named = {each.feature for each in packages.PACKAGES.values() if each.feature}
    named |= set(calls.CALLS.values()) | set(methods.METHODS.values())
    named |= {feature for groups in methods.GROUPED.values() for feature in groups.values()}
    named |= set(marks.DECORATORS.values()) | set(marks.BASES.values())
    named |= {feature for _, feature in marks.GROUPED_MARKS.values()}
    named |= {feature for table in marks.MARKS.values() for feature in table.values()}
    named |= {feature for table in spellings.SPELLINGS.values() for feature in table.values()}
    named |= set(resources._FEATURES.values())
    assert named <= set(FEATURES)


def test_every_group_has_an_import() -> None:
    groups = {each.group for each in packages.PACKAGES.values()}
    assert {group for table in methods.GROUPED.values() for group in table} <= groups
    assert {group for group, _ in marks.GROUPED_MARKS.values()} <= groups


def test_reasons_are_words() -> None:
    assert set(openers.OPENERS.values()) <= {str(reason) for reason in EdgeReason}


@pytest.mark.parametrize("format", sorted(CODE_FORMATS))
def test_every_format_has_a_reader(format: str) -> None:
    outline = outline_code(format, b"", "x")
    assert outline.format == format
    assert outline.parsed
    assert outline.lines == 0
    assert not outline.references
    assert not outline.names


@pytest.mark.parametrize(
    ("how", "name", "feature"),
    [
        ("python", "google.cloud.pubsub_v1.types", "queue_call"),
        ("go", "github.com/golang-jwt/jwt/v5", "auth_call"),
        ("jvm", "org.springframework.security.core.Authentication", "auth_call"),
        ("javascript", "@stripe/stripe-js", "payment_call"),
        ("ruby", "mail", "mail_call"),
        ("rust", "std::sync::Arc", "concurrency"),
        ("php", r"Illuminate.Support.Facades.Hash", "auth_call"),
    ],
)
def test_packages(how: str, name: str, feature: str) -> None:
    found = package(how, name)
    assert found is not None
    assert found.feature == feature


def test_a_common_word_counts_in_its_ecosystem_alone() -> None:
    assert package("python", "mail") is None
    assert package("python", "unheard.of.thing") is None


@pytest.mark.parametrize(
    ("resource", "feature"),
    [
        ("aws_db_subnet_group", "infra_database"),
        ("aws_iam_role", "infra_access"),
        ("aws_s3_bucket_policy", "infra_storage"),
        ("google_container_cluster", "infra_cluster"),
        ("aws_cloudwatch_log_group", "infra_monitoring"),
        ("azurerm_virtual_network", "infra_network"),
        ("aws_lambda_function", "infra_compute"),
        ("acme_thing", ""),
    ],
)
def test_resources(resource: str, feature: str) -> None:
    assert resources.resource_feature(resource) == feature


def test_packages_import_lightly() -> None:
    """Loading the table of readers loads no grammar."""
    module = import_module("plantwin.private.extract.languages.outline")
    assert not hasattr(module, "tree_sitter")
