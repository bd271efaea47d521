"""Go."""

from __future__ import annotations

from plantwin import expressions
from plantwin.private.extract.languages.drafts import Draft, text_of
from plantwin.private.extract.languages.masks import GO as MASK
from plantwin.private.extract.languages.masks import Text
from plantwin.private.extract.languages.spec import Language, marks_of, reader
from plantwin.private.extract.languages.trees import Grammar
from plantwin.private.facts import Provision

_spec = expressions.compile(rb"""(?:([\w.]++)[ \t]++)?+["`]([^"`\s]{1,200})["`]""")
_version = expressions.compile(r"/v\d+$")
_tag = expressions.compile(rb"`[^`\n]{0,200}\b(?:gorm|bun|pg):\"")

_service = expressions.compile(rb"\b(?:Unimplemented|Unsafe)\w{1,80}(?:Server|Handler)\b")

QUERY = """
(package_clause (package_identifier) @package)
(import_spec) @import
(function_declaration name: (identifier) @function)
(method_elem name: (field_identifier) @function)
(method_declaration name: (field_identifier) @function)
(type_spec name: (type_identifier) @abstract type: (interface_type))
(type_spec name: (type_identifier) @class type: (struct_type))
(type_spec name: (type_identifier) @type
  type: [(type_identifier) (qualified_type) (function_type) (map_type) (slice_type)])
(source_file (const_declaration (const_spec name: (identifier) @constant)))
"""
RULES = expressions.compile(
    rb"\n(?:package (?P<package>\w++)|import \((?P<import>[^)]*+)|import (?P<one>[^\n]++)"
    rb"|func (?:\([^)\n]*+\) )?+(?P<function>\w++)|type (?P<abstract>\w++) interface"
    rb"|type (?P<class>\w++)(?:\[[^\]\n]*+\])?+ struct"
    rb"|type (?P<type>\w++) )"
)


def _import(draft: Draft, raw: bytes) -> None:
    for alias, path in _spec.findall(raw):
        name = text_of(path)
        draft.refer("go", name)
        local = (
            text_of(alias) if alias else _version.sub("", name).rpartition("/")[2].removeprefix("go-").partition(".")[0]
        )
        draft.imported(name, local)


def _package(draft: Draft, raw: bytes) -> None:
    draft.provide("go", text_of(raw))


def _also(draft: Draft, text: Text) -> None:
    if Provision("go", "main") in draft.provides and b"func main()" in text.code:
        draft.count("main_guard")
    draft.count("orm_model", len(_tag.findall(text.raw)) and 1)
    if b"http.ResponseWriter" in text.code:
        draft.count("route", text.code.count(b"http.ResponseWriter"))
    if b"*gin.Context" in text.code or b"echo.Context" in text.code or b"*fiber.Ctx" in text.code:
        draft.count("route")
    if b"Unimplemented" in text.code:
        draft.count("route", len(_service.findall(text.code)))
    if b"*testing.B" in text.code:
        draft.count("benchmark", text.code.count(b"*testing.B"))


GO = Language(
    how="go",
    mask=MASK,
    rules=RULES,
    handlers={"import": _import, "one": _import, "package": _package},
    grammar=Grammar("tree_sitter_go", QUERY, depth=5),
    also=_also,
    marks=marks_of("go"),
)
READERS = {"go": reader(GO, "go")}
