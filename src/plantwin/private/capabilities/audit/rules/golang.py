"""Go."""

# ruff: noqa: E501 (one rule, one row)

from __future__ import annotations

import re

from plantwin.private.capabilities.audit import parts
from plantwin.private.capabilities.audit.lines import Call, Language, command, query, remote, rule
from plantwin.private.capabilities.audit.rules import wording as w
from plantwin.vocabulary import OutcomeTag, Severity


def _random(call: Call) -> bool:
    around = call.file[max(0, call.match.start() - 300) : call.match.end() + 100]
    return (
        b'"math/rand' in call.file
        and re.search(rb"token|secret|password|otp|nonce|session|apikey|salt", around, re.IGNORECASE) is not None
    )


def _hash(call: Call) -> bool | Severity:
    around = call.file[max(0, call.match.start() - 300) : call.match.end() + 200]
    return Severity.HIGH if re.search(rb"passw|secret|token", around, re.IGNORECASE) else Severity.LOW


def _shell(call: Call) -> bool | Severity:
    if re.match(rb"\s*(?:ctx\s*,\s*)?\"(?:/bin/)?(?:sh|bash)\"\s*,\s*\"-c\"", call.full):
        if call.flow & 1:
            return Severity.CRITICAL
        return Severity.HIGH if call.flow & 4 else False
    return Severity.CRITICAL if call.first & 1 else False


def _cookie(call: Call) -> bool:
    named = re.search(rb"Name:\s*\"\w{0,20}(?:session|token|auth|jwt|sid)\w{0,20}\"", call.full, re.IGNORECASE)
    flat = call.code.replace(b" ", b"")
    return named is not None and not (b"HttpOnly:true" in flat and b"Secure:" in flat and b"Secure:false" not in flat)


