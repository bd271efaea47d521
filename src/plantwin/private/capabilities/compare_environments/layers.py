"""Which settings files are layers over another: what an overlay leaves to its base is not missing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from plantwin.private.capabilities.compare_environments.environment import STAGES, Environment

_WORD = "|".join(pattern for stage, pattern in STAGES.items() if stage != "example")
_LAYERS = (
    # Spring Boot profiles, ASP.NET Core, Helm, Compose, Kustomize: each tool reads the base first.
    (re.compile(r"(?P<head>(?:^|.*/)(?:application|bootstrap))-[\w.-]+(?P<tail>\.(?:ya?ml|properties))$"), ""),
    (re.compile(r"(?P<head>(?:^|.*/)appsettings)\.\w+(?P<tail>\.json)$"), ""),
    (re.compile(r"(?P<head>(?:^|.*/)values)[-._][\w.-]+(?P<tail>\.ya?ml)$"), ""),
    (re.compile(r"(?P<head>(?:^|.*/))(?:ci/)?[\w.-]+[-._]values(?P<tail>\.ya?ml)$"), "values"),
    (re.compile(r"(?P<head>(?:^|.*/)(?:docker-)?compose)[-.][\w.-]+(?P<tail>\.ya?ml)$"), ""),
    (re.compile(r"(?P<head>(?:^|.*/))overlays?/[^/]+/(?P<tail>.*)$"), "base/"),
    (
        re.compile(rf"(?P<head>(?:^|.*/)[\w-]+?)[-._](?:{_WORD})(?P<tail>\.(?:ya?ml|json|toml|properties|py))$", re.I),
        "",
    ),
    (re.compile(rf"(?P<head>(?:^|.*/))(?:{_WORD})(?P<tail>\.(?:ya?ml|json|json5|toml|py))$", re.I), "default"),
    (re.compile(rf"(?P<head>(?:^|.*/))(?:{_WORD})(?P<tail>\.(?:ya?ml|json|json5|toml|py))$", re.I), "base"),
    (re.compile(rf"(?P<head>(?:^|.*/))(?:{_WORD})(?P<tail>\.(?:ya?ml|json|json5|toml|py))$", re.I), "common"),
)
"""How an overlay is called, and what stands in its base's name instead of the stage."""
_SURE = 6
"""So many of these are layers even where the base is not at hand."""


def base_of(name: str, names: Sequence[str]) -> str | None:
    """Return the base that a file is laid over, empty if it is not among these names, None for what is no layer."""
    for number, (pattern, instead) in enumerate(_LAYERS):
        match = pattern.match(name)
        if match is None:
            continue
        base = f"{match['head']}{instead}{match['tail']}"
        if base in names:
            return base
        if instead == "base/":
            folder = f"{match['head']}{instead}"
            return next((other for other in names if other.startswith(folder)), "")
        if number < _SURE:
            other_ending = base.replace(".yml", ".yaml") if base.endswith(".yml") else base.replace(".yaml", ".yml")
            return other_ending if other_ending in names else ""
    return None


def lay(environments: Sequence[Environment]) -> list[str]:
    """Give every overlay what its base says, mark bases, and return what is to be said of it."""
    by_name = {environment.document.name: environment for environment in environments}
    notes = []
    for environment in environments:
        base = base_of(environment.document.name, tuple(by_name))
        if base is None:
            continue
        environment.is_overlay = True
        if base:
            below = by_name[base]
            below.is_base = True
            inherited = {path: held for path, held in below.settings.items() if path not in environment.settings}
            environment.inherited = frozenset(inherited)
            environment.settings.update(inherited)
            notes.append(f"{environment.label} is laid over {below.label} and inherits {len(inherited)} settings.")
        else:
            notes.append(
                f"{environment.label} is an overlay: what it lacks may be in its base, which is not among the inputs."
            )
    return notes
