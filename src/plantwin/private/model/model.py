"""A small language model in this process: how likely is each of some continuations, and which words come next.

The library that the `slm` extra brings always opens a port, which nothing on the private side may do. So the C
interface of llama.cpp is called instead. Of its structures only the oldest fields are relied on, and those are checked
when it is loaded.

Text that is not ours is always turned into plain tokens: what looks like a control mark of the model in it stays text.
What was read last is kept, so that a prompt that begins like the one before costs only its new part.
"""

from __future__ import annotations

import ctypes
import math
import os
import time
from collections.abc import Sequence
from ctypes import POINTER, Structure, c_bool, c_char_p, c_float, c_int8, c_int32, c_uint8, c_uint32, c_void_p
from pathlib import Path
from typing import Any, NamedTuple

from plantwin.config.settings import Settings
from plantwin.errors import StageError
from plantwin.private.facts import Private
from plantwin.weights import installed

VERSION = "1"
"""Names the prompt for classes: opinions of another are not reused."""


class Chosen(NamedTuple):
    """The model that extraction may ask, and for how long in one scan."""

    weights: Path
    runtime: Path
    seconds: float = 60.0

    @property
    def name(self) -> str:
        """Names weights and prompt."""
        found = self.weights.stat()
        return f"{VERSION}/{self.weights.name}/{found.st_size}/{found.st_mtime_ns}"


def for_extraction(settings: Settings) -> Chosen | None:
    """The model for doubtful files; an `InputError` with a remedy where it is wanted and not installed."""
    if settings.extract.model == "none":
        return None
    return Chosen(*installed(settings.model.weights), settings.extract.seconds)


def for_text(settings: Settings) -> tuple[str, str] | None:
    """Weights and runtime for text work, likewise."""
    if not settings.model.text:
        return None
    weights, runtime = installed(settings.model.weights)
    return str(weights), str(runtime)


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


CONTEXT = 2048
THREADS = 8
AT_ONCE = 64
"""Tokens that are read between two looks at the clock."""
_PIECE = 256

Tokens = tuple[int, ...]


