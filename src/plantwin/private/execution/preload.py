"""Loads what a built-in will load, before it is asked for: read off its own function, so that no list can go stale."""

from __future__ import annotations

import contextlib
import dis
import sys
import warnings
from importlib import import_module

_CAPABILITIES = "plantwin.private.capabilities"
ALSO = {
    f"{_CAPABILITIES}.engine.secrets": ("hyperscan",),
    f"{_CAPABILITIES}.security_audit.audit": (
        f"{_CAPABILITIES}.security_audit.python.module",
        "bandit.core.node_visitor",
        "bandit.core.test_set",
    ),
    f"{_CAPABILITIES}.tables.reader": (f"{_CAPABILITIES}.tables.relational", f"{_CAPABILITIES}.tables.separated"),
}
"""What these modules nearly always load in turn, and only when they are called. A missing entry costs time alone."""


def load_modules(name: str) -> None:
    """Load the modules that the function of a built-in imports when it is called."""
    from plantwin.private.capabilities import function

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what libraries say of each other
        for each in dis.get_instructions(function(name)):
            if each.opname == "IMPORT_NAME":
                import_module(each.argval)
        for module, others in ALSO.items():
            for other in others if module in sys.modules else ():
                with contextlib.suppress(ImportError):
                    import_module(other)
