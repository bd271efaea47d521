"""presidio-analyzer as a peer: its own engine and recognizers as shipped, over the same texts.

Nothing is fetched. A model that is not installed is left out instead of downloaded, and the list of public suffixes is
the one that its library ships. Without a model there are patterns alone: no names of people, places or organizations.

The tasks' addresses end in `.example` and `.test`, which no one can register, and the peer takes an address for one
only where its end is registered. Real files have real addresses: such an end is read as a registered one, as long.
"""

from __future__ import annotations

import re
from functools import cached_property
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, Final

NEEDED: Final = ("presidio_analyzer", "spacy", "tldextract")
MODELS: Final = ("en_core_web_lg", "en_core_web_md", "en_core_web_sm")
"""Models that are used where one of them is installed, the best first; the first is the peer's own choice."""
LANGUAGE: Final = "en"
REGISTERED: Final = {".example": ".digital", ".test": ".team"}
"""Public suffixes as long as what they stand for, so that places in the text stay what they are."""

_reserved = re.compile(r"\.(?:example|test)\b", re.IGNORECASE)


class Presidio:
    """`AnalyzerEngine` with its default recognizers and its default threshold, which lets every finding pass."""

    def __init__(self, *, registered: bool = True) -> None:
        """`registered`: whether reserved ends of addresses are read as registered ones."""
        self._registered = registered

    def absent(self) -> str:
        """Which package is missing."""
        missing = [name.replace("_", "-") for name in NEEDED if find_spec(name) is None]
        return f'{missing[0]} is not installed (pip install "plantwin[presidio]")' if missing else ""

    def described(self) -> str:
        """Version, and what reads the language."""
        pipeline = self._model or "a blank English pipeline (patterns alone, no names)"
        return f"presidio-analyzer {version('presidio-analyzer')} with {pipeline}"

    def redact(self, text: str, path: str) -> str:
        """A text with each finding replaced by its type; findings that overlap become one."""
        read = _reserved.sub(lambda match: REGISTERED[match[0].lower()], text) if self._registered else text
        made, end = [], 0
        for start, stop, name in self._found(read):
            made += [text[end:start], f"<{name}>"]
            end = stop
        return "".join([*made, text[end:]])

    def _found(self, text: str) -> list[tuple[int, int, str]]:
        """Stretches from left to right, none of which touches another; the surest finding gives the name."""
        merged: list[tuple[int, int, float, str]] = []
        for each in sorted(self._engine.analyze(text, LANGUAGE), key=lambda found: (found.start, -found.end)):
            if merged and each.start < merged[-1][1]:
                start, stop, score, name = merged.pop()
                score, name = max((score, name), (each.score, each.entity_type), key=lambda pair: pair[0])
                merged.append((start, max(stop, each.end), score, name))
            else:
                merged.append((each.start, each.end, each.score, each.entity_type))
        return [(start, stop, name) for start, stop, _, name in merged]

    @cached_property
    def _model(self) -> str:
        from spacy.util import is_package

        return next((name for name in MODELS if is_package(name)), "")

    @cached_property
    def _engine(self) -> Any:
        import spacy
        from presidio_analyzer import AnalyzerEngine
        from presidio_analyzer.nlp_engine import SpacyNlpEngine
        from tldextract import TLDExtract

        reader: Any = SpacyNlpEngine()
        # Given a pipeline, it loads none; left to itself, it would download one.
        reader.nlp = {LANGUAGE: spacy.load(self._model) if self._model else spacy.blank(LANGUAGE)}
        engine: Any = AnalyzerEngine(nlp_engine=reader)
        shipped = TLDExtract(cache_dir=None, suffix_list_urls=())
        for each in engine.registry.recognizers:
            if each.name == "EmailRecognizer":
                # Its own check is the same, with a list that it fetches on first use.
                each.validate_result = lambda address: shipped(address).fqdn != ""
        return engine
