"""How near titles are to a question in meaning, by the word vectors of the extra `meaning`, where it is installed."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PACKAGE: Final = "wordllama"
"""Carries the vectors. It is looked at, never imported: its code can download, and needs packages that we do not."""
NEARNESS: Final = 1.5
"""Weight of the cosine of a title and the question, beside the logarithm of the score by words."""
_SPLIT = re.compile(r"(?<=[a-z])(?=[A-Z])|[\W_]+")


def nearness(question: str, titles: Sequence[str]) -> list[float]:
    """Return by what to multiply the score of each title; one without the vectors."""
    loaded = _loaded()
    if loaded is None or not titles:
        return [1.0] * len(titles)
    tokenizer, vectors = loaded
    asked, *others = (
        vectors[line.ids].mean(0) if line.ids else vectors[0] * 0
        for line in tokenizer.encode_batch(
            [question, *(_SPLIT.sub(" ", title) for title in titles)], add_special_tokens=False
        )
    )
    length = _length(asked)
    return [math.exp(NEARNESS * float(asked @ other) / (length * _length(other) or 1.0)) for other in others]


def _length(vector: Any) -> float:
    return math.sqrt(float(vector @ vector))


@cache
def _loaded() -> tuple[Tokenizer, Any] | None:
    """Return the tokenizer and the vectors; nothing of them reaches for the network."""
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    try:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer
    except ImportError:
        return None
    folder = Path(spec.submodule_search_locations[0])
    tokens = next(folder.glob("tokenizers/*_tokenizer_config.json"), None)
    weights = next(folder.glob("weights/*.safetensors"), None)
    if tokens is None or weights is None:
        return None
    tokenizer = Tokenizer.from_file(str(tokens))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer, next(iter(load_file(weights).values())).astype("float32")
