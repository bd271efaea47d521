"""The audit as a whole; the examples of its rules are in their rows."""

# ruff: noqa: E501 (one case, one row)

from __future__ import annotations

import pytest
from capability_inputs import Run, found, given, rules

from plantwin.private.formats.yaml import MAX_DOCUMENTS
from tables import value_of

CAPABILITY = "audit_infrastructure"
OWN = {"engines": {}}
"""Our own rules alone."""
POD = value_of(__file__, "pod")


def test_secrets_are_masked(run: Run) -> None:
    text = POD.replace('{name: TOKEN_TTL, value: "3600"}', "{name: API_TOKEN, value: Quiet-Meadow-73-Lamp}")
    result = run(CAPABILITY, given("web.yaml", text), **OWN)
    assert (16, "K8S-SECRET-IN-ENV") in found(result)
    assert "Meadow" not in result.text + str([finding.evidence for finding in result.findings])


PRIVILEGED = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: 'a:1', securityContext: {privileged: true}}]}\n"
FILL = "# " + "x" * 100 + "\n"


@pytest.mark.parametrize("capability", [CAPABILITY, "validate_config"])
@pytest.mark.parametrize(
    ("name", "text", "some"),
    [
        ("pod.yaml", PRIVILEGED + FILL * 22_000 + "status: {}\n", False),
        ("pods.yaml", PRIVILEGED + "---\n" + PRIVILEGED + FILL * 22_000, True),
        ("main.tf", 'resource "aws_s3_bucket" "b" {\n' + FILL * 22_000 + "}\n", False),
        ("stack.json", '{"Resources": {"B": {"Type": "AWS::S3::Bucket"}, "x": "' + "y" * (2 << 20) + '"}}', False),
    ],
)
def test_nothing_is_concluded_from_half_a_document(run: Run, capability: str, name: str, text: str, some: bool) -> None:
    result = run(capability, given(name, text), **OWN)
    assert result.outcome["status"] == "partial"
    assert "truncated" in result.outcome["tags"]  # type: ignore[operator]
    if capability == CAPABILITY:
        assert ("K8S-PRIVILEGED" in rules(result)) is some
    else:
        assert found(result) == set() or some


@pytest.mark.parametrize(("others", "found", "cut"), [(300, 1, False), (MAX_DOCUMENTS, 0, True)])
def test_nothing_is_missing_from_a_stream_that_was_cut(run: Run, others: int, found: int, cut: bool) -> None:
    server = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {}\n"
    other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"
    result = run("audit_infrastructure", given("all.yaml", "---\n".join([server, *[other] * others])))
    assert sum(finding.rule == "K8S-NETWORK-POLICY" for finding in result.findings) == found
    assert ("truncated" in result.outcome["tags"], "longer than is read" in result.text) == (cut, cut)  # type: ignore[operator]
