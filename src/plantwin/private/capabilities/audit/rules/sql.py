"""SQL scripts, migrations and procedures."""

# ruff: noqa: E501 (one rule, one row)

from __future__ import annotations

import re

from plantwin.private.capabilities.audit import parts
from plantwin.private.capabilities.audit.lines import Language, rule
from plantwin.vocabulary import OutcomeTag, Severity

_I = re.IGNORECASE
LANGUAGE = Language(
    sources=re.compile(rb"(?!x)x"),
    assignment=re.compile(rb"(?!x)x(y)"),
    dynamic=parts.braces,
    safe=re.compile(rb"(?!x)x"),
    rules=(
        rule(r"\bgrant\s{1,8}all(?:\s{1,8}privileges)?\s{1,8}on\b", Severity.MEDIUM, OutcomeTag.EXCESSIVE_PERMISSION, "All rights are granted", "Grant what is needed.", flags=_I),
        rule(r"\bgrant\b(?!\s{1,8}usage)[^;]{1,300}\bto\s{1,8}(?:public|anonymous|guest|''@)", Severity.MEDIUM, OutcomeTag.EXCESSIVE_PERMISSION, "Rights are granted to everyone", "Grant them to a role.", flags=_I),
        rule(r"\bwith\s{1,8}grant\s{1,8}option\b", Severity.LOW, OutcomeTag.EXCESSIVE_PERMISSION, "Rights may be passed on", "Leave the option out.", flags=_I),
        rule(r"\b(?:create|alter)\s{1,8}(?:user|role|login)\b[^;]{1,200}\b(?:superuser|sysadmin)\b", Severity.MEDIUM, OutcomeTag.EXCESSIVE_PERMISSION, "An account may do everything", "Give it the rights that it needs.", lambda call: b"nosuperuser" not in call.match[0].lower(), flags=_I),
        rule(r"\b(?:create|alter)\s{1,8}(?:user|role|login)\b[^;]{1,200}?(?:identified\s{1,8}by|password\s{0,4}=?)\s{0,8}(?='[^'\s]{3})", Severity.HIGH, OutcomeTag.HARDCODED_SECRET, "An account's password stands in the script", "Set it outside the script.", strings=True, flags=_I),
        rule(r"\bexec(?:ute)?(?:\s{1,4}immediate)?\s{0,4}\(?\s{0,4}(?='[^']{0,400}'\s{0,4}(?:\|\||\+)\s{0,4}@?\w)", Severity.HIGH, OutcomeTag.INJECTION, "A statement is put together from values and run", "Bind values: USING, or sp_executesql with parameters.", lambda call: not re.search(rb"quote_ident|quote_literal|QUOTENAME", call.statement, _I), strings=True, flags=_I),
        rule(r"\bxp_cmdshell\b|\bload_file\s{0,4}\(|\binto\s{1,8}outfile\b", Severity.HIGH, OutcomeTag.UNSAFE_EXECUTION, "The database runs programs or touches files", "Do it outside the database.", flags=_I),
        rule(r"\bmd5\s{0,4}\(\s{0,4}\w{0,30}passw", Severity.HIGH, OutcomeTag.WEAK_CRYPTO, "A password is hashed with a fast hash", "Hash it in the application with argon2 or bcrypt.", flags=_I),
        rule(r"(?:^|[(,\n])\s{0,40}\"?(?:password|passwd)\"?\s{1,20}(?:varchar|text|character varying|nvarchar|char)\b", Severity.LOW, OutcomeTag.WEAK_CRYPTO, "A column is named as if passwords stand in it in clear", "Store a slow hash, and name it so.", flags=_I),
        rule(r"\bdisable\s{1,8}row\s{1,8}level\s{1,8}security\b|\busing\s{0,4}\(\s{0,4}true\s{0,4}\)", Severity.MEDIUM, OutcomeTag.MISSING_CHECK, "Rows are not protected by owner", "State who may see them.", flags=_I),
    ),
)  # fmt: skip
