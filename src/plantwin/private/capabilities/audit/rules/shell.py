"""Shell scripts."""

# ruff: noqa: E501 (one rule, one row)

from __future__ import annotations

import re

from plantwin.private.capabilities.audit import parts
from plantwin.private.capabilities.audit.lines import Language, rule
from plantwin.private.capabilities.audit.rules import wording as w
from plantwin.vocabulary import OutcomeTag, Severity

LANGUAGE = Language(
    sources=re.compile(rb"\$\{?QUERY_STRING\b"),
    assignment=re.compile(rb"(?:^|\n)[ \t]{0,40}([a-zA-Z_]\w{0,80})=(?!=)"),
    dynamic=parts.shell,
    safe=re.compile(rb"\$\((?:printf %q|basename)[^)]{0,200}\)"),
    rules=(
        rule(r"(?:^|(?<=[\n;&|]))[ \t]{0,40}eval\s{1,4}(?=[^\n]{0,200}\$[\w{@*1-9])(?!\"?\$\((?:ssh-agent|[\w./-]+ (?:init|env|shellenv|hook|completion|activate)|dircolors|minikube|brew|docker-machine|direnv|pyenv|rbenv|opam))", Severity.MEDIUM, OutcomeTag.UNSAFE_EXECUTION, "Text that is not fixed is run as code", "Call the command directly, with quoted arguments.", strings=True),
        rule(r"\bcurl\b[^\n|;]{0,300}\|\s{0,4}(?:sudo\s{1,4})?(?:ba|z|da)?sh\b|\bwget\b[^\n|;]{0,300}\|\s{0,4}(?:sudo\s{1,4})?(?:ba|z|da)?sh\b|\b(?:ba)?sh\s{1,4}<\(\s?(?:curl|wget)\b", Severity.MEDIUM, OutcomeTag.UNSAFE_EXECUTION, "A script from the network is run unseen", "Download it, check its digest, then run it.", strings=True),
        rule(r"\bcurl\b[^\n|;&]{0,300}\s(?:-k|--insecure|-[a-zA-Z]{0,6}k[a-zA-Z]{0,6})(?=[\s\n]|$)|\bwget\b[^\n|;&]{0,300}--no-check-certificate\b|\bGIT_SSL_NO_VERIFY=(?:1|true)\b|\bhttp\.sslVerify[= ]false\b|\bNODE_TLS_REJECT_UNAUTHORIZED=0\b|\bPYTHONHTTPSVERIFY=0\b", *w.UNVERIFIED, strings=True),
        rule(r"\bStrictHostKeyChecking[= ]no\b", Severity.MEDIUM, OutcomeTag.DISABLED_VERIFICATION, "Unknown SSH hosts are trusted", "Ship a known_hosts file.", strings=True),
        rule(r"\bchmod\s{1,4}(?:-R\s{1,4})?(?:0?777|a\+rwx|ugo\+rwx)\b", Severity.MEDIUM, OutcomeTag.EXCESSIVE_PERMISSION, "Files get permissions for everyone", "Give the owner alone what is needed.", strings=True),
        rule(r"\brm\s{1,4}-[rRf]{2,3}\s{1,4}(?:--\s)?\$\{?\w{1,40}\}?/(?=[\s\n*]|$)", Severity.MEDIUM, OutcomeTag.MISSING_CHECK, "An empty variable would delete everything", "Write \"${NAME:?}/\".", strings=True),
        rule(r"\bmysql\b[^\n|;&]{0,200}\s-p(?=[\"']?[A-Za-z0-9!@#%]{4})|\bsshpass\s{1,4}-p\s{0,4}(?=[\"']?[A-Za-z0-9])", Severity.HIGH, OutcomeTag.HARDCODED_SECRET, "A password stands in a command", "Read it from a protected file.", strings=True),
        rule(r"\b(?:mysql|psql|sqlite3)\b[^\n|;&]{0,200}\s-[ec]\s{0,4}\"[^\"\n]{0,300}(?:select|insert|update|delete|where)[^\"\n]{0,300}\$[\w{]", *w.QUERY, strings=True, flags=re.IGNORECASE),
        rule(r"\becho\s{1,4}[\"'][^\"'\n]{0,120}\$\{?\w{0,30}(?:PASSWORD|SECRET|TOKEN|API_KEY)\w{0,10}\}?[^\n|>]{0,60}(?=\n|$)", Severity.MEDIUM, *w.LOGGED[1:], strings=True),
        rule(r"(?<=[>\s])/tmp/\w[\w.-]{0,60}(?=[\s\n;\"']|$)(?<!XXXXXX)", Severity.LOW, OutcomeTag.MISSING_CHECK, "A file with a fixed name lies in a folder that everyone can write to", "Use mktemp.", lambda call: re.search(rb">\s*/tmp/", call.statement) is not None and b"mktemp" not in call.statement, strings=True),
        rule(r"\bset\s{1,4}-[a-wyz]{0,4}x\b(?=[\s\S]{0,4000}(?:PASSWORD|SECRET|TOKEN))", Severity.LOW, OutcomeTag.SENSITIVE_LOGGING, "Every command is printed, with its secrets", "Turn tracing off around them."),
    ),
)  # fmt: skip
