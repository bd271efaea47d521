"""Contracts with their own syntax: Protocol Buffers, Thrift, GraphQL, Prisma."""

from __future__ import annotations

import re

from plantwin.private.extract.formats.draft import Draft
from plantwin.private.extract.formats.text import head_text
from plantwin.private.facts import Sample

_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|#[^\n]*|\"\"\".*?(?:\"\"\"|\Z)", re.DOTALL)
_PROTO = re.compile(
    r"^[ \t]{0,40}(?:import[ \t]{1,8}(?:public[ \t]{1,8}|weak[ \t]{1,8})?\"(?P<import>[^\"\n]{1,200})\""
    r"|include[ \t]{1,8}\"(?P<include>[^\"\n]{1,200})\""
    r"|package[ \t]{1,8}(?P<package>[\w.]{1,200})|(?P<kind>message|enum|struct|union|exception"
    r"|service)[ \t]{1,8}(?P<name>\w{1,120})"
    r"|rpc[ \t]{1,8}(?P<rpc>\w{1,120})"
    r"|(?:(?:\d{1,6}:[ \t]{0,8})?(?:optional|required|repeated)[ \t]{1,8})?(?:map<[^>\n]{1,200}>"
    r"|[\w.<>]{1,200})[ \t]{1,8}"
    r"(?P<field>\w{1,120})[ \t]{0,8}(?:=[ \t]{0,8}\d{1,10}[^\n]{0,200};|[;,]?$))",
    re.MULTILINE,
)


def read_proto(sample: Sample, draft: Draft) -> None:
    """Messages, fields, services and their calls."""
    text = _strip(draft, head_text(sample), hashes=False)
    for match in _PROTO.finditer(text):
        if match["name"]:
            draft.add("schema_def" if match["kind"] != "service" else "api_path", match["kind"] != "service")
            draft.name(match["name"])
        elif match["rpc"]:
            draft.add("api_path")
            draft.name(match["rpc"])
        elif match["import"] or match["include"]:
            target = match["import"] or match["include"]
            if not target.startswith("google/"):
                draft.refer_path(target, "imports", "root_path")
                draft.refer_path(target, "imports")
        elif match["package"]:
            draft.provide("proto_package", match["package"])
        elif match["field"]:
            draft.add("column")
            draft.name(match["field"])
    draft.outline.parsed = bool(draft.features.keys() & {"schema_def", "api_path"}) or bool(draft.outline.provides)


def _strip(draft: Draft, text: str, hashes: bool) -> str:
    """Text without comments; notes of work left in them are counted."""

    def drop(match: re.Match[str]) -> str:
        comment = match[0]
        if comment.startswith("#") and not hashes:
            return comment
        draft.add("todo", "TODO" in comment or "FIXME" in comment)
        return ""

    return _COMMENT.sub(drop, text)


_GRAPHQL_BLOCK = re.compile(
    r"^(?P<extend>extend[ \t]{1,8})?(?P<kind>type|input|enum|interface|union|scalar|query|mutation|subscription"
    r"|fragment|model|schema)\b"
    r"[ \t]{0,8}(?P<name>\w{0,120})|^[ \t]{1,20}(?P<field>\w{1,120})(?=[ \t]{0,8}[(:]|[ \t]{1,20}[A-Z][\w\[\]?]{0,80})"
    r"|^(?P<close>\})",
    re.MULTILINE,
)
_ROOTS = frozenset({"Query", "Mutation", "Subscription"})


def read_graphql(sample: Sample, draft: Draft) -> None:
    """Types, operations of the roots, documents of a client; Prisma models read alike."""
    text = _strip(draft, head_text(sample), hashes=True)
    inside, prisma = "", False
    for match in _GRAPHQL_BLOCK.finditer(text):
        if match["close"]:
            inside = ""
        elif match["kind"]:
            kind = match["kind"]
            prisma = kind == "model"
            if kind in ("query", "mutation", "subscription", "fragment"):
                draft.add("api_path")
            elif match["name"] not in _ROOTS and kind != "schema":
                draft.add("orm_model" if prisma else "schema_def")
                draft.provide("table" if prisma else "graphql_type", match["name"])
            draft.name(match["name"])
            inside = match["name"] if kind in ("type", "input", "interface", "model") else ""
        elif match["field"] and inside:
            draft.add("api_path" if inside in _ROOTS else "column")
            draft.name(match["field"])
    draft.outline.parsed = bool(draft.features.keys() & {"schema_def", "api_path", "orm_model"})
