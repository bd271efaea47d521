"""Declarative languages and settings, known by their lines when no name tells: contracts, builds, machines, servers."""

from __future__ import annotations

import re

_PROTO = re.compile(
    rb"^(?:syntax = \"proto|message \w+ \{|service \w+ \{|\s{0,8}rpc \w+ ?\(|package [\w.]+;|enum \w+ \{)"
)
_GRAPHQL = re.compile(
    rb"^(?:(?:extend )?(?:type|input|interface|enum|union|scalar|directive) @?\w|schema \{"
    rb"|\s{1,8}\w+(?:\([^()]{0,200}\))?: \[?\w+!?\]?!?\s*$)"
)
_HCL = re.compile(
    rb"^(?:(?:resource|variable|output|module|provider|data|terraform|locals|job|group|task|target|source"
    rb"|build)(?: \"[^\"\n]{1,80}\"){0,2} \{"
    rb"|\s{0,12}[a-z_][\w-]{0,60}\s{1,20}= (?:\"|\[|\{|true|false|\d|var\.|local\.|module\.))"
)
_BLOCK = re.compile(rb"^(?:resource|variable|output|module|provider|data|terraform|locals|job)(?: \"|\s\{)", re.M)
_NESTED = re.compile(rb"^[a-z_]\w{0,60}\s{1,20}= (?:\{$|\[\s*$|\[\"|\[\d)", re.M)
_MAKE = re.compile(
    rb"^(?:[\w./%$(){}-]{1,80}(?: [\w./%$(){}-]{1,80}){0,6}:(?!=|//)(?:\s|$)|\.PHONY:|[A-Z_]{2,30} ?[:?+]?= |\t\S"
    rb"|-?include \S)"
)
_TARGET = re.compile(rb"^[\w./%$(){}-]{1,80}:(?!=|//)[^\n]{0,200}\n\t[^\s]", re.M)
_STAGES = re.compile(rb"\bstages?\s{0,4}[({]")
_PAIR = re.compile(rb"[=:;,{}()\[\]]")
_SECTIONS = frozenset(
    b"global defaults frontend backend listen Host Match interface router subnet pool zone acl view options server"
    b" upstream http events stream location virtual_server vrrp_instance".split()
)

_INDENTED = re.compile(rb"^[ \t]{1,8}[A-Za-z@][\w.@-]{1,60}[ \t]{1,40}\S")
_WORDED = re.compile(rb"^[A-Za-z][\w-]{2,60}[ \t]{1,40}[^\s=:][^=\n]{0,120}$")
_VALUED = re.compile(
    rb"[ \t](?:yes|no|on|off|true|false|\"[^\"]{0,80}\"|-?\d{1,12}[kKmMgGsh]?[bB]?|[\d.:/]{3,45}|/\S{1,200})$"
)
_SWITCHED = re.compile(rb"[ \t](?:yes|no|on|off|true|false)$")
_JOINED = re.compile(rb"^(?:[a-z0-9]{1,40}[-_]|[A-Z][a-z]{1,20}[A-Z])")
_SHIPPED = re.compile(rb"^(?:(?:input|filter|output) ?\{|<(?:source|match)\b)")
_TABLES = re.compile(rb"^\[\[[A-Za-z_][\w.\-]{0,80}\]\]\s*$")
_HBA = re.compile(
    rb"^(?:local|host|hostssl|hostnossl|hostgssenc)[ \t]{1,20}\S{1,80}[ \t]{1,20}\S{1,80}[ \t].{0,120}"
    rb"\b(?:trust|reject|md5|password|scram-sha-256|peer|ident|cert|ldap|gss|radius|pam)\b"
)
_SIGNED = re.compile(rb"^\s{0,16}(?:\[[\w.\-]{1,80}\]\s*$|[A-Za-z_][\w.\-]{0,80} {0,8}=|[\]\"#])")


def declarative_language(head: bytes, code: list[bytes]) -> str:
    """Return the language, or nothing; `code` are the first lines without comments."""
    part, many = head[:8192], len(code)
    first = code[0]
    if first.startswith((b"# yarn lockfile", b"GEM", b"PODS:")) or b"# yarn lockfile v" in part[:400]:
        return "lock"
    if first.startswith(b"module ") and any(line.startswith((b"go 1.", b"require ")) for line in code):
        return "gomod"
    if first.startswith((b"cmake_minimum_required(", b"project(")) and b"add_" in part:
        return "cmake"
    if first.startswith((b"pipeline {", b"node {", b"node(", b"@Library(")) and _STAGES.search(part):
        return "jenkinsfile"
    if (first.startswith(b'syntax = "proto') or b"\nmessage " in part) and _most(_PROTO, code, 4):
        return "proto"
    if (
        many >= 3
        and _most(_GRAPHQL, code, 2)
        and b"{" in part
        and (b"!" in part or first.startswith((b"type ", b"schema ")))
    ):
        return "graphql"
    if many >= 3 and _most(_HCL, code, 2) and (_BLOCK.search(part) or _NESTED.search(part)):
        return "hcl"
    if many >= 3 and _TARGET.search(part) and _most(_MAKE, code, 2):
        return "makefile"
    return "nginx" if many >= 3 and _has_server_sections(code) else ""


def _most(pattern: re.Pattern[bytes], code: list[bytes], part: int) -> bool:
    """Whether one line in so many is of the pattern."""
    return sum(1 for line in code if pattern.match(line)) * part >= len(code)


def _has_server_sections(code: list[bytes]) -> bool:
    """Sections known to servers, with bare directives indented below them."""
    heads = [line.split(None, 1)[0] for line in code if line[:1] not in (b" ", b"\t")]
    below = [line for line in code if line[:1] in (b" ", b"\t")]
    if not heads or len(below) * 2 < len(code) or any(head not in _SECTIONS for head in heads):
        return False
    return sum(1 for line in below if _PAIR.search(line.split(None, 1)[0]) is None) * 10 >= len(below) * 8


def count_indented_settings(code: list[bytes]) -> int:
    """Count lines that are a key and a value behind it, set off from the section above."""
    return sum(1 for line in code if _INDENTED.match(line))


def has_table_lists(code: list[bytes]) -> bool:
    """Whether there are lists of tables, in doubled brackets, and little but keys with values under them."""
    found = sum(1 for line in code if _TABLES.match(line))
    return found > 0 and (found + sum(1 for line in code if _SIGNED.match(line))) * 10 >= len(code) * 8


def is_host_access_list(code: list[bytes]) -> bool:
    """Whether lines say who may connect from where, and how they authenticate, as in `pg_hba.conf`."""
    return sum(1 for line in code if _HBA.match(line)) * 10 >= len(code) * 8


def is_log_shipper(code: list[bytes]) -> bool:
    """Whether there are the stages of a log shipper: Logstash, Fluentd."""
    return sum(1 for line in code if _SHIPPED.match(line)) >= 2


def has_server_directives(code: list[bytes]) -> bool:
    """Whether there are a word and its value on every line, some of them switches, as in `sshd_config`."""
    many = len(code)
    if many < 5 or not any(map(_SWITCHED.search, code)):
        return False
    named = sum(1 for line in code if _JOINED.match(line))
    return (
        named * 4 >= many
        and sum(1 for line in code if _WORDED.match(line)) * 10 >= many * 9
        and sum(1 for line in code if _VALUED.search(line)) * 10 >= many * 6
    )
