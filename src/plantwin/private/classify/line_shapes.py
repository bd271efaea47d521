"""The format that the shapes of lines suggest: logs, tables, settings, languages, source code."""

from __future__ import annotations

from itertools import pairwise

from plantwin.private.formats.lexicon import Lexicon

LEXICON = Lexicon(__file__)
LOOK = 8192
"""Most bytes of the head that the rules read."""

_PATTERNS = {name: LEXICON.bytes_pattern(name) for name, row in LEXICON.tables.items() if isinstance(row, str)}
LOG, FRAME, BUILT, OUTCOME, SECTION = (_PATTERNS[name] for name in ("log", "frame", "built", "outcome", "section"))
LOG_HEADERS = (b"#separator ", b"#fields\t", b"#Software: ", b"#Version: 1.0", b"__CURSOR=", b"__REALTIME_TIMESTAMP=")
"""How files of network monitors and web servers open that name their fields first; exports of a journal."""


def _count(pattern: str, lines: list[bytes]) -> int:
    """Return how many lines begin with a pattern."""
    return len(list(filter(_PATTERNS[pattern].match, lines)))


def summed_up(first: bytes, last: bytes, lines: list[bytes]) -> bool:
    """Whether a build or a test run sums up at the end, and much of what stands before it are its lines."""
    if not OUTCOME.search(first) and not OUTCOME.search(last):
        return False
    own = sum(1 for line in lines if worked(line))
    told = sum(1 for line in lines if line.endswith((b".", b"?", b"!")) and line.count(b" ") >= 8)
    return own * 5 >= len(lines) * 2 and told * 4 <= len(lines)


def worked(line: bytes) -> bool:
    """Whether a line is one of a build or a test run that sums up elsewhere."""
    return bool(BUILT.match(line) or _PATTERNS["worked"].match(line) or OUTCOME.match(line))


_SECTIONS = LEXICON.byte_words("sections")


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
    if first.startswith((b"pipeline {", b"node {", b"node(", b"@Library(")) and _PATTERNS["stages"].search(part):
        return "jenkinsfile"
    if (first.startswith(b'syntax = "proto') or b"\nmessage " in part) and _most("proto", code, 4):
        return "proto"
    if (
        many >= 3
        and _most("graphql", code, 2)
        and b"{" in part
        and (b"!" in part or first.startswith((b"type ", b"schema ")))
    ):
        return "graphql"
    if many >= 3 and _most("hcl", code, 2) and (_PATTERNS["block"].search(part) or _PATTERNS["nested"].search(part)):
        return "hcl"
    if many >= 3 and _PATTERNS["target"].search(part) and _most("make", code, 2):
        return "makefile"
    return "nginx" if many >= 3 and _has_server_sections(code) else ""


def _most(pattern: str, code: list[bytes], part: int) -> bool:
    """Whether one line in so many is of the pattern."""
    return _count(pattern, code) * part >= len(code)


def _has_server_sections(code: list[bytes]) -> bool:
    """Sections known to servers, with bare directives indented below them."""
    heads = [line.split(None, 1)[0] for line in code if line[:1] not in (b" ", b"\t")]
    below = [line for line in code if line[:1] in (b" ", b"\t")]
    if not heads or len(below) * 2 < len(code) or any(head not in _SECTIONS for head in heads):
        return False
    return sum(1 for line in below if _PATTERNS["pair"].search(line.split(None, 1)[0]) is None) * 10 >= len(below) * 8


def has_table_lists(code: list[bytes]) -> bool:
    """Whether there are lists of tables, in doubled brackets, and little but keys with values under them."""
    found = _count("tables", code)
    return found > 0 and (found + _count("signed", code)) * 10 >= len(code) * 8


def has_server_directives(code: list[bytes]) -> bool:
    """Whether there are a word and its value on every line, some of them switches, as in `sshd_config`."""
    many = len(code)
    if many < 5 or not any(map(_PATTERNS["switched"].search, code)):
        return False
    named = _count("joined", code)
    return (
        named * 4 >= many
        and _count("worded", code) * 10 >= many * 9
        and sum(1 for line in code if _PATTERNS["valued"].search(line)) * 10 >= many * 6
    )


LINES = 48


