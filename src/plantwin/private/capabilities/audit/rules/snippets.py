"""Python that does not parse with this interpreter: older versions, templates, fragments."""

# ruff: noqa: E501 (one rule, one row)

from __future__ import annotations

import re

from plantwin.private.capabilities.audit import parts
from plantwin.private.capabilities.audit.lines import Call, Language, command, evaluated, remote, remote_first, rule
from plantwin.private.capabilities.audit.rules import wording as w
from plantwin.vocabulary import Severity


def _dynamic(code: bytes, full: bytes) -> list[bytes]:
    found = parts.braces(code, full)
    if re.search(rb"[\"']\s*%\s*[(\w]", code):
        found += [re.split(rb"[\"']\s*%", code)[-1]]
    if b".format(" in code:
        found.append(code.partition(b".format(")[2])
    if re.search(rb"\bf[\"']", code):
        found += re.findall(rb"\{([A-Za-z_][^{}]{0,100})\}", full)
    return found


def _query(call: Call) -> bool | Severity:
    if call.first & 2:
        return Severity.CRITICAL if call.first & 1 else Severity.HIGH
    return False


LANGUAGE = Language(
    sources=re.compile(rb"\brequest\.(?:args|form|values|json|data|GET|POST|cookies|headers|files|params)\b|\bself\.get_argument\("),
    assignment=re.compile(rb"(?:^|\n)[ \t]{0,60}([a-z_]\w{0,80})\s{0,4}\+?=(?!=)\s{0,4}"),
    dynamic=_dynamic,
    safe=re.compile(rb"\b(?:int|float|len|escape|quote|secure_filename|basename)\((?:[^()]|\([^()]{0,200}\)){0,400}\)"),
    rules=(
        rule(r"\.(?:execute|executemany|executescript|raw)\(", *w.QUERY, _query),
        rule(r"\bos\.(?:system|popen)\(|\bcommands\.getoutput\(", *w.COMMAND, command),
        rule(r"\bsubprocess\.\w+\(", *w.COMMAND, lambda call: command(call) if re.search(rb"shell\s*=\s*True", call.code) else False),
        rule(r"(?<![\w.])eval\(|(?<![\w.])exec(?:\(|\s)", *w.EVALUATED, evaluated),
        rule(r"(?<![\w.])open\(|\bsend_file\(", *w.PATH, remote),
        rule(r"\b(?:requests\.\w+|urlopen)\(", *w.ADDRESS, remote_first),
        rule(r"(?<![\w.])redirect\(", *w.REDIRECT, remote_first),
        rule(r"\bverify\s?=\s?(?=False)|\bCERT_NONE\b|\b_create_unverified_context\b", *w.UNVERIFIED),
        rule(r"\b(?:c?Pickle|pickle|marshal)\.loads?\(|\byaml\.load\((?![^)\n]{0,100}Safe)", *w.LOADED),
        rule(r"\b(?:hashlib\.)?(?:md5|sha1)(?:\.new)?\(", *w.BROKEN_HASH, lambda call: Severity.HIGH if re.search(rb"passw|token|secret", call.statement, re.IGNORECASE) else Severity.LOW),
        rule(r"\brandom\.\w+\(", *w.GUESSABLE, lambda call: re.search(rb"token|secret|password|otp|nonce|salt", call.statement, re.IGNORECASE) is not None),
        rule(r"\.run\((?=[^)\n]{0,200}debug\s?=\s?True)", *w.DEBUG),
    ),
)  # fmt: skip
