"""What the bytes alone say about a file's format: magic numbers, encodings, shapes of lines."""

from __future__ import annotations

import re
from itertools import pairwise

from plantwin.private.extract.classes.file_names import INTERPRETERS, OPAQUE
from plantwin.private.extract.declared import declared
from plantwin.private.extract.directives import admits, directs, indented, ships, tables
from plantwin.private.extract.printed import (
    BUILT,
    FRAME,
    HANDLED,
    LEVELLED,
    LOG,
    LOG_HEADERS,
    METERED,
    TIMED,
    TRACED,
    summed_up,
)
from plantwin.private.extract.sourcelike import source_like
from plantwin.private.extract.tabular import aligned, all_tabular, columned, fixed, separator

LOOK = 8192
"""Most bytes of the head that the shape rules read."""
LINES = 48

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"SQLite format 3\0", "sqlite"),
    (b"%PDF-", "pdf"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "office"),
    (b"PAR1", "columnar"),
    (b"Obj\x01", "columnar"),
    (b"ARROW1", "columnar"),
    (b"ORC\n", "columnar"),
    (b"\x93NUMPY", "columnar"),
    (b"GGUF", "model"),
    (b"tree\nversion=v", "model"),
    (b"\xfe\xed\xfe\xed", "keystore"),
    (b"\x03\xd9\xa2\x9a", "keystore"),
    (b"\x89HDF\r\n", "model"),
    (b"\x89PNG\r\n\x1a\n", OPAQUE),
    (b"\xff\xd8\xff", OPAQUE),
    (b"GIF87a", OPAQUE),
    (b"GIF89a", OPAQUE),
    (b"PK\x03\x04", OPAQUE),
    (b"PK\x05\x06", OPAQUE),
    (b"\x1f\x8b", OPAQUE),
    (b"BZh9", OPAQUE),
    (b"\xfd7zXZ\0", OPAQUE),
    (b"\x28\xb5\x2f\xfd", OPAQUE),
    (b"7z\xbc\xaf\x27\x1c", OPAQUE),
    (b"Rar!\x1a\x07", OPAQUE),
    (b"\x7fELF", OPAQUE),
    (b"\xca\xfe\xba\xbe", OPAQUE),
    (b"\xcf\xfa\xed\xfe", OPAQUE),
    (b"\xce\xfa\xed\xfe", OPAQUE),
    (b"\0asm", OPAQUE),
    (b"OggS\0", OPAQUE),
    (b"fLaC\0", OPAQUE),
    (b"ID3\x03", OPAQUE),
    (b"ID3\x04", OPAQUE),
    (b"wOFF", OPAQUE),
    (b"wOF2", OPAQUE),
    (b"!<arch>\n", OPAQUE),
)
_MAGIC_FIRST = frozenset(magic[0] for magic, _ in _MAGIC)
_CONTROL = bytes(b for b in range(32) if b not in (9, 10, 11, 12, 13, 27))

