"""What a file is, as the model sees it: the class whose name becomes likeliest by the file's text.

A name's likelihood after the text is set against its likelihood after none, so that common words have no advantage.
The text is hostile. It is shortened, stands between marks that it cannot write, and a class that it names itself is
left out: whoever writes "this is a licence" is not believed, by this door at least.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple
from unicodedata import normalize

from plantwin.private.classify.rules import rules
from plantwin.private.facts import Private
from plantwin.private.model.model import Model, Tokens

BYTES = 2000
TOKENS = 160
SHORTLIST = 8
"""Classes that are weighed to the end; the others are out by the first token of their names."""
BEFORE = (
    "<|im_start|>system\nYou name what a file is for, in two words.<|im_end|>\n"
    "<|im_start|>user\nHere is a part of a file:\n\n"
)
AFTER = "\n\nWhat is this file?<|im_end|>\n<|im_start|>assistant\nThis file is a"
NOTHING = "..."


class Opinion(NamedTuple):
    """Classes in the model's order with how much the text speaks for each."""

    ranking: tuple[tuple[str, float], ...] = ()

    @property
    def pick(self) -> str:
        """The first; empty where there is none."""
        return self.ranking[0][0] if self.ranking else ""

    def __repr__(self) -> str:
        return "<Opinion private>"


class Namer(Private):
    """Gives opinions, one file after the other."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._before = model.tokens(BEFORE, marks=True)
        self._after = model.tokens(AFTER, marks=True)
        self._nothing = (*self._before, *model.tokens(NOTHING), *self._after)
        self._labels: dict[str, Tokens] = {}
        self._usual: dict[Tokens, float] = {}

    def opinion(self, kind: str, head: bytes, ranked: Sequence[str] = ()) -> Opinion:
        """An opinion on a file of this kind. `ranked`: classes that are weighed in any case."""
        text = head[:BYTES].decode("utf-8", "replace")
        letters = letters_of(text)
        candidates = [name for name in classes_of(kind) if not stated(name, letters)]
        if not text.strip() or not candidates:
            return Opinion()
        prompt = (*self._before, *self._model.tokens(text)[:TOKENS], *self._after)
        # Names are judged by their first tokens, which one reading gives; the likeliest are then weighed to the end.
        # What is usual is learnt before and after, so that the text itself is read once.
        firsts = {name: self._label(name)[:1] for name in candidates}
        self._learn(firsts.values())
        start = self._gains(firsts, self._model.weigh(prompt, list(firsts.values())))
        likely = sorted(candidates, key=lambda name: -start[name])[:SHORTLIST]
        weighed = (*likely, *(name for name in ranked if name in candidates))
        names = {name: self._label(name) for name in weighed}
        chances = self._model.weigh(prompt, list(names.values()))
        self._learn(names.values())
        gains = self._gains(names, chances)
        ordered = sorted(gains, key=lambda name: -gains[name])
        return Opinion(tuple((name, round(gains[name], 3)) for name in ordered))

    def _learn(self, names: Iterable[Tokens]) -> None:
        """How likely names are after no text at all."""
        new = [name for name in dict.fromkeys(names) if name not in self._usual]
        if new:
            self._usual.update(zip(new, self._model.weigh(self._nothing, new), strict=True))

    def _gains(self, names: Mapping[str, Tokens], chances: Sequence[float]) -> dict[str, float]:
        return {name: chance - self._usual[names[name]] for name, chance in zip(names, chances, strict=True)}

    def _label(self, semantic_class: str) -> Tokens:
        if semantic_class not in self._labels:
            self._labels[semantic_class] = self._model.tokens(" " + semantic_class.replace("_", " "))
        return self._labels[semantic_class]


def stated(semantic_class: str, letters: str) -> bool:
    """Whether a text, given by its letters alone, names a class in so many words."""
    return semantic_class.replace("_", "") in letters


def letters_of(text: str) -> str:
    """A text's letters, whatever stands between them and however they are written."""
    return "".join(filter(str.isalpha, normalize("NFKC", text).casefold()))


@cache
def classes_of(kind: str) -> tuple[str, ...]:
    """The classes in which an object of this kind can be at all."""
    lookups = (lookup for name, lookup in rules()._asdict().items() if not name.endswith("_pairs"))
    found = {rule.target for lookup in lookups for entries in lookup.values() for rule in entries if kind in rule.kinds}
    return tuple(sorted(found))
