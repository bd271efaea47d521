"""The format that the shapes of lines suggest: logs, tables, settings, languages, source code."""

from __future__ import annotations

import re
from itertools import pairwise

from plantwin.private.classify.config_syntax import (
    count_indented_settings,
    declarative_language,
    has_server_directives,
    has_table_lists,
    is_host_access_list,
    is_log_shipper,
)
from plantwin.private.classify.content import LEXICON, LOOK, SECTION
from plantwin.private.classify.log_lines import (
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

LINES = 48
_ENV = LEXICON.bytes_pattern("env")
_SETTING = LEXICON.bytes_pattern("setting")
_YAML = LEXICON.bytes_pattern("yaml")
_YAML_KEY = LEXICON.bytes_pattern("yaml_key")
_YAML_ITEM = LEXICON.bytes_pattern("yaml_item")
_DIRECTIVE = LEXICON.bytes_pattern("directive")
_SQL = LEXICON.bytes_pattern("sql")
_PYTHON = LEXICON.bytes_pattern("python")
_PYTHON_STRONG = LEXICON.bytes_pattern("python_strong")
_SCRIPT = LEXICON.bytes_pattern("script")
_C = LEXICON.bytes_pattern("c")
_GO = LEXICON.bytes_pattern("go")
_JAVA = LEXICON.bytes_pattern("java")
_SHELL = LEXICON.bytes_pattern("shell")
_RUST = LEXICON.bytes_pattern("rust")
_HEADING = LEXICON.bytes_pattern("heading")
_DOCKER = LEXICON.bytes_pattern("docker")
_DIFF = LEXICON.bytes_pattern("diff")
_REQUIREMENT = LEXICON.bytes_pattern("requirement")
_INTERCHANGE = LEXICON.bytes_pattern("interchange")
_IDS_RULE = LEXICON.bytes_pattern("ids_rule")
_ZONE = LEXICON.bytes_pattern("zone")
_HOSTS = LEXICON.bytes_pattern("hosts")
_FIREWALL = LEXICON.bytes_pattern("firewall")
_RECIPE = LEXICON.bytes_pattern("recipe")
_CRON = LEXICON.bytes_pattern("cron")


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
    if is_host_access_list(code) or is_log_shipper(code):
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
    language = declarative_language(head, code) or _language(head, lines, code)
    if language:
        return language
    if many >= 3 and (aligned(code) or columned(code)):
        return "tsv"
    if many >= 3 and fixed(code):
        return "interchange"
    if sum(1 for line in code if _ENV.match(line)) >= many * 0.8:
        return "env"
    sections = sum(1 for line in code if SECTION.match(line))
    settings = sum(1 for line in code if _SETTING.match(line))
    if has_table_lists(code):
        return "toml"
    if sections and settings + sections >= many * 0.7:
        return "ini"
    if sections >= 2 and many >= 4 and sections + count_indented_settings(code) >= many * 0.9:
        return "ini"
    if has_server_directives(code):
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
    """Return whether many lines are instructions of a script or settings rather than what these printed."""
    told = [line for line in lines if not BUILT.match(line)]
    return sum(1 for line in told if _SHELL.match(line) or _DOCKER.match(line) or _SETTING.match(line)) * 3 > len(lines)


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
    timed = sum(1 for line in lines if TIMED.search(line[:80]))
    return timed >= max(1, len(lines) // 3) or sum(1 for line in lines if LOG.match(line)) >= max(3, len(lines) * 0.8)


def _traced(lines: list[bytes]) -> bool:
    """Return whether most lines bear marks of a machine, and hardly one is a sentence."""
    if sum(1 for line in lines if TRACED.match(line)) * 5 < len(lines) * 3:
        return False
    return sum(1 for line in lines if line.endswith((b".", b"?", b"!")) and line.count(b" ") >= 5) * 4 <= len(lines)


def _terse(lines: list[bytes]) -> bool:
    """Return whether lines are short, as settings are; labelled prose is long."""
    return sum(map(len, lines)) < 55 * len(lines)


def _language(head: bytes, lines: list[bytes], code: list[bytes]) -> str:
    """Return the programming language whose statements open several lines."""
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


_NUMERIC = re.compile(rb"[-+]?\d[\d.,eE:/+-]{0,30}%?|NaN|nan|NA|-{1,2}")
_GAP = re.compile(rb" {2,}|\t")
_DSV = {b",": "csv", b"\t": "tsv", b";": "csv", b"|": "csv"}


def aligned(lines: list[bytes]) -> bool:
    """Return whether spaces set columns apart: as many fields on every line, mostly numbers."""
    rows = [line.split() for line in lines]
    width = len(rows[-1])
    if width < 2 or sum(len(row) == width for row in rows) * 10 < len(rows) * 9:
        return False
    body = rows[1:]
    return sum(_NUMERIC.fullmatch(cell) is not None for row in body for cell in row) * 5 >= len(body) * width * 3


def columned(lines: list[bytes]) -> bool:
    """A listing under a line of titles: columns at least two spaces apart, or as many words on every line below."""
    words = [len(line.split()) for line in lines]
    if len(words) >= 3 and min(words[1:]) == max(words[1:]) >= 4 and words[1] <= words[0] <= words[1] + 3:
        digits = sum(any(48 <= byte <= 57 for byte in cell) for line in lines[1:] for cell in line.split())
        if digits * 2 >= sum(words[1:]) and not any(48 <= byte <= 57 for byte in lines[0][:20]):
            return True
    rows = [_GAP.split(line.strip()) for line in lines if line.strip(b"-= +|")]
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


def all_tabular(lines: list[bytes]) -> bool:
    return bool(separator(lines))


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


_CODE = LEXICON.bytes_pattern("code")
_SENTENCE = LEXICON.bytes_pattern("sentence")
_TOKENS = re.compile(rb"[{}();=\[\]<>|&]")
_SHARE = 0.6
_LEAST = 4
"""Lines below which nothing can be told."""


def source_like(lines: list[bytes]) -> bool:
    """Return whether most lines look like statements, hardly any like sentences, with many symbols."""
    if len(lines) < _LEAST:
        return False
    sentences = sum(1 for line in lines if _SENTENCE.match(line.strip()))
    if sentences * 5 > len(lines):
        return False
    coded = sum(1 for line in lines if _CODE.search(line[:240]))
    if coded < _SHARE * len(lines):
        return False
    return sum(len(_TOKENS.findall(line[:240])) for line in lines) >= 0.9 * len(lines)