_ENV = re.compile(rb"^(?:export )?[A-Z][A-Z0-9_]{1,60}=")
_SECTION = re.compile(rb"^\[[A-Za-z0-9_][^\]\[\n\"{}]{0,80}\]\s*$")
_SETTING = re.compile(rb"^[A-Za-z0-9_.\-]{1,80}\s{0,4}[=:](?!=)")
_YAML = re.compile(rb"^(?:\s{0,20}(?:- )?[A-Za-z0-9_.\-/\"']{1,60}:(?:\s|$)|---\s*$|\s{0,20}- \S)")
_YAML_KEY = re.compile(rb"^[A-Za-z_][A-Za-z0-9_.\-]{0,60}:(?:\s|$)")
_YAML_ITEM = re.compile(rb"^- [a-z_][\w.\-]{0,40}:(?:\s|$)")
_DIRECTIVE = re.compile(rb"^\s{0,20}[a-z_A-Z]{2,40}(?:\s[^=]{0,200})?[;{}]\s*(?:#.{0,200})?$")
_SQL = re.compile(
    rb"^\s{0,8}(?:select\s|create\s+(?:or\s+replace\s+)?(?:unique\s+)?(?:materialized\s+|temporary\s+)?"
    rb"(?:table|view|function|procedure|index|schema|database|type|trigger|role|user|policy|sequence|package"
    rb"|keyspace)\b"
    rb"|insert\s+into\s|alter\s+table\s|drop\s+table\s|update\s+\w+\s+set\s|delete\s+from\s|with\s+\w+\s+as\s*\("
    rb"|grant\s+[\w ,]{3,80}\son\s|revoke\s+[\w ,]{3,80}\son\s|copy\s+[\w.\"]{1,80}\s*\(|lock\s+tables?\s"
    rb"|comment\s+on\s)",
    re.I,
)
_PYTHON = re.compile(
    rb"^(?:import [A-Za-z_][\w.]*(?: as \w+)?\s*$|from [\w.]+ import |def \w+\(|class \w+[(:]|    def \w+\(self"
    rb"|if __name__ == |@\w+|async def |    (?:return|for|if|with|self\.)\b)"
)
_PYTHON_STRONG = re.compile(rb"^(?:import [A-Za-z_][\w.]*(?: as \w+)?\s*$|from [\w.]+ import |def \w+\(|class \w+[(:])")
_SCRIPT = re.compile(
    rb"^(?:(?:const|let|var) [\w{},\s\[\]]{1,80}=|import .{1,120} from ['\"]"
    rb"|export (?:default|const|function|class|type)|(?:async )?function \w+\(|module\.exports\b|require\(['\"])"
)
_C = re.compile(rb"^(?:#include\s*[<\"]|#define\s+\w+|typedef\s+struct|int main\()")
_GO = re.compile(rb"^package \w+\s*$")
_JAVA = re.compile(
    rb"^(?:package [\w.]+;|import (?:static )?[\w.]+(?:\.\*)?;|public (?:final |abstract )?(?:class|interface|enum))"
)
_SHELL = re.compile(
    rb"^\s{0,8}(?:if \[{1,2} |fi$|done$|esac$|for \w+ in |while (?:read|true|\[)|set -[euxo]|echo ['\"$]|export \w+="
    rb"|source |sudo |apt(?:-get)? |docker |kubectl |curl |cd |mkdir |rm -|local \w+=|\w+\(\) ?\{)"
)
_RUST = re.compile(
    rb"^(?:use (?:std|crate|super|\w+)::|pub (?:fn|struct|enum|mod|trait) |fn \w+[(<]|impl[ <]|#\[derive)"
)
_HEADING = re.compile(rb"^(?:#{1,6} \S|={3,}\s*$|-{3,}\s*$|\*{3,}\s*$|```|[*-] \[[ x]\] |\|.{1,200}\|\s*$|> )")
_DOCKER = re.compile(rb"^(?:FROM \S+|RUN \S|COPY \S|ENTRYPOINT |CMD |WORKDIR /|EXPOSE \d)")
_DIFF = re.compile(rb"^(?:diff --git |--- \S+.*\n\+\+\+ |Index: )")
_REQUIREMENT = re.compile(
    rb"^(?:-r |-e |[A-Za-z0-9][\w.\-]{0,60}(?:\[[\w, ]{0,60}\])?\s{0,3}(?:==|>=|~=|<=|!=|<|>)\s{0,3}\d)"
)
_INTERCHANGE = re.compile(
    rb"(?::20:|\{1:F\d\d|UNA.{6}|UNB\+|ISA\*|!Type:|!Account|OFXHEADER:|MSH\||FHS\||BHS\||BEGIN:VC(?:ARD|ALENDAR)"
    rb"|0 HEAD\b"
    rb"|[$!](?:GP|GN|GL|AI)[A-Z]{3},|##fileformat=VCF|@HD\t|01,\w{1,12},\w{1,12},\d{6})"
)
"""How files open that systems hand to each other."""
_IDS_RULE = re.compile(
    rb"^#?(?:alert|drop|pass|reject|log) (?:tcp|udp|icmp|ip|http|tls|dns|smtp|ssh|any) \S|^Sec(?:Rule|Action) "
    rb"|^(?:private |global )?rule \w+"
    rb"(?: ?: ?[\w ]{1,80})?\s*\{?$"
)
_ZONE = re.compile(
    rb"^\S{0,255}\s+(?:\d{1,9}\s+)?IN\s+(?:SOA|NS|A|AAAA|MX|CNAME|TXT|PTR|SRV|CAA)\s|^\$(?:TTL|ORIGIN)\s"
)
_HOSTS = re.compile(rb"^(?:(?:\d{1,3}\.){3}\d{1,3}|::1|f[ef][0-9a-f]{2}:\S{1,40})\s+[A-Za-z][\w.-]{1,253}")
_FIREWALL = re.compile(
    rb"^\s{0,20}(?:-[AIP] [A-Z]{3,20}|:[A-Z]{3,20} (?:ACCEPT|DROP)|\*(?:filter|nat|mangle|raw)$|table (?:inet|ip6?"
    rb"|bridge) \w|chain \w+ \{"
    rb"|(?:tcp|udp|iif|oif|ct|ip6?|meta) \S.{0,200}(?:accept|drop|reject)|access-list \S|(?:pass|block) (?:in|out"
    rb"|drop|quick|log)\b)"
)
_RECIPE = re.compile(
    rb"^(?:%(?:prep|build|install|files|description|check)\b|BuildRequires:|build-depends:|Requires: )", re.I
)
_CRON = re.compile(rb"^(?:@(?:daily|hourly|reboot|weekly|monthly)|(?:[\d*/,\-]{1,20}\s+){4}[\d*/,\-A-Z]{1,20})\s+\S")
_ELEMENT = re.compile(rb"<([A-Za-z_][\w.:-]{0,60})[\s>]")
_HTML = frozenset(
    (b"div", b"p", b"span", b"table", b"section", b"article", b"ul", b"ol", b"nav", b"main", b"form", b"h1")
)
_JSON_OPEN = re.compile(
    rb"^(?:\{\s*(?:\"|\}\s*$)|\[\s*(?:[\"{]|\[\s*[\"\[{\d-]|\]\s*$|(?:-?\d[\d.eE+-]{0,30}|true|false|null)\s*,))"
)


