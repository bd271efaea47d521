"""The functions of llama.cpp that are used, from the library that the `slm` extra brings.

The extra's own interface always opens a port, which nothing on the private side may do. So the library's C interface
is called instead. Of its structures only the oldest fields are relied on, and those are checked when it is loaded.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, Structure, c_bool, c_char_p, c_float, c_int8, c_int32, c_uint8, c_uint32, c_void_p
from pathlib import Path
from typing import Any

from plantwin.errors import StageError

ROOM = 1024
"""Bytes for a structure of parameters: several times what it has, so that a longer one fits as well."""
DEFAULTS = (512, 2048, 512, 1)
"""The first four fields of a context's parameters as the library sets them: tokens, batch, part of a batch, texts."""


class Parameters(Structure):
    """A structure whose first fields are known, and whose rest is handed on as it came."""

    _fields_ = (
        ("tokens", c_uint32),
        ("batch", c_uint32),
        ("part", c_uint32),
        ("texts", c_uint32),
        ("rest", c_uint8 * (ROOM - 16)),
    )


class Batch(Structure):
    """Tokens with their positions and texts, and of which the result is wanted."""

    _fields_ = (
        ("count", c_int32),
        ("token", POINTER(c_int32)),
        ("embedding", c_void_p),
        ("position", POINTER(c_int32)),
        ("texts", POINTER(c_int32)),
        ("text", POINTER(POINTER(c_int32))),
        ("wanted", POINTER(c_int8)),
    )


LOGGER = ctypes.CFUNCTYPE(None, c_int32, c_char_p, c_void_p)

_FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "llama_backend_init": (None, ()),
    "llama_log_set": (None, (LOGGER, c_void_p)),
    "llama_model_default_params": (Parameters, ()),
    "llama_context_default_params": (Parameters, ()),
    "llama_model_load_from_file": (c_void_p, (c_char_p, Parameters)),
    "llama_init_from_model": (c_void_p, (c_void_p, Parameters)),
    "llama_free": (None, (c_void_p,)),
    "llama_model_free": (None, (c_void_p,)),
    "llama_model_get_vocab": (c_void_p, (c_void_p,)),
    "llama_vocab_n_tokens": (c_int32, (c_void_p,)),
    "llama_vocab_is_eog": (c_bool, (c_void_p, c_int32)),
    "llama_n_ctx": (c_uint32, (c_void_p,)),
    "llama_n_batch": (c_uint32, (c_void_p,)),
    "llama_set_n_threads": (None, (c_void_p, c_int32, c_int32)),
    "llama_tokenize": (c_int32, (c_void_p, c_char_p, c_int32, POINTER(c_int32), c_int32, c_bool, c_bool)),
    "llama_token_to_piece": (c_int32, (c_void_p, c_int32, c_char_p, c_int32, c_int32, c_bool)),
    "llama_decode": (c_int32, (c_void_p, Batch)),
    "llama_get_logits_ith": (POINTER(c_float), (c_void_p, c_int32)),
    "llama_get_memory": (c_void_p, (c_void_p,)),
    "llama_memory_seq_rm": (c_bool, (c_void_p, c_int32, c_int32, c_int32)),
}

_silent = LOGGER(lambda level, text, data: None)


def load(file: Path) -> Any:
    """The library with its functions declared; a `StageError` where it is another than we know."""
    try:
        library = ctypes.CDLL(str(file))
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError):
        raise StageError("model_library_unknown") from None
    library.llama_log_set(_silent, None)
    library.llama_backend_init()
    known = library.llama_context_default_params()
    if (known.tokens, known.batch, known.part, known.texts) != DEFAULTS:
        raise StageError("model_library_unknown")
    return library