LANGUAGE = Language(
    sources=re.compile(
        rb"\b(?:r|req|request)\.(?:URL\.Query\(\)|FormValue\(|PostFormValue\(|Header\.Get\(|PathValue\(|Form\b|PostForm\b|Cookie\()"
        rb"|\bc\.(?:Query|Param|PostForm|DefaultQuery|GetHeader|QueryParam|FormValue|Params|Cookies|Query)\(|\bmux\.Vars\(|\bchi\.URLParam\("
    ),
    assignment=re.compile(rb"(?:^|[\n;{(]|\bvar )[ \t]{0,40}([a-zA-Z_]\w{0,80})(?:,\s?\w{1,80}){0,3}(?:\s\w{1,20})?\s{0,4}(?::=|\+=|=(?!=))\s{0,4}"),
    dynamic=parts.golang,
    safe=re.compile(
        rb"\b(?:strconv\.\w+|filepath\.Base|path\.Base|html\.EscapeString|template\.\w*Escape\w*|url\.\w+Escape|uuid\.\w+|len|pq\.Quote\w+)"
        rb"\((?:[^()]|\([^()]{0,200}\)){0,400}\)"
    ),
    rules=(
        rule(r"\.(?:Query|QueryRow|Exec|Prepare|Raw|Get|Select|NamedExec|MustExec)\(", *w.QUERY, query),
        rule(r"\.(?:QueryContext|QueryRowContext|ExecContext|PrepareContext|SelectContext|GetContext)\(", *w.QUERY, lambda call: Severity.HIGH if call.flow & 2 else False),
        rule(r"\bexec\.Command(?:Context)?\(", *w.COMMAND, _shell),
        rule(r"\bsyscall\.Exec\(", *w.COMMAND, command),
        rule(r"\b(?:os\.(?:Open|OpenFile|ReadFile|Create|Remove|RemoveAll|WriteFile)|ioutil\.(?:ReadFile|WriteFile)|http\.ServeFile)\(|\bc\.File\(", *w.PATH, remote),
        rule(r"\bhttp\.(?:Get|Post|PostForm|Head|NewRequest|NewRequestWithContext)\(|\b(?:client|httpClient)\.(?:Get|Post|Head)\(", *w.ADDRESS, lambda call: remote(call) and not re.search(rb"\"https?://[^/\"]+/", call.full)),
        rule(r"\bhttp\.Redirect\(|\bc\.Redirect\(", *w.REDIRECT, lambda call: remote(call) and not re.search(rb",\s*\"/(?!/)", call.full)),
        rule(r"\bfmt\.Fprint(?:f|ln)?\(", *w.PAGE, lambda call: remote(call) and b"<" in call.full and re.match(rb"\s*(?:w|rw|writer|res)\b", call.code) is not None),
        rule(r"\btemplate\.(?:HTML|JS|URL)\(", *w.PAGE, remote),
        rule(r"\bInsecureSkipVerify\s{0,8}:\s{0,8}(?=true)|\bInsecureSkipVerify\s{0,4}=\s{0,4}(?=true)", *w.UNVERIFIED),
        rule(r"\bssh\.InsecureIgnoreHostKey\(", Severity.HIGH, OutcomeTag.DISABLED_VERIFICATION, "Unknown SSH hosts are trusted", "Check against known hosts."),
        rule(r"\bMinVersion\s{0,8}:\s{0,8}tls\.Version(?:SSL30|TLS10|TLS11)\b", Severity.MEDIUM, OutcomeTag.WEAK_CRYPTO, "An old version of TLS is accepted", "Ask for TLS 1.2 or later."),
        rule(r"\b(?:md5|sha1)\.(?:New|Sum)\(", *w.BROKEN_HASH, _hash),
        rule(r"\b(?:des|rc4)\.New\w*\(", *w.BROKEN_CIPHER),
        rule(r"\brand\.(?:Intn|Int|Int63|Int31n|Read|Uint32|Uint64|Float64|IntN)\(", *w.GUESSABLE, _random),
        rule(r"\bParseUnverified\(", *w.UNSIGNED),
        rule(r"\bjwt\.SigningMethodNone\b|\bUnsafeAllowNoneSignatureType\b", Severity.CRITICAL, *w.UNSIGNED[1:]),
        rule(r"\b\w{0,30}(?:[sS]ignature|[hH]mac|[aA]piKey|[sS]ecret|[mM]ac|passwordHash)\s?[!=]=\s?(?=[A-Za-z_])(?!nil\b)", *w.TIMING, lambda call: re.search(rb"crypto/hmac|net/http|crypto/sha", call.file) is not None and b"len(" not in call.statement),
        rule(r"\"Access-Control-Allow-Origin\"\s?,\s?(?=\"\*\")|\bAllowOrigins\s?:\s?\[\]string\{(?=\s?\"\*\")|\bAllowAllOrigins\s?[:=]\s?(?=true)", *w.ORIGINS, strings=True),
        rule(r"\bhttp\.Cookie\{", *w.COOKIE, _cookie),
        rule(rf"\b(?:log|logger|slog)\.(?:Print|Printf|Println|Info|Infof|Debug|Debugf|Warn|Error|Errorf)\((?=[^;\n]{{0,300}}?,\s?(?:\w+\.)?{w.SHOWN_NEVER}\s?[,)])", *w.LOGGED, flags=re.IGNORECASE),
        rule(r"\bgob\.NewDecoder\(", Severity.MEDIUM, *w.LOADED[1:], lambda call: re.search(rb"\br(?:eq|equest)?\.Body", call.code) is not None),
        rule(r"_ \"net/http/pprof(?=\")", Severity.LOW, OutcomeTag.EXPOSED_SERVICE, "Profiling is served to everyone who reaches the port", "Serve it on another, internal port.", strings=True),
        rule(r"\bos\.(?:Chmod|MkdirAll|WriteFile|OpenFile)\((?=[^)\n]{0,200},\s?0o?777\b)", Severity.MEDIUM, OutcomeTag.EXCESSIVE_PERMISSION, "A file gets permissions for everyone", "Give the owner alone what is needed."),
    ),
)  # fmt: skip