def magic(head: bytes) -> str:
    """The format that a magic number announces, or nothing."""
    if head[:1] and head[0] in _MAGIC_FIRST:
        for prefix, form in _MAGIC:
            if head.startswith(prefix):
                return form
    if head[4:8] == b"ftyp" or (head[:4] == b"RIFF" and head[8:12] in (b"WAVE", b"WEBP", b"AVI ")):
        return OPAQUE
    return ""


def wide(head: bytes) -> str:
    """The codec of UTF-16 or UTF-32 text, by its mark or by where its zero bytes fall."""
    if head.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return "utf-32"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    part = head[:512]
    if len(part) < 16 or 0 not in part:
        return ""
    even, odd = part[0::2].count(0), part[1::2].count(0)
    half = len(part) // 2
    if odd > half * 0.8 and even <= half * 0.05:
        return "utf-16-le"
    if even > half * 0.8 and odd <= half * 0.05:
        return "utf-16-be"
    return ""


def narrow(data: bytes, codec: str) -> bytes:
    """Text of a wide encoding as UTF-8; what does not decode is replaced."""
    width = 4 if codec == "utf-32" else 2
    text = data[: len(data) - len(data) % width].decode(codec, "replace")
    return text.removeprefix("\ufeff").encode("utf-8", "replace")


def binary(head: bytes) -> bool:
    """Whether the bytes are no text in any encoding that is read here."""
    part = head[:1024]
    if 0 in part:
        return True
    return bool(part) and len(part) - len(part.translate(None, _CONTROL)) > len(part) // 20


def shebang(head: bytes) -> str:
    """The format of the interpreter that the first line names."""
    line = head[2:200].split(b"\n", 1)[0].decode("latin-1").replace("\\", "/")
    for word in line.split()[:4]:
        if word.startswith("-") or "=" in word:
            continue
        program = word.rsplit("/", 1)[-1].lower()
        if program == "env":
            continue
        form = INTERPRETERS.get(program) or INTERPRETERS.get(program.rstrip("0123456789."))
        if form:
            return form
    return "shell" if b"sh" in head[:40] else ""


def opening(head: bytes) -> str:
    """The format that the very first characters prove: keys, markup, JSON."""
    start = head[:LOOK].lstrip(b"\xef\xbb\xbf \t\r\n")
    first = start[:1]
    if first == b"-" and start.startswith((b"-----BEGIN ", b"---- BEGIN ")):
        return "pem"
    if first == b"<":
        lower = start[:512].lower()
        if lower.startswith((b"<!doctype html", b"<html", b"<head", b"<body")):
            return "html"
        if lower.startswith(b"<?php"):
            return "php"
        if lower.startswith(b"<?xml") or (lower.startswith(b"<!doctype") and b"html" not in lower[:40]):
            return "html" if b"<html" in lower else "xml"
        return _element(start, head)
    if first in (b"{", b"[") and _JSON_OPEN.match(start):
        return _json(start)
    return ""


