"""Which well-known licence a text is, and what it permits, demands and excludes."""

# ruff: noqa: E501 (one licence, one row)

from __future__ import annotations

import re
from typing import NamedTuple

_USE = ("use", "copying", "distribution", "modification")
_FREE = (*_USE, "commercial use", "private use")
_NOTICE = "keep the copyright notice and the licence text"
_SOURCE = "give the source code of what is distributed"
_SAME = "distribute changed versions under the same licence"
_CHANGES = "say what was changed"
_NO_WARRANTY = ("no warranty", "no liability")


class Licence(NamedTuple):
    """A licence in short. It is an overview and no legal advice."""

    name: str
    permits: tuple[str, ...]
    demands: tuple[str, ...]
    excludes: tuple[str, ...]


_GPL = (_NOTICE, _CHANGES, _SOURCE, _SAME)
_KNOWN: tuple[tuple[str, Licence], ...] = (
    (r"gnu affero general public license", Licence("AGPL", (*_FREE, "patent use"), (*_GPL, "offer the source code to users over a network"), _NO_WARRANTY)),
    (r"gnu lesser general public license|gnu library general public license", Licence("LGPL", _FREE, (_NOTICE, _CHANGES, "give the source code of the library", "keep changes of the library under the same licence", "let the user replace the library"), _NO_WARRANTY)),
    (r"gnu free documentation license", Licence("GFDL", _USE, (_NOTICE, _CHANGES, _SAME, "keep invariant sections"), _NO_WARRANTY)),
    (r"gnu general public license", Licence("GPL", _FREE, _GPL, _NO_WARRANTY)),
    (r"mozilla public license", Licence("MPL", (*_FREE, "patent use"), (_NOTICE, "give the source code of changed files", "keep changed files under the same licence"), (*_NO_WARRANTY, "no right to trademarks"))),
    (r"apache license", Licence("Apache", (*_FREE, "patent use"), (_NOTICE, _CHANGES, "keep the NOTICE file"), (*_NO_WARRANTY, "no right to trademarks"))),
    (r"eclipse public license", Licence("EPL", (*_FREE, "patent use"), (_NOTICE, _SOURCE, "keep changed files under the same licence"), _NO_WARRANTY)),
    (r"creative commons zero|cc0 1\.0|cc0 1\.0 universal", Licence("CC0", _FREE, (), (*_NO_WARRANTY, "no right to patents and trademarks"))),
    (r"attribution-noncommercial", Licence("CC BY-NC", _USE, ("name the author", _CHANGES), ("no commercial use", *_NO_WARRANTY))),
    (r"attribution-sharealike", Licence("CC BY-SA", (*_USE, "commercial use"), ("name the author", _CHANGES, _SAME), _NO_WARRANTY)),
    (r"attribution-noderiv", Licence("CC BY-ND", ("use", "copying", "distribution"), ("name the author",), ("no changed versions", *_NO_WARRANTY))),
    (r"creative commons attribution", Licence("CC BY", (*_USE, "commercial use"), ("name the author", _CHANGES), _NO_WARRANTY)),
    (r"business source license", Licence("BUSL", ("copying", "modification", "non-production use"), (_NOTICE,), ("no production use before the change date", *_NO_WARRANTY))),
    (r"server side public license", Licence("SSPL", _FREE, (*_GPL, "give the source code of the whole service"), _NO_WARRANTY)),
    (r"this is free and unencumbered software released into the public domain", Licence("Unlicense", _FREE, (), _NO_WARRANTY)),
    (r"boost software license", Licence("Boost", _FREE, (_NOTICE,), _NO_WARRANTY)),
    (r"the artistic license", Licence("Artistic", _FREE, (_NOTICE, _CHANGES), _NO_WARRANTY)),
    (r"redistributions? of source code must retain.{0,2000}neither the names? of", Licence("BSD-3-Clause", _FREE, (_NOTICE,), (*_NO_WARRANTY, "no endorsement by the authors' names"))),
    (r"redistributions? of source code must retain", Licence("BSD-2-Clause", _FREE, (_NOTICE,), _NO_WARRANTY)),
    (r"permission to use, copy, modify,? and(?:/or)? distribute this software for any purpose", Licence("ISC", _FREE, (_NOTICE,), _NO_WARRANTY)),
    (r"permission is hereby granted, free of charge, to any person obtaining a copy", Licence("MIT", _FREE, (_NOTICE,), _NO_WARRANTY)),
    (r"permission is granted to anyone to use this software for any purpose", Licence("zlib", _FREE, ("do not misrepresent the origin", _CHANGES), _NO_WARRANTY)),
    (r"python software foundation license", Licence("PSF", _FREE, (_NOTICE, _CHANGES), (*_NO_WARRANTY, "no right to trademarks"))),
)  # fmt: skip
_PATTERNS = tuple((re.compile(pattern), licence) for pattern, licence in _KNOWN)
_VERSION = re.compile(r"version (\d(?:\.\d){0,2})")
READ = 400_000


def licence_of(text: str, *, declared: bool) -> Licence | None:
    """The licence that a text is; of others only one that it grants in its first lines."""
    flat = " ".join(text[: READ if declared else 6000].lower().split())
    head = flat if declared else flat[:3000]
    if not declared and not re.search(
        r"permission is hereby granted|redistribution and use|permission to use, copy|terms and conditions", head
    ):
        return None
    found = min(
        ((match.start(), number) for number, (pattern, _) in enumerate(_PATTERNS) if (match := pattern.search(head))),
        default=None,
    )
    if found is None:
        return None
    licence = _PATTERNS[found[1]][1]
    version = _VERSION.search(flat[found[0] : found[0] + 120])
    if version is not None and licence.name in ("GPL", "LGPL", "AGPL", "MPL", "Apache", "EPL", "GFDL", "Artistic"):
        licence = licence._replace(name=f"{licence.name} {version[1]}")
    return licence
