"""A small sentence model (MiniLM, six layers) on numpy alone: texts of like meaning get vectors that are near."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

BEGIN: Final = "[CLS]"
END: Final = "[SEP]"
UNKNOWN: Final = "[UNK]"
LONGEST: Final = 100
"""Letters of a word above which it is unknown."""
REMEMBERED: Final = 50_000
"""Words whose pieces are remembered in a process at most."""
_word = re.compile(r"[^\W_]+|[^\w\s]|_")


class Pieces:
    """The model's vocabulary."""

    def __init__(self, file: Path) -> None:
        self._known = {line: at for at, line in enumerate(file.read_text(encoding="utf-8").splitlines())}
        self._begin, self._end, self._unknown = (self._known[each] for each in (BEGIN, END, UNKNOWN))
        self._remembered: dict[str, tuple[int, ...]] = {}

    def of(self, text: str, most: int) -> list[int]:
        """Numbers of at most so many pieces, the marks of beginning and end included."""
        found = [self._begin]
        for match in _word.finditer(_plain(text)):
            found += self._word(match[0])
            if len(found) >= most:
                break
        return [*found[: most - 1], self._end]

    def _word(self, word: str) -> tuple[int, ...]:
        found = self._remembered.get(word)
        if found is None:
            found = self._divided(word)
            if len(self._remembered) < REMEMBERED:
                self._remembered[word] = found
        return found

    def _divided(self, word: str) -> tuple[int, ...]:
        if len(word) > LONGEST:
            return (self._unknown,)
        found: list[int] = []
        start, mark = 0, ""
        while start < len(word):
            end = len(word)
            while end > start and mark + word[start:end] not in self._known:
                end -= 1
            if end == start:
                return (self._unknown,)
            found.append(self._known[mark + word[start:end]])
            start, mark = end, "##"
        return tuple(found)


def _plain(text: str) -> str:
    """Lower case without accents."""
    if text.isascii():
        return text.lower()
    return "".join(each for each in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(each) != "Mn")


LAYERS: Final = 6
HEADS: Final = 12
WIDTH: Final = 384
AT_ONCE: Final = 1024
"""Pieces that go through the model together: more do not stay in the processor's caches."""
_TINY: Final = 1e-12
_BEND, _SLOPE = np.float32(0.044715), np.float32((2 / np.pi) ** 0.5)

Floats = NDArray[np.float32]


class _Layer(NamedTuple):
    """Weights of one layer, turned so that rows go in from the left."""

    asked: Floats
    asked_bias: Floats
    told: Floats
    told_bias: Floats
    first_norm: tuple[Floats, Floats]
    wide: Floats
    wide_bias: Floats
    narrow: Floats
    narrow_bias: Floats
    last_norm: tuple[Floats, Floats]