def _element(start: bytes, head: bytes) -> str:
    """Markup without a prologue: one element from the first character to the last."""
    match = _ELEMENT.match(start)
    if match is None or not head.rstrip()[-80:].endswith(b"</" + match[1] + b">"):
        return ""
    return "html" if match[1].lower() in _HTML else "xml"


def _json(start: bytes) -> str:
    """Tell JSON, JSON lines and notebooks apart; `[section]` is not JSON."""
    line, _, rest = start.partition(b"\n")
    line = line.rstrip()
    if line[:1] == b"[" and _SECTION.match(line):
        return ""
    if line[-1:] in (b"}", b"]") and line[:1] == b"{" and rest.lstrip()[:1] == b"{":
        return "jsonl"
    if b'"nbformat"' in start and b'"cells"' in start:
        return "notebook"
    return "json"


def shape(head: bytes) -> str:
    """The format that the shapes of the first lines suggest; `text` when none does."""
    raw = head[:LOOK].split(b"\n", LINES)[:LINES]
    if len(raw) > 1 and len(head) > LOOK:
        raw.pop()
    lines = [line.rstrip()[:400] for line in raw if line.strip()]
    if not lines:
        return "text"
    code = [line for line in lines if not line.lstrip().startswith((b"#", b";", b"//", b"--", b"/*", b"*"))] or lines
    total, many = len(lines), len(code)
    if (
        head.startswith(LOG_HEADERS)
        or b"\n# Query_time:" in head[:LOOK]
        or sum(1 for line in lines if LEVELLED.match(line)) * 4 >= total * 3
    ):
        return "log"
    if sum(1 for line in lines if FRAME.match(line)) * 5 >= total * 2:
        return "log"
    if _DIFF.match(head[:400]):
        return "diff"
    if total >= 3 and sum(1 for line in lines if BUILT.match(line)) * 3 >= total and not _statements(code):
        return "log"
    if total >= 3 and sum(1 for line in lines if HANDLED.match(line)) * 5 >= total * 3:
        return "log"
    if total >= 3 and summed_up(head[:LOOK], head[-2048:], lines):
        return "log"
    if sum(1 for line in lines if LOG.match(line)) >= max(1, total * 0.5) and _looks_logged(lines):
        return "log"
    if _INTERCHANGE.match(lines[0]) or sum(1 for line in lines if METERED.match(line)) * 5 >= total * 4 >= 12:
        return "interchange"
    if admits(code) or ships(code):
        return "nginx"
    ruled = sum(1 for line in code if _IDS_RULE.match(line))
    if ruled and (ruled * 3 >= many or b"condition:" in head) and (many > 1 or b"msg:" in head):
        return "security_rules"
    if sum(1 for line in code if _ZONE.match(line) or _FIREWALL.match(line) or _HOSTS.match(line)) * 2 >= many:
        return "netrules"
    if sum(1 for line in code if _RECIPE.match(line)) >= 3:
        return "recipe"
    if lines[0].startswith((b"ssh-rsa ", b"ssh-ed25519 ", b"ecdsa-sha2-", b"ssh-dss ")):
        return "pem"
    if sum(1 for line in code if _REQUIREMENT.match(line)) >= many * 0.7:
        return "requirements"
    if many >= 2 and all_tabular(code):
        return separator(code)
    language = declared(head, code) or _language(head, lines, code)
    if language:
        return language
    if many >= 3 and (aligned(code) or columned(code)):
        return "tsv"
    if many >= 3 and fixed(code):
        return "interchange"
    if sum(1 for line in code if _ENV.match(line)) >= many * 0.8:
        return "env"
    sections = sum(1 for line in code if _SECTION.match(line))
    settings = sum(1 for line in code if _SETTING.match(line))
    if tables(code):
        return "toml"
    if sections and settings + sections >= many * 0.7:
        return "ini"
    if sections >= 2 and many >= 4 and sections + indented(code) >= many * 0.9:
        return "ini"
    if directs(code):
        return "nginx"
    if sum(1 for line in code if _CRON.match(line)) >= many * 0.5:
        return "crontab"
    directives = sum(1 for line in code if _DIRECTIVE.match(line) or line.strip() == b"}")
    if many >= 3 and directives >= many * 0.7 and any(line.rstrip().endswith((b";", b"{")) for line in code):
        return "nginx"
    yaml = sum(1 for line in code if _YAML.match(line))
    keys = sum(1 for line in code if _YAML_KEY.match(line))
    equals = sum(1 for line in code if _SETTING.match(line) and b"=" in line.split(b":", 1)[0])
    if many >= 2 and equals >= many * 0.8:
        return "properties"
    listed = sum(1 for line in code if _YAML_ITEM.match(line))
    if many >= 3 and keys + listed >= 2 and yaml >= many * 0.85 and _terse(code):
        return "yaml"
    if many >= 4 and listed >= 1 and yaml == many and code[0].startswith(b"- ") and _YAML_ITEM.match(code[0]):
        return "yaml"
    if _commented(lines, code):
        return "properties"
    if total >= 3 and _traced(lines):
        return "log"
    if any(line.startswith((b"# ", b"## ")) for line in lines) and sum(map(bool, map(_HEADING.match, lines))) >= 2:
        return "markdown"
    return "generic" if source_like(code) else "text"


