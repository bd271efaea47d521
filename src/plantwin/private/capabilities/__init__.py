"""What can be done locally: one file per capability, named after it, with `CAPABILITY` and `run(job) -> Result`.

Declarations load without the tools that the functions use. The name of a file is a word of the closed vocabulary,
so nothing that is registered later can stand for a built-in: there is no way to register.

Three catalogs differ in how much one call does, and so in how much it tells:

    orchestration   what a plan is made of; the default
    coarse          one call does everything and tells one outcome
    fine            the default and probes of content, which are unsafe: for experiments alone
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from plantwin.errors import VocabularyError
from plantwin.types.capability import TELLING, Capability, Catalog
from plantwin.vocabulary import CapabilityName, member

if TYPE_CHECKING:
    from plantwin.private.capabilities.engine.job import Job, Result


COARSE = (CapabilityName.PROCESS_PROJECT, CapabilityName.PROCESS_OBJECT)
UNSAFE = tuple(name for name in CapabilityName if name.value.startswith("unsafe_"))
CATALOGS = ("orchestration", "coarse", "fine")


@cache
def catalog(grain: str = "orchestration") -> Catalog:
    """Return every capability of this grain that has a file here, in the vocabulary's order."""
    present = {module.name for module in iter_modules(__path__)}
    return Catalog(_declaration(name) for name in CapabilityName if name.value in present and _fits(name, grain))


def _fits(name: CapabilityName, grain: str) -> bool:
    if grain not in CATALOGS:
        raise VocabularyError("catalog: there is none of this name")
    if grain == "coarse":
        return name in (*COARSE, *TELLING)
    return name not in COARSE and (grain == "fine" or name not in UNSAFE)


def function(name: str) -> Callable[[Job], Result]:
    """Return what carries a capability out. `describe` and `expand` have none: the gatekeeper itself tells."""
    known = member(CapabilityName, name)
    if known.value not in {module.name for module in iter_modules(__path__)}:
        raise VocabularyError("capability: there is none of this name")
    run = getattr(import_module(f"{__name__}.{known.value}"), "run", None)
    if run is None:
        raise VocabularyError("capability: it has no function of its own")
    found: Callable[[Job], Result] = run
    return found


def _declaration(name: CapabilityName) -> Capability:
    declared = import_module(f"{__name__}.{name.value}").CAPABILITY
    if type(declared) is not Capability or declared.name is not name:
        raise VocabularyError("capability: its file declares another")
    return declared