def shape(head: bytes) -> str:
    """Return the format that the shapes of the first lines suggest; `text` when none does."""
    raw = head[:LOOK].split(b"\n", LINES)[:LINES]
    if len(raw) > 1 and len(head) > LOOK:
        raw.pop()
    lines = [line.rstrip()[:400] for line in raw if line.strip()]
    if not lines:
        return "text"
    code = [line for line in lines if not line.lstrip().startswith((b"#", b";", b"//", b"--", b"/*", b"*"))] or lines
    total, many = len(lines), len(code)
    if head.startswith(LOG_HEADERS) or b"\n# Query_time:" in head[:LOOK] or _count("levelled", lines) * 4 >= total * 3:
        return "log"
    if _count("frame", lines) * 5 >= total * 2:
        return "log"
    if _PATTERNS["diff"].match(head[:400]):
        return "diff"
    if total >= 3 and _count("built", lines) * 3 >= total and not _statements(code):
        return "log"
    if total >= 3 and _count("handled", lines) * 5 >= total * 3:
        return "log"
    if total >= 3 and summed_up(head[:LOOK], head[-2048:], lines):
        return "log"
    if _count("log", lines) >= max(1, total * 0.5) and _looks_logged(lines):
        return "log"
    if _PATTERNS["interchange"].match(lines[0]) or _count("metered", lines) * 5 >= total * 4 >= 12:
        return "interchange"
    if _count("hba", code) * 10 >= many * 8 or _count("shipped", code) >= 2:
        return "nginx"
    ruled = _count("ids_rule", code)
    if ruled and (ruled * 3 >= many or b"condition:" in head) and (many > 1 or b"msg:" in head):
        return "security_rules"
    if (
        sum(
            1
            for line in code
            if _PATTERNS["zone"].match(line) or _PATTERNS["firewall"].match(line) or _PATTERNS["hosts"].match(line)
        )
        * 2
        >= many
    ):
        return "netrules"
    if _count("recipe", code) >= 3:
        return "recipe"
    if lines[0].startswith((b"ssh-rsa ", b"ssh-ed25519 ", b"ecdsa-sha2-", b"ssh-dss ")):
        return "pem"
    if _count("requirement", code) >= many * 0.7:
        return "requirements"
    if many >= 2 and (table := separator(code)):
        return table
    language = declarative_language(head, code) or _language(head, lines, code)
    if language:
        return language
    if many >= 3 and (aligned(code) or columned(code)):
        return "tsv"
    if many >= 3 and fixed(code):
        return "interchange"
    if _count("env", code) >= many * 0.8:
        return "env"
    sections = _count("section", code)
    settings = _count("setting", code)
    if has_table_lists(code):
        return "toml"
    if sections and settings + sections >= many * 0.7:
        return "ini"
    if sections >= 2 and many >= 4 and sections + _count("indented", code) >= many * 0.9:
        return "ini"
    if has_server_directives(code):
        return "nginx"
    if _count("cron", code) >= many * 0.5:
        return "crontab"
    directives = sum(1 for line in code if _PATTERNS["directive"].match(line) or line.strip() == b"}")
    if many >= 3 and directives >= many * 0.7 and any(line.rstrip().endswith((b";", b"{")) for line in code):
        return "nginx"
    yaml = _count("yaml", code)
    keys = _count("yaml_key", code)
    equals = sum(1 for line in code if _PATTERNS["setting"].match(line) and b"=" in line.split(b":", 1)[0])
    if many >= 2 and equals >= many * 0.8:
        return "properties"
    listed = _count("yaml_item", code)
    if many >= 3 and keys + listed >= 2 and yaml >= many * 0.85 and _terse(code):
        return "yaml"
    if (
        many >= 4
        and listed >= 1
        and yaml == many
        and code[0].startswith(b"- ")
        and _PATTERNS["yaml_item"].match(code[0])
    ):
        return "yaml"
    if _commented(lines, code):
        return "properties"
    if total >= 3 and _traced(lines):
        return "log"
    if any(line.startswith((b"# ", b"## ")) for line in lines) and _count("heading", lines) >= 2:
        return "markdown"
    return "generic" if source_like(code) else "text"


def _statements(lines: list[bytes]) -> bool:
    """Return whether many lines are instructions of a script or settings rather than what these printed."""
    told = [line for line in lines if not BUILT.match(line)]
    return sum(
        1
        for line in told
        if _PATTERNS["shell"].match(line) or _PATTERNS["docker"].match(line) or _PATTERNS["setting"].match(line)
    ) * 3 > len(lines)


def _commented(lines: list[bytes], code: list[bytes]) -> bool:
    """Return whether runs of `#` comments stand between short lines: settings of some syntax."""
    comments = sum(1 for line in lines if line.startswith((b"#", b";")))
    if comments < 2 or comments * 4 < len(lines) or comments == len(lines):
        return comments >= 3 and comments == len(lines)
    runs = sum(1 for one, two in pairwise(lines) if one[:1] == two[:1] == b"#")
    short = sum(1 for line in code if len(line) < 100 and not line.endswith((b".", b"?", b"!")))
    return runs * 2 >= comments and short * 10 >= len(code) * 9


