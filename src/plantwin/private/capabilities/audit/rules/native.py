"""C and C++."""

# ruff: noqa: E501 (one rule, one row)

from __future__ import annotations

import re
from collections.abc import Callable

from plantwin.private.capabilities.audit import parts
from plantwin.private.capabilities.audit.lines import Call, Language, command, query, rule
from plantwin.private.capabilities.audit.rules import wording as w
from plantwin.vocabulary import OutcomeTag, Severity

_FORMAT = "Text that is not fixed is used as a format"


def _format(position: int) -> Callable[[Call], bool]:
    def where(call: Call) -> bool:
        arguments = [each.strip() for each in call.code.split(b",")]
        return (
            len(arguments) == position + 1
            and re.fullmatch(rb"[a-z_]\w*(?:(?:->|\.)\w+|\[\w+\])*", arguments[position]) is not None
        )

    return where


def _copied(call: Call) -> bool:
    """A copy of a text that is not a literal."""
    second = call.full.partition(b",")[2].strip()
    return not second.startswith((b'"', b"'")) and not re.fullmatch(rb"[A-Z][A-Z0-9_]+", second)


def _printed(call: Call) -> bool:
    return b"%s" in call.full


LANGUAGE = Language(
    sources=re.compile(rb"\bgetenv\(|\bargv\[|\brecv\("),
    assignment=re.compile(rb"(?<![\w.!<>=])([a-z_]\w{0,80})\s{0,4}\+?=(?![=>])\s{0,4}"),
    dynamic=parts.braces,
    safe=re.compile(rb"\b(?:atoi|strtol|std::stoi|sizeof|strlen)\((?:[^()]|\([^()]{0,200}\)){0,400}\)"),
    rules=(
        rule(r"(?<![\w.:>])gets\(", Severity.CRITICAL, OutcomeTag.MISSING_CHECK, "gets writes past its buffer", "Use fgets."),
        rule(r"(?<![\w.:>])(?:std::)?(?:strcpy|strcat|stpcpy)\(", Severity.MEDIUM, OutcomeTag.MISSING_CHECK, "A text is copied without looking at the room for it", "Use snprintf or strlcpy with the buffer's size.", _copied),
        rule(r"(?<![\w.:>])v?sprintf\(", Severity.MEDIUM, OutcomeTag.MISSING_CHECK, "A text is printed without looking at the room for it", "Use snprintf.", _printed),
        rule(r"(?<![\w.:>])(?:f|s)?scanf\((?=[^;\n]{0,100}\"[^\"\n]{0,60}%s)", Severity.HIGH, OutcomeTag.MISSING_CHECK, "A text is read without looking at the room for it", "Give a width, as in %63s.", strings=True),
        rule(r"(?<![\w.:>])printf\(", Severity.HIGH, OutcomeTag.INJECTION, _FORMAT, "Print it with \"%s\".", _format(0)),
        rule(r"(?<![\w.:>])(?:fprintf|syslog|sprintf)\(", Severity.HIGH, OutcomeTag.INJECTION, _FORMAT, "Print it with \"%s\".", _format(1)),
        rule(r"(?<![\w.:>])(?:system|popen)\(", *w.COMMAND, lambda call: command(call) or (Severity.MEDIUM if re.match(rb"\s*[a-z_]\w*", call.full) else False)),
        rule(r"\b(?:mysql_query|sqlite3_exec|PQexec|mysql_real_query)\(", *w.QUERY, lambda call: query(call._replace(first=call.flow))),
        rule(r"(?<![\w.:>])(?:tmpnam|mktemp|tempnam)\(", Severity.MEDIUM, OutcomeTag.MISSING_CHECK, "A temporary name leaves a gap in which another can create the file", "Use mkstemp."),
        rule(r"\bCURLOPT_SSL_VERIFY(?:PEER|HOST)\s?,\s?(?=0L?\b|false)|\bSSL_VERIFY_NONE\b", *w.UNVERIFIED),
        rule(r"\b(?:MD5|SHA1)(?:_Init|_Update)?\(|\bEVP_(?:md5|sha1)\(", *w.BROKEN_HASH, lambda call: Severity.HIGH if re.search(rb"passw|token|secret", call.file[max(0, call.match.start() - 300) : call.match.end() + 100], re.IGNORECASE) else Severity.LOW),
        rule(r"\b(?:DES_\w+|EVP_des_\w+|EVP_rc4|EVP_aes_\d+_ecb)\(", *w.BROKEN_CIPHER),
        rule(r"(?<![\w.:>])s?rand(?:om)?\(", *w.GUESSABLE, lambda call: re.search(rb"token|secret|password|nonce|session_?id|api_?key|salt", call.statement, re.IGNORECASE) is not None),
        rule(r"(?<![\w.:>])(?:strcmp|memcmp)\((?=[^;)\n]{0,60}(?:password|secret|hmac|signature|token))", Severity.LOW, *w.TIMING[1:], flags=re.IGNORECASE),
        rule(r"(?<![\w.:>])alloca\((?=\s?[a-z_])", Severity.LOW, OutcomeTag.MISSING_CHECK, "The stack grows by a size that is not fixed", "Use the heap, with a limit."),
        rule(r"(?<![\w.:>])chmod\((?=[^;)\n]{0,120},\s?0777\b)|(?<![\w.:>])umask\((?=\s?0+\s?\))", Severity.MEDIUM, OutcomeTag.EXCESSIVE_PERMISSION, "Files get permissions for everyone", "Give the owner alone what is needed."),
    ),
)  # fmt: skip