class Encoder:
    """The model, loaded."""

    def __init__(self, weights_file: Path, vocabulary: Path) -> None:
        weights = _weights(weights_file)
        self._pieces = Pieces(vocabulary)
        self._words = weights["embeddings.word_embeddings.weight"]
        kind = weights["embeddings.token_type_embeddings.weight"][0]
        self._places = weights["embeddings.position_embeddings.weight"] + kind
        self._norm = _norm_of(weights, "embeddings.LayerNorm")
        self._layers = [_layer(weights, f"encoder.layer.{each}.") for each in range(LAYERS)]

    def __repr__(self) -> str:
        return "<Encoder>"

    def vectors(self, texts: Sequence[str], most: int) -> Floats:
        """A vector of length one for each text, of which at most so many pieces are looked at."""
        rows = [self._pieces.of(each, most) for each in texts]
        made = np.zeros((len(rows), WIDTH), np.float32)
        by_length: dict[int, list[int]] = {}
        for at, row in enumerate(rows):
            by_length.setdefault(len(row), []).append(at)
        for length, places in by_length.items():
            step = max(1, AT_ONCE // length)
            for start in range(0, len(places), step):
                some = places[start : start + step]
                made[some] = self._through(np.array([rows[each] for each in some]))
        return made

    def _through(self, pieces: NDArray[np.int64]) -> Floats:
        """Vectors of texts with equally many pieces: none needs filling up, and none a mask."""
        many, length = pieces.shape
        state = _normed(self._words[pieces] + self._places[:length], *self._norm).reshape(many * length, WIDTH)
        for layer in self._layers:
            state = _attended(state, layer, many, length)
            state = _normed(_bent(state @ layer.wide + layer.wide_bias) @ layer.narrow + layer.narrow_bias + state,
                            *layer.last_norm)  # fmt: skip
        mean = state.reshape(many, length, WIDTH).mean(1)
        return _unit(mean)


def _attended(state: Floats, layer: _Layer, many: int, length: int) -> Floats:
    parts = (state @ layer.asked + layer.asked_bias).reshape(many, length, 3, HEADS, WIDTH // HEADS)
    query, key, value = parts.transpose(2, 0, 3, 1, 4)
    heed = query @ key.transpose(0, 1, 3, 2)
    heed -= heed.max(-1, keepdims=True)
    np.exp(heed, out=heed)
    heed /= heed.sum(-1, keepdims=True)
    seen = (heed @ value).transpose(0, 2, 1, 3).reshape(many * length, WIDTH)
    return _normed(seen @ layer.told + layer.told_bias + state, *layer.first_norm)


def _normed(state: Floats, scale: Floats, shift: Floats) -> Floats:
    state = state - state.mean(-1, keepdims=True)
    state /= np.sqrt((state * state).mean(-1, keepdims=True) + _TINY)
    state *= scale
    state += shift
    return state


def _bent(state: Floats) -> Floats:
    """The model's activation, in its usual approximation."""
    bend = state * state
    bend *= _BEND * _SLOPE
    bend += _SLOPE
    bend *= state
    np.tanh(bend, out=bend)
    bend += 1
    bend *= state
    bend *= np.float32(0.5)
    return bend


def _unit(rows: Floats) -> Floats:
    made: Floats = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(_TINY))
    return made


def _weights(file: Path) -> dict[str, Floats]:
    """Named tables of a safetensors file: the length of a JSON head, the head, and the numbers."""
    raw = np.memmap(file, np.uint8, "r")
    size = int(raw[:8].view("<u8")[0])
    head = json.loads(raw[8 : 8 + size].tobytes())
    found: dict[str, Floats] = {}
    for name, told in head.items():
        if name != "__metadata__" and told["dtype"] == "F32":
            start, end = told["data_offsets"]
            # Copied, for what is used of it: the file need not begin its numbers where a processor likes them.
            table = raw[8 + size + start : 8 + size + end].tobytes()
            found[name] = np.frombuffer(table, "<f4").reshape(told["shape"])
    return found


def _norm_of(weights: Mapping[str, Floats], name: str) -> tuple[Floats, Floats]:
    return weights[f"{name}.weight"], weights[f"{name}.bias"]


def _layer(weights: Mapping[str, Floats], name: str) -> _Layer:
    def turned(part: str) -> tuple[Floats, Floats]:
        return np.ascontiguousarray(weights[f"{name}{part}.weight"].T), weights[f"{name}{part}.bias"]

    query, key, value = (turned(f"attention.self.{part}") for part in ("query", "key", "value"))
    # What a head asks is scaled once here instead of for every text.
    scale = np.float32((WIDTH // HEADS) ** -0.5)
    return _Layer(
        np.ascontiguousarray(np.concatenate((query[0] * scale, key[0], value[0]), 1)),
        np.concatenate((query[1] * scale, key[1], value[1])),
        *turned("attention.output.dense"),
        _norm_of(weights, f"{name}attention.output.LayerNorm"),
        *turned("intermediate.dense"),
        *turned("output.dense"),
        _norm_of(weights, f"{name}output.LayerNorm"),
    )
