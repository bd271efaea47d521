"""Keys and certificates in armour: which kinds, never what they hold."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.text import READ
from plantwin.private.facts import Sample

_BEGIN = re.compile(
    rb"-----BEGIN ([A-Z0-9 ]{1,60})-----|^(ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-\S{1,30}) A{3}", re.MULTILINE
)


def read_pem(sample: Sample, draft: Draft) -> None:
    """One name per armoured block: `private key`, `certificate`, `public key` and so on."""
    data = sample.head[:READ]
    if b"\x00" in data[:64]:
        data = data.replace(b"\x00", b"")
    for number, match in enumerate(_BEGIN.finditer(data)):
        label = (match[1] or b"PUBLIC KEY").decode("ascii").lower()
        kind = "private key" if "private key" in label else label
        draft.name(kind)
        draft.add("key")
        draft.add("infra_access", number == 0)
    draft.outline.parsed = "key" in draft.features
