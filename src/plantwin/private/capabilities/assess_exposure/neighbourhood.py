"""What surrounds an object that leaked: who holds the same values, who depends on it, who may see it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from plantwin.private.capabilities.engine.job import Link, Neighbour, Surroundings
from plantwin.private.capabilities.engine.secrets import SECRET
from plantwin.private.facts import Private
from plantwin.private.formats.values import words

_SERVED_FOLDERS = words("public static www htdocs dist assets webroot public_html")
_SERVED_CLASSES = words("ui_component page_template stylesheet client_state authentication_form")
_ORDINARY = words("secret token password private access client admin")


class Place(Private):
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
        """Why it may be seen from outside."""


def places(surroundings: Surroundings, names: Sequence[tuple[str, int]], keys: Mapping[str, set[str]]) -> list[Place]:
    """Return the place of each named object. A position below zero means that only its name is known."""
    positions: dict[str, list[int]] = defaultdict(list)
    holders: dict[int, list[int]] = defaultdict(list)
    for position, neighbour in enumerate(surroundings.objects):
        positions[neighbour.name].append(position)
        for _, value in neighbour.keys:
            holders[value].append(position)
    found: list[Place] = []
    for name, position in names:
        place = Place(name.partition("#")[0])
        own = {position} if position >= 0 else set(positions.get(place.name, ()))
        if own:
            _find_reuse(place, surroundings, own, holders, keys.get(place.name, set()))
            _find_users(place, surroundings, own)
        elif _is_served(place.name):
            place.public.append("it lies in a folder that is usually served")
        found.append(place)
    return found


def _find_reuse(
    place: Place, surroundings: Surroundings, own: set[int], holders: Mapping[int, Sequence[int]], keys: set[str]
) -> None:
    objects = surroundings.objects
    for position in sorted(own):
        for key, value in objects[position].keys:
            others = [_label(objects[other]) for other in holders.get(value, ()) if other not in own]
            if others and (key in keys or SECRET.search(key)):
                place.reused[key] = list(dict.fromkeys(others))


def _find_users(place: Place, surroundings: Surroundings, own: set[int]) -> None:
    objects = surroundings.objects
    users: dict[str, int] = {}
    copies: list[int] = []
    public: list[str] = []
    for link in surroundings.links:
        if link.target < 0:
            continue
        if link.reason in ("copy", "diverged"):
            if (link.source in own) != (link.target in own):
                copies.append(link.target if link.source in own else link.source)
        elif link.reason in ("generated", "compiled", "exported") and link.target in own:
            copies.append(link.source)
        elif _depends(link) and link.target in own and link.source not in own:
            users.setdefault(_label(objects[link.source]), link.source)
            if link.reason == "builds":
                public.append(f"it is built into an image or package by {_label(objects[link.source])}")
    place.copies = list(dict.fromkeys(_label(objects[position]) for position in copies))
    place.dependents = sorted(users)
    used = set(users.values())
    further = {link.source for link in surroundings.links if _depends(link) and link.target in used}
    place.further = len(further - used - own)
    first = objects[min(own)]
    if first.role != "test" and (_is_served(place.name) or first.semantic_class in _SERVED_CLASSES):
        public.append("it lies where files are usually served from")
    if "public_exposure" in first.tags:
        public.append("it declares something that is reachable from outside")
    if first.kind == "log_stream":
        public.append("logs are collected and kept elsewhere too")
    reach = [name for name, position in users.items() if "public_exposure" in objects[position].tags]
    if reach:
        public.append(f"what it configures is reachable from outside ({', '.join(reach[:3])})")
    place.public = list(dict.fromkeys(public))


def _depends(link: Link) -> bool:
    return link.edge == "depends_on" and link.reason != "documents"


def _is_served(name: str) -> bool:
    return bool(_SERVED_FOLDERS & set(name.lower().split("/")[:-1]))


def _label(neighbour: Neighbour) -> str:
    return f"{neighbour.name}#{neighbour.part}" if neighbour.part else neighbour.name


def used_by(surroundings: Surroundings, key: str) -> str:
    """Return the class of the one kind of code that is named as a key begins: `ACME_API_KEY` and `acme_client.py`."""
    word = key.rpartition(".")[2].lower().partition("_")[0]
    if len(word) < 5 or word in _ORDINARY:
        return ""
    classes = {
        neighbour.semantic_class
        for neighbour in surroundings.objects
        if neighbour.kind == "code_file" and neighbour.role != "test"
        and word in neighbour.name.lower().rpartition("/")[2]
    }  # fmt: skip
    return classes.pop() if len(classes) == 1 else ""
