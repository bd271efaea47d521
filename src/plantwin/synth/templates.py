"""Templates as data: a file for each class, snippets by syntax, and what the classifier makes of each, as measured."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

from plantwin.vocabulary import SemanticClass

_PLACE = files("plantwin.synth").joinpath("templates")


class Form(NamedTuple):
    """One way to write an object of a class."""

    semantic_class: str
    number: int
    kind: str
    syntax: str
    path: str
    text: str
    named: str = ""
    """`-` where its name and folder say nothing of its class, `~` where they speak for another, `=` with less text."""
    tags: tuple[tuple[str, str], ...] = ()
    """Snippets of its own, instead of those of its syntax."""
    references: tuple[tuple[str, str], ...] = ()
    """The same for relations."""

    @property
    def key(self) -> str:
        """Its name among the measured ones."""
        return f"{self.semantic_class}/{self.number}{self.named}"

    @property
    def snippets(self) -> dict[str, str]:
        """What can be added to it, by tag; of a table, columns."""
        written = {**(syntax("csv")["tags"] if self.table else {}), **syntax(self.syntax).get("tags", {})}
        return {name: text for name, text in {**written, **dict(self.tags)}.items() if text or self.table}

    @property
    def table(self) -> bool:
        """Whether it is written as columns of one row."""
        return self.syntax in ("csv", "jsonl", "sqlite")


class Measured(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the projection says of a form as it stands."""

    kind: str
    semantic_class: str
    confidence: str
    role: str
    ecosystem: str = ""
    dialect: str = ""
    provider: str = ""
    environment: str = ""
    tags: dict[str, int] = {}
    causes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    cause: str = ""
    adds: dict[str, dict[str, int]] = {}
    """Snippet to the places of tags that it brings here; snippets that change the class are left out."""
    causes_of_one: dict[str, tuple[str, ...]] = {}
    """Snippet to the causes of sensitivity that it brings here."""
    causes_of_some: dict[str, tuple[str, ...]] = {}
    """The same for a few places: one address is no collection yet."""
    seldom: tuple[str, ...] = ()
    """Snippets of which several would change the class."""
    made_of: str = ""
    """Names the text that was measured."""


@cache
def forms() -> dict[str, tuple[Form, ...]]:
    """Class to its forms, each also under a plain name."""
    found: dict[str, tuple[Form, ...]] = {}
    for leaf in SemanticClass:
        table = tomllib.loads(_PLACE.joinpath("classes", f"{leaf}.toml").read_text("utf-8"))
        rows: list[Form] = []
        for number, row in enumerate(table["form"]):
            own = tuple(row.get("tags", {}).items())
            form = Form(
                str(leaf),
                number,
                row["kind"],
                row["syntax"],
                row["path"],
                row["text"],
                "",
                own,
                tuple(row.get("references", {}).items()),
            )
            rows.append(form)
            name = form.path.rpartition("/")[2]
            if "<<" in name and not name.startswith("."):
                rows.append(form._replace(path="<<noun>>" + _ending(name), named="-"))
                rows.append(form._replace(path=f"<<noun>>_{words()['misnamed'][form.kind]}" + _ending(name), named="~"))
            if form.syntax == "markdown":
                # With fewer headings, less says what it is.
                rows.append(form._replace(text=re.sub(r"(?m)^## .*\n\n", "", form.text), named="="))
        found[str(leaf)] = tuple(rows)
    return found


def _ending(name: str) -> str:
    """What follows the name proper."""
    stem, dot, ending = name.partition(".")
    return dot + ending if dot else stem


@cache
def measured() -> dict[str, Measured]:
    """What the projection says of each form, by its key."""
    found = msgspec.json.decode(_PLACE.joinpath("measured.json").read_bytes(), type=dict[str, Measured])
    for key, one in found.items():
        base = found.get(key.rstrip("-~="), one)
        if base is not one and base.semantic_class == one.semantic_class:
            adds = {
                "adds": base.adds,
                "causes_of_one": base.causes_of_one,
                "causes_of_some": base.causes_of_some,
                "seldom": base.seldom,
            }
            found[key] = msgspec.structs.replace(one, **adds)
    return found


@cache
def syntax(name: str) -> dict[str, Any]:
    """How things are written in a syntax."""
    table: dict[str, Any] = _snippets().get(name, {})
    return {**syntax(table["like"]), **table} if "like" in table else table


@cache
def _snippets() -> dict[str, dict[str, Any]]:
    return tomllib.loads(_PLACE.joinpath("snippets.toml").read_text("utf-8"))


@cache
def words() -> dict[str, Any]:
    """Public words and the words that paths and texts use for closed values."""
    table = tomllib.loads(_PLACE.joinpath("words.toml").read_text("utf-8"))
    return {name: value.split() if isinstance(value, str) else value for name, value in table.items()}


@cache
def public_words() -> frozenset[bytes]:
    """Every word that templates themselves hold, lower case: not made from any folder, whoever else uses it."""
    texts = [_PLACE.joinpath(name).read_bytes() for name in ("words.toml", "snippets.toml")]
    texts += [_PLACE.joinpath("classes", f"{leaf}.toml").read_bytes() for leaf in SemanticClass]
    return frozenset(word.lower() for text in texts for word in re.findall(rb"\w+", text))