def _looks_logged(lines: list[bytes]) -> bool:
    """Return whether lines have times, or a level nearly everywhere; dates in prose have neither."""
    timed = sum(1 for line in lines if _PATTERNS["timed"].search(line[:80]))
    return timed >= max(1, len(lines) // 3) or _count("log", lines) >= max(3, len(lines) * 0.8)


def _traced(lines: list[bytes]) -> bool:
    """Return whether most lines bear marks of a machine, and hardly one is a sentence."""
    if _count("traced", lines) * 5 < len(lines) * 3:
        return False
    return sum(1 for line in lines if line.endswith((b".", b"?", b"!")) and line.count(b" ") >= 5) * 4 <= len(lines)


def _terse(lines: list[bytes]) -> bool:
    """Return whether lines are short, as settings are; labelled prose is long."""
    return sum(map(len, lines)) < 55 * len(lines)


def _language(head: bytes, lines: list[bytes], code: list[bytes]) -> str:
    """Return the programming language whose statements open several lines."""
    need = max(2, len(code) // 4)
    part = head[:LOOK]
    if _PATTERNS["go"].match(code[0]) and (b"func " in part or b"import " in part):
        return "go"
    if _count("docker", code) >= need and any(line.startswith(b"FROM ") for line in code):
        return "dockerfile"
    if _count("c", lines) >= 2 and (b"#include" in part or b"#ifndef " in part or b"#endif" in part):
        return "cpp" if b"std::" in part or b"namespace " in part else "c"
    if _count("java", code) >= 2:
        return "java"
    if _count("python", code) >= need and _count("python_strong", code) >= 2:
        return "python"
    if _count("rust", code) >= need:
        return "rust"
    if _count("script", code) >= need:
        return "javascript"
    if b";" in part and _count("sql", code) >= max(2, len(code) // 6):
        return "sql"
    if _PATTERNS["sql"].match(code[0]) and (b";" in part or _count("sql", code) >= 2 or b"from" in part.lower()):
        return "sql"
    if _count("shell", code) >= max(3, len(code) // 3):
        return "shell"
    return ""


_DSV = {b",": "csv", b"\t": "tsv", b";": "csv", b"|": "csv"}


def aligned(lines: list[bytes]) -> bool:
    """Return whether spaces set columns apart: as many fields on every line, mostly numbers."""
    rows = [line.split() for line in lines]
    width = len(rows[-1])
    if width < 2 or sum(len(row) == width for row in rows) * 10 < len(rows) * 9:
        return False
    body = rows[1:]
    return (
        sum(_PATTERNS["numeric"].fullmatch(cell) is not None for row in body for cell in row) * 5
        >= len(body) * width * 3
    )


def columned(lines: list[bytes]) -> bool:
    """A listing under a line of titles: columns at least two spaces apart, or as many words on every line below."""
    words = [len(line.split()) for line in lines]
    if len(words) >= 3 and min(words[1:]) == max(words[1:]) >= 4 and words[1] <= words[0] <= words[1] + 3:
        digits = sum(any(48 <= byte <= 57 for byte in cell) for line in lines[1:] for cell in line.split())
        if digits * 2 >= sum(words[1:]) and not any(48 <= byte <= 57 for byte in lines[0][:20]):
            return True
    rows = [_PATTERNS["gap"].split(line.strip()) for line in lines if line.strip(b"-= +|")]
    width = len(rows[0]) if len(rows) > 2 else 0
    if width < 3 or sum(abs(len(row) - width) <= 1 for row in rows) * 10 < len(rows) * 9:
        return False
    return all(len(cell) <= 30 and not cell[:1].isdigit() for cell in rows[0])


def fixed(lines: list[bytes]) -> bool:
    """Records of fixed columns: lines of nearly one length, full of digits, that are neither sentences nor code."""
    lengths = sorted(map(len, lines))
    usual = lengths[len(lengths) // 2]
    if usual < 24 or sum(abs(length - usual) <= max(2, usual // 8) for length in lengths) * 3 < len(lines) * 2:
        return False
    digits = sum(1 for line in lines for byte in line if 48 <= byte <= 57)
    upper = sum(1 for line in lines for byte in line if 97 <= byte <= 122)
    return digits * 4 >= sum(lengths) and upper * 5 <= sum(lengths) and len({line[:1] for line in lines}) <= 6


def separator(lines: list[bytes]) -> str:
    """Return CSV or TSV when one separator occurs equally often on nearly every line."""
    for mark, form in _DSV.items():
        count = lines[0].count(mark)
        if count == 0 or (count == 1 and mark != b"\t" and len(lines) < 4):
            continue
        if mark == b"|" and lines[0].startswith(b"|"):
            continue
        if sum(1 for line in lines if line.count(mark) == count) >= len(lines) * 0.85 and not _prose(lines, mark):
            return form
    return ""


def _prose(lines: list[bytes], mark: bytes) -> bool:
    """Sentences and statements also hold commas: a table's cells are short, and its lines do not end in `;` or `{`."""
    if sum(1 for line in lines if line.endswith((b";", b"{", b"}", b")", b"."))) > len(lines) // 2:
        return True
    return mark == b"," and sum(line.count(b", ") for line in lines) > sum(line.count(b",") for line in lines) * 0.6


_SHARE = 0.6
_LEAST = 4
"""Lines below which nothing can be told."""


def source_like(lines: list[bytes]) -> bool:
    """Return whether most lines look like statements, hardly any like sentences, with many symbols."""
    if len(lines) < _LEAST:
        return False
    sentences = sum(1 for line in lines if _PATTERNS["sentence"].match(line.strip()))
    if sentences * 5 > len(lines):
        return False
    coded = sum(1 for line in lines if _PATTERNS["code"].search(line[:240]))
    if coded < _SHARE * len(lines):
        return False
    return sum(len(_PATTERNS["tokens"].findall(line[:240])) for line in lines) >= 0.9 * len(lines)
