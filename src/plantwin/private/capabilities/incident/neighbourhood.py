"""What surrounds an object that leaked: who holds the same values, who depends on it, who may see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plantwin.private.capabilities.job import Neighbour, Surroundings
from plantwin.private.capabilities.shape.hidden import SECRET

_OUTSIDE = frozenset(
    ("public", "static", "www", "htdocs", "dist", "assets", "web", "webroot", "public_html", "site", "frontend")
)
_SERVED = frozenset(("ui_component", "page_template", "stylesheet", "client_state", "authentication_form"))
_COPIES = frozenset(("copy", "diverged"))
_DERIVED = frozenset(("generated", "compiled", "exported"))


class Place:
    """One leaked object among the others."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.reused: dict[str, list[str]] = {}
        """Keys of its settings, with the other objects that hold the same value."""
        self.copies: list[str] = []
        self.dependents: list[str] = []
        self.further = 0
        """How many depend on those."""
        self.public: list[str] = []

    def __repr__(self) -> str:
        return "<Place private>"


def places(surroundings: Surroundings, names: Sequence[tuple[str, int]], keys: Mapping[str, set[str]]) -> list[Place]:
    """Each named object. A position below zero means that only its name is known."""
    objects = surroundings.objects
    positions: dict[str, list[int]] = {}
    for position, each in enumerate(objects):
        positions.setdefault(each.name, []).append(position)
    holders: dict[int, list[int]] = {}
    for position, each in enumerate(objects):
        for _, value in each.keys:
            holders.setdefault(value, []).append(position)
    found: list[Place] = []
    for name, position in names:
        made = Place(name.partition("#")[0])
        mine = [position] if position >= 0 else positions.get(made.name, [])
        if mine:
            _fill(made, surroundings, mine, holders, keys.get(made.name, set()))
        elif _outside(made.name):
            made.public.append("it lies in a folder that is usually served")
        found.append(made)
    return found


def _fill(
    made: Place, surroundings: Surroundings, mine: Sequence[int], holders: Mapping[int, Sequence[int]], keys: set[str]
) -> None:
    objects = surroundings.objects
    own = set(mine)
    for position in mine:
        for key, value in objects[position].keys:
            if key in keys or SECRET.search(key):
                others = [_label(objects[each]) for each in holders.get(value, ()) if each not in own]
                if others:
                    made.reused[key] = list(dict.fromkeys(others))
    users: dict[str, int] = {}
    for link in surroundings.links:
        if link.target < 0:
            continue
        if link.reason in _COPIES and (link.source in own) != (link.target in own):
            made.copies.append(_label(objects[link.target if link.source in own else link.source]))
        elif link.reason in _DERIVED and link.target in own:
            made.copies.append(_label(objects[link.source]))
        elif link.edge == "depends_on" and link.target in own and link.source not in own and link.reason != "documents":
            users.setdefault(_label(objects[link.source]), link.source)
            if link.reason == "builds":
                made.public.append(f"it is built into an image or package by {_label(objects[link.source])}")
    made.copies = list(dict.fromkeys(made.copies))
    made.dependents = sorted(users)
    direct = {*users.values(), *own}
    made.further = len(
        {
            link.source
            for link in surroundings.links
            if link.edge == "depends_on"
            and link.target in users.values()
            and link.source not in direct
            and link.reason != "documents"
        }
    )
    first = objects[mine[0]]
    if _outside(made.name) or first.semantic_class in _SERVED:
        made.public.append("it lies where files are usually served from")
    if "public_exposure" in first.tags:
        made.public.append("it declares something that is reachable from outside")
    if first.kind == "log_stream":
        made.public.append("logs are collected and kept elsewhere too")
    reach = [name for name, position in users.items() if "public_exposure" in objects[position].tags]
    if reach:
        made.public.append(f"what it configures is reachable from outside ({', '.join(reach[:3])})")
    made.public = list(dict.fromkeys(made.public))


def _outside(name: str) -> bool:
    return bool(_OUTSIDE & set(name.lower().split("/")[:-1]))


def _label(each: Neighbour) -> str:
    return f"{each.name}#{each.part}" if each.part else each.name


def used_by(surroundings: Surroundings, key: str) -> str:
    """The class of the one sort of code that is named as a key begins: `ACME_API_KEY` and `acme_client.py`."""
    word = key.rpartition(".")[2].lower().partition("_")[0]
    if len(word) < 5 or word in ("secret", "token", "password", "private", "access", "client", "admin"):
        return ""
    classes = {
        each.semantic_class
        for each in surroundings.objects
        if each.kind == "code_file" and each.role != "test" and word in each.name.lower().rpartition("/")[2]
    }
    return classes.pop() if len(classes) == 1 else ""
