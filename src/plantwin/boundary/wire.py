"""The one encoder: every byte that leaves is made here, from types that cannot hold free text.

An `Encoded` can only be made by `encode`; `cloud` accepts nothing else.
"""

from __future__ import annotations

import hashlib
import json
from typing import Final, NoReturn

import msgspec

from plantwin.errors import VocabularyError, WireError
from plantwin.types.envelope import WIRE_VERSION, Budget, Envelope, Registration, Repair, Request, Results
from plantwin.types.goal import Verbatim

MAX_ENVELOPE_BYTES: Final = 262_144

_encoder = msgspec.json.Encoder(order="sorted")
_decoder: msgspec.json.Decoder[Envelope] = msgspec.json.Decoder(Envelope, strict=True)
_seal: Final = object()


class Sealed:
    """A value that only one place makes, and that nobody changes, copies, stores or derives from."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise WireError(f"{type(self).__name__.lower()}: cannot be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise WireError(f"{type(self).__name__.lower()}: cannot be changed")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise WireError(f"{type(self).__name__.lower()}: cannot be copied or stored")

    def __init_subclass__(cls) -> None:
        if cls.__bases__ != (Sealed,):
            raise WireError(f"{cls.__bases__[0].__name__.lower()}: has no other forms")


class Encoded(Sealed):
    """Canonical bytes of one envelope, with their digest. Only the encoder makes them."""

    __slots__ = ("_data", "_verbatim")
    _data: bytes
    _verbatim: bool

    def __init__(self, data: bytes, seal: object, *, verbatim: bool = False) -> None:
        if seal is not _seal:
            raise WireError("encoded: only the encoder makes outbound bytes")
        object.__setattr__(self, "_data", data)
        object.__setattr__(self, "_verbatim", verbatim)

    @property
    def data(self) -> bytes:
        """The bytes, exactly as sent; looked at once more, so that forged ones do not leave."""
        data = getattr(self, "_data", None)
        again = _verbatim_again if getattr(self, "_verbatim", False) is True else _again
        if type(data) is not bytes or again(data) != data:
            raise WireError("encoded: only the encoder makes outbound bytes")
        return data

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes, in hex."""
        return hashlib.sha256(self.data).hexdigest()

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        return f"<Encoded {len(self)} bytes {self.digest[:12]}>"


def encode(envelope: Envelope) -> Encoded:
    """Canonical JSON of a valid envelope: sorted keys, no spaces, ASCII, bounded."""
    if type(envelope) not in (Registration, Request, Results, Repair, Budget):
        raise WireError("encode: not an envelope")
    data = _encoder.encode(envelope)
    if len(data) > MAX_ENVELOPE_BYTES:
        raise WireError(f"encode: {len(data)} bytes, at most {MAX_ENVELOPE_BYTES} may leave")
    # What leaves must read back as exactly this envelope: a second, independent look at the bytes.
    if not data.isascii() or decode_envelope(data) != envelope:
        raise WireError("encode: the bytes do not read back as the envelope")
    return Encoded(data, _seal)


def encode_verbatim(message: Verbatim) -> Encoded:
    """The person's own sentence: the one message outside the closed language. Who calls this has asked the policy."""
    if type(message) is not Verbatim:
        raise WireError("encode: not a sentence")
    return Encoded(_ascii(message), _seal, verbatim=True)


def _ascii(message: Verbatim) -> bytes:
    # What is no character (half of a pair) becomes a question mark.
    text = message.text.encode("utf-8", "replace").decode()
    return json.dumps(
        {"message": "verbatim", "text": text, "version": WIRE_VERSION}, sort_keys=True, separators=(",", ":")
    ).encode("ascii")


def _again(data: bytes) -> bytes:
    return _encoder.encode(decode_envelope(data))


def _verbatim_again(data: bytes) -> bytes:
    try:
        return _ascii(msgspec.json.decode(data, type=Verbatim))
    except (msgspec.DecodeError, UnicodeDecodeError, VocabularyError):
        raise WireError("decode: not a sentence of this version") from None


def decode_envelope(data: bytes) -> Envelope:
    """Read an envelope back; anything outside the closed schema is refused."""
    if len(data) > MAX_ENVELOPE_BYTES:
        raise WireError("decode: too large")
    try:
        return _decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, VocabularyError):
        raise WireError("decode: not an envelope of this version") from None
