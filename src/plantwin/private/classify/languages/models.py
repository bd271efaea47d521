"""Tables that migrations create in code, and those that models of an ORM stand for."""

from __future__ import annotations

import re

from plantwin.private.classify.languages.builder import OutlineBuilder, decode
from plantwin.private.classify.rules import plural
from plantwin.private.formats.lexicon import Lexicon
from plantwin.private.formats.source_views import Text

_LEXICON = Lexicon(__file__)
_created = _LEXICON.bytes_pattern("created")
_created_model = _LEXICON.bytes_pattern("created_model")
_named = _LEXICON.bytes_pattern("named")
_declared = re.compile(_LEXICON.bytes_pattern("declared").pattern, re.MULTILINE)
_hump = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_LIMIT = 1 << 17
_MOST = 16
"""Models of one file that are looked at."""
_OWN_FOLDER = frozenset(("models", "migrations"))


def read_models(builder: OutlineBuilder, text: Text, data: bytes) -> None:
    """Provide the tables that are created, and refer to those of the models."""
    raw = text.raw
    if b"reate" in raw:
        # A schema that was dumped as code is long.
        for found in _created.finditer(data, 0, _LIMIT):
            builder.provide("table", decode(found["name"]))
        for found in _created_model.finditer(data, 0, _LIMIT):
            builder.provide("table", f"{_application(builder.path)}_{decode(found['name']).lower()}")
    if "orm_model" not in builder.features or "migration_op" in builder.features:
        return
    named = [decode(found[found.lastgroup or 0]) for found in _named.finditer(raw)]
    for name in named[:_MOST]:
        builder.refer("table", name, "reads")
    if named:
        return
    for found in list(_declared.finditer(text.code))[:_MOST]:
        name = _hump.sub("_", decode(found["name"])).lower()
        application = _application(builder.path) if builder.ecosystem == "python" else ""
        if application:
            builder.refer("table", f"{application}_{name.replace('_', '')}", "reads")
        # Rails, Laravel and GORM name a table in the plural; JPA, TypeORM and SQLModel as the class.
        builder.refer("table", plural(name), "reads")
        builder.refer("table", name, "reads")


def _application(path: str) -> str:
    """Return the name of the Django application that a module of models or a migration belongs to."""
    folders = path.split("/")[:-1]
    while folders and folders[-1] in _OWN_FOLDER:
        folders.pop()
    return folders[-1].lower() if folders else ""