class Model(Private):
    """One loaded model. Close it, or use it as a context."""

    def __init__(self, weights: Path, runtime: Path, *, context: int = CONTEXT, threads: int = 0) -> None:
        self._library = library = load(runtime)
        self._model = library.llama_model_load_from_file(os.fsencode(weights), library.llama_model_default_params())
        if not self._model:
            raise StageError("model_not_loaded")
        wanted = library.llama_context_default_params()
        wanted.tokens, wanted.batch, wanted.part = context, context, min(512, context)
        self._context = library.llama_init_from_model(self._model, wanted)
        if not self._context:
            library.llama_model_free(self._model)
            raise StageError("model_not_loaded")
        self.room: int = library.llama_n_ctx(self._context)
        """Tokens that fit in at once."""
        if self.room < context or library.llama_n_batch(self._context) < context:
            self.close()
            raise StageError("model_library_unknown")
        count = threads or _threads()
        library.llama_set_n_threads(self._context, count, count)
        self._vocabulary = library.llama_model_get_vocab(self._model)
        self._size = library.llama_vocab_n_tokens(self._vocabulary)
        self._memory = library.llama_get_memory(self._context)
        self._kept: Tokens = ()
        self.deadline = math.inf
        """When to give up, by `time.monotonic`: the library itself cannot be interrupted."""

    def __enter__(self) -> Model:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free its memory."""
        if self._context:
            self._library.llama_free(self._context)
            self._library.llama_model_free(self._model)
            self._context = self._model = None

    def tokens(self, text: str, *, marks: bool = False) -> Tokens:
        """A text as tokens. `marks`: control marks in it are such; only for text of our own."""
        data = text.encode("utf-8", "replace")
        found = (c_int32 * (len(data) + 2))()
        count = self._library.llama_tokenize(
            self._vocabulary, c_char_p(data), len(data), found, len(found), False, marks
        )
        if count < 0:
            raise StageError("model_failed")
        return tuple(found[:count])

    def weigh(self, prompt: Tokens, continuations: Sequence[Tokens]) -> list[float]:
        """For each continuation the sum of its tokens' log-probabilities after the prompt."""
        if len(prompt) + max(map(len, continuations), default=0) > self.room:
            raise StageError("model_text_too_long")
        self._read(prompt)
        totals = self._chances(-1, [tokens[0] for tokens in continuations])
        for number, tokens in enumerate(continuations):
            if len(tokens) > 1:
                self._decode([(token, len(prompt) + place, 0) for place, token in enumerate(tokens[:-1])], every=True)
                totals[number] += sum(self._chances(row, [token])[0] for row, token in enumerate(tokens[1:]))
                self._library.llama_memory_seq_rm(self._memory, 0, len(prompt), -1)
        return totals

    def write(self, prompt: Tokens, most: int, stop: str = "\n") -> str:
        """The likeliest words after the prompt: at most so many tokens, up to the first `stop`."""
        self._read(prompt)
        made: list[int] = []
        text = b""
        end = stop.encode()
        while len(made) < most and len(prompt) + len(made) < self.room:
            logits = self._logits(-1)
            best = max(range(self._size), key=logits.__getitem__)
            if self._library.llama_vocab_is_eog(self._vocabulary, best):
                break
            text += self._piece(best)
            if end in text:
                break
            made.append(best)
            self._decode([(best, len(prompt) + len(made) - 1, 0)])
            self._kept = (*prompt, *made)
        return text.split(end)[0].decode("utf-8", "replace")

    def _read(self, prompt: Tokens) -> None:
        """Have the prompt in memory, of which what is there already is not read again."""
        if not prompt or len(prompt) >= self.room:
            raise StageError("model_text_too_long")
        same = 0
        for one, two in zip(self._kept, prompt, strict=False):
            if one != two:
                break
            same += 1
        same = min(same, len(prompt) - 1)  # the last one is read anew, for what follows it
        if not self._library.llama_memory_seq_rm(self._memory, 0, same, -1):
            same = 0
            self._library.llama_memory_seq_rm(self._memory, 0, -1, -1)
        self._kept = ()
        for start in range(same, len(prompt), AT_ONCE):
            part = prompt[start : start + AT_ONCE]
            self._decode([(token, start + place, 0) for place, token in enumerate(part)])
            self._kept = prompt[: start + len(part)]

    def _decode(self, rows: Sequence[tuple[int, int, int]], *, every: bool = False) -> None:
        """Tokens with position and text. The result is kept for every one, or for the last."""
        if time.monotonic() > self.deadline:
            raise StageError("model_out_of_time")
        count = len(rows)
        texts = [(c_int32 * 1)(text) for _, _, text in rows]
        pointers = (ctypes.POINTER(c_int32) * count)(*(ctypes.cast(text, ctypes.POINTER(c_int32)) for text in texts))
        batch = Batch(
            count,
            (c_int32 * count)(*(token for token, _, _ in rows)),
            None,
            (c_int32 * count)(*(position for _, position, _ in rows)),
            (c_int32 * count)(*([1] * count)),
            pointers,
            (c_int8 * count)(*([1] * count if every else [0] * (count - 1) + [1])),
        )
        if self._library.llama_decode(self._context, batch):
            self._kept = ()
            raise StageError("model_failed")

    def _logits(self, row: int) -> Any:
        found = self._library.llama_get_logits_ith(self._context, row)
        if not found:
            raise StageError("model_failed")
        return ctypes.cast(found, ctypes.POINTER(c_float * self._size)).contents[:]

    def _chances(self, row: int, tokens: Sequence[int]) -> list[float]:
        """Log-probabilities of these tokens at a row of the last batch."""
        logits = self._logits(row)
        try:
            total = math.log(sum(map(math.exp, logits)))
        except (OverflowError, ValueError):
            raise StageError("model_failed") from None
        return [logits[token] - total for token in tokens]

    def _piece(self, token: int) -> bytes:
        buffer = ctypes.create_string_buffer(_PIECE)
        count = self._library.llama_token_to_piece(self._vocabulary, token, buffer, _PIECE, 0, False)
        return buffer.raw[: max(count, 0)]


def _threads() -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    # Its threads wait for each other without pause: where another program needs a core, more of them are slower.
    return max(1, min(THREADS, cores // 2))
