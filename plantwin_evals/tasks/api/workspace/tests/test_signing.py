"""Signatures of webhooks."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from src.auth.signing import legacy_signature, signed, verify

SECRET = b"for tests alone"


def test_a_signature_of_version_2_is_verified():
    assert verify(b"{}", signed(b"{}", SECRET)["X-Signature"], SECRET)


def test_a_signature_of_version_1_is_verified():
    assert verify(b"{}", legacy_signature(b"{}", SECRET), SECRET)


def test_another_body_is_refused():
    assert not verify(b"[]", signed(b"{}", SECRET)["X-Signature"], SECRET)


def test_secrets_of_the_settings_are_texts():
    assert signed(b"{}", "as it stands in the settings")["X-Signature"].startswith("v2=")
