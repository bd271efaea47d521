"""What can be done locally: a row of `catalog.toml`, and a file or folder of its name with `run(job) -> Result`.

The catalog loads without any of these files. A name is a word of the closed vocabulary, so nothing that is registered
later can stand for a built-in: there is no way to register.

Three catalogs differ in how much one call does, and so in how much it tells:

    orchestration   what a plan is made of; the default
    coarse          one call does everything and tells one outcome
    fine            the default and probes of content, which are unsafe: for experiments alone
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from plantwin.errors import VocabularyError
from plantwin.types.capability import TELLING, Capability, Catalog
from plantwin.vocabulary import CapabilityName, member

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result


COARSE = (CapabilityName.PROCESS_PROJECT, CapabilityName.PROCESS_OBJECT)
UNSAFE = tuple(name for name in CapabilityName if name.value.startswith("unsafe_"))
CATALOGS = ("orchestration", "coarse", "fine")
ROWS = Path(__file__).with_name("catalog.toml")
_FIELDS = frozenset((*Capability.__struct_fields__, "domain")) - {"name", "own", "wire"}


@cache
def catalog(grain: str = "orchestration") -> Catalog:
    """Return every capability of this grain, in the vocabulary's order."""
    if grain not in CATALOGS:
        raise VocabularyError("catalog: there is none of this name")
    return Catalog(capability for capability, _ in declared().values() if _fits(capability.name, grain))


def _fits(name: CapabilityName, grain: str) -> bool:
    if grain == "coarse":
        return name in (*COARSE, *TELLING)
    return name not in COARSE and (grain == "fine" or name not in UNSAFE)


def function(name: str) -> Callable[[Job], Result]:
    """Return what carries a capability out. `describe` and `split` have none: the gatekeeper itself tells."""
    known = member(CapabilityName, name)
    if known in TELLING:
        raise VocabularyError("capability: it has no function of its own")
    run: Callable[[Job], Result] = import_module(f"{__name__}.{known.value}").run
    return run


@cache
def declared() -> Mapping[CapabilityName, tuple[Capability, str]]:
    """Return every capability with the domain that it is listed under."""
    rows = tomllib.loads(ROWS.read_text("utf-8"))
    if rows.keys() != {name.value for name in CapabilityName}:
        raise VocabularyError("catalog: a capability without a row, or a row without one")
    return {name: (_declaration(name, rows[name.value]), rows[name.value]["domain"]) for name in CapabilityName}


def _declaration(name: CapabilityName, row: dict[str, Any]) -> Capability:
    if not row.keys() <= _FIELDS:
        raise VocabularyError("capability: a field that there is not")
    return msgspec.convert({**row, "name": name}, Capability)