def _statements(lines: list[bytes]) -> bool:
    """Whether many lines are instructions of a script or settings rather than what these printed."""
    told = [line for line in lines if not BUILT.match(line)]
    return sum(1 for line in told if _SHELL.match(line) or _DOCKER.match(line) or _SETTING.match(line)) * 3 > len(lines)


def _commented(lines: list[bytes], code: list[bytes]) -> bool:
    """Runs of `#` comments between short lines that are no sentences: settings, whatever their syntax."""
    comments = sum(1 for line in lines if line.startswith((b"#", b";")))
    if comments < 2 or comments * 4 < len(lines) or comments == len(lines):
        return comments >= 3 and comments == len(lines)
    runs = sum(1 for one, two in pairwise(lines) if one[:1] == two[:1] == b"#")
    short = sum(1 for line in code if len(line) < 100 and not line.endswith((b".", b"?", b"!")))
    return runs * 2 >= comments and short * 10 >= len(code) * 9


def _looks_logged(lines: list[bytes]) -> bool:
    """A log has times, or a level on nearly every line; a list of dates in prose has neither shape."""
    timed = sum(1 for line in lines if TIMED.search(line[:80]))
    return timed >= max(1, len(lines) // 3) or sum(1 for line in lines if LOG.match(line)) >= max(3, len(lines) * 0.8)


def _traced(lines: list[bytes]) -> bool:
    """Marks of a machine on most lines, and hardly a sentence."""
    if sum(1 for line in lines if TRACED.match(line)) * 5 < len(lines) * 3:
        return False
    return sum(1 for line in lines if line.endswith((b".", b"?", b"!")) and line.count(b" ") >= 5) * 4 <= len(lines)


def _terse(lines: list[bytes]) -> bool:
    """Settings are short; labelled prose ("Summary: the service ...") is long."""
    return sum(map(len, lines)) < 55 * len(lines)


def _language(head: bytes, lines: list[bytes], code: list[bytes]) -> str:
    """The programming language whose statements open several lines."""
    need = max(2, len(code) // 4)
    part = head[:LOOK]
    if _GO.match(code[0]) and (b"func " in part or b"import " in part):
        return "go"
    if sum(1 for line in code if _DOCKER.match(line)) >= need and any(line.startswith(b"FROM ") for line in code):
        return "dockerfile"
    if sum(1 for line in lines if _C.match(line)) >= 2 and (
        b"#include" in part or b"#ifndef " in part or b"#endif" in part
    ):
        return "cpp" if b"std::" in part or b"namespace " in part else "c"
    if sum(1 for line in code if _JAVA.match(line)) >= 2:
        return "java"
    if sum(1 for line in code if _PYTHON.match(line)) >= need and sum(map(bool, map(_PYTHON_STRONG.match, code))) >= 2:
        return "python"
    if sum(1 for line in code if _RUST.match(line)) >= need:
        return "rust"
    if sum(1 for line in code if _SCRIPT.match(line)) >= need:
        return "javascript"
    if b";" in part and sum(1 for line in code if _SQL.match(line)) >= max(2, len(code) // 6):
        return "sql"
    if _SQL.match(code[0]) and (
        b";" in part or sum(1 for line in code if _SQL.match(line)) >= 2 or b"from" in part.lower()
    ):
        return "sql"
    if sum(1 for line in code if _SHELL.match(line)) >= max(3, len(code) // 3):
        return "shell"
    return ""
