"""Formats that are read by lines: settings, builds, packages, servers, contracts, keys."""

from __future__ import annotations

import pytest
from format_outlines import outline


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n", ["private key"]),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", ["certificate"]),
        ("ssh-ed25519 AAAAC3Nza someone@example.com\n", ["public key"]),
    ],
)
def test_pem(text: str, names: list[str]):
    found = outline("pem", text)
    assert found.parsed
    assert found.names == names
    assert found.settings == []
