"""Settings that have neither sections with signs nor a syntax of their own: a word and its value on every line."""

from __future__ import annotations

import re

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


def indented(code: list[bytes]) -> int:
    """How many lines are a key and a value behind it, set off from the section above."""
    return sum(1 for line in code if _INDENTED.match(line))


def tables(code: list[bytes]) -> bool:
    """Lists of tables, in doubled brackets, and little but keys with values under them."""
    found = sum(1 for line in code if _TABLES.match(line))
    return found > 0 and (found + sum(1 for line in code if _SIGNED.match(line))) * 10 >= len(code) * 8


def admits(code: list[bytes]) -> bool:
    """Who may connect from where, and how they prove it."""
    return sum(1 for line in code if _HBA.match(line)) * 10 >= len(code) * 8


def ships(code: list[bytes]) -> bool:
    """The stages of a log shipper."""
    return sum(1 for line in code if _SHIPPED.match(line)) >= 2


def directs(code: list[bytes]) -> bool:
    """A word and its value on every line, some of them switches: what servers are told."""
    many = len(code)
    if many < 5 or not any(map(_SWITCHED.search, code)):
        return False
    named = sum(1 for line in code if _JOINED.match(line))
    return (
        named * 4 >= many
        and sum(1 for line in code if _WORDED.match(line)) * 10 >= many * 9
        and sum(1 for line in code if _VALUED.search(line)) * 10 >= many * 6
    )
