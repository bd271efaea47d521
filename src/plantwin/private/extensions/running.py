"""The worker's side: the function that carries an extension out. Nothing of it runs outside a worker."""

from __future__ import annotations

from collections.abc import Callable

from plantwin.private.capabilities.job import Job, Result
from plantwin.private.extensions.form import Extension


def function(extension: Extension) -> Callable[[Job], Result]:
    """What carries this extension out."""
    match extension.sort:
        case "declare":
            from plantwin.private.extensions.plugins import declarations

            return lambda job: declarations(extension)
        case "function":
            from plantwin.private.extensions.plugins import call

            return lambda job: call(extension, job)
        case "command":
            from plantwin.private.extensions.commands import run

            return lambda job: run(extension, job)
        case "tool":
            from plantwin.private.extensions.tools import use

            return lambda job: use(extension, job)
