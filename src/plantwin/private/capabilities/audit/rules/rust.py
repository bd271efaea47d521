"""Rust."""

# ruff: noqa: E501 (one rule, one row)

from __future__ import annotations

import re

from plantwin.private.capabilities.audit import parts
from plantwin.private.capabilities.audit.lines import Call, Language, query, remote, remote_first, rule
from plantwin.private.capabilities.audit.rules import wording as w
from plantwin.vocabulary import OutcomeTag, Severity


def _shell(call: Call) -> bool | Severity:
    """`sh -c` with a text made from parts."""
    rest = call.file[call.match.end() : call.match.end() + 400].partition(b";")[0]
    if not re.match(rb"\s*\"(?:/bin/)?(?:sh|bash)\"", call.full):
        return Severity.CRITICAL if call.first & 1 else False
    return b"-c" in rest and b"format!(" in rest


LANGUAGE = Language(
    sources=re.compile(rb"\b(?:req|request)\.(?:query_string|headers|uri|match_info|param)\(|\bQuery\(\w*\)|\bparams\.(?:get|0)\b"),
    assignment=re.compile(rb"\blet (?:mut )?([a-z_]\w{0,80})(?:\s?:\s?[\w<>&', ]{1,60})?\s?=(?!=)\s{0,4}"),
    dynamic=parts.rust,
    safe=re.compile(rb"\.parse::<\w+>\(\)|\b(?:escape\w*|encode\w*)\((?:[^()]|\([^()]{0,200}\)){0,400}\)"),
    rules=(
        rule(r"\b(?:query|query_as|query_scalar|execute|prepare|query_row|batch_execute|sql_query|raw_sql|simple_query|query_one|query_opt|execute_batch)(?:::<[^>\n]{1,80}>)?\(", *w.QUERY, query),
        rule(r"\bCommand::new\(", *w.COMMAND, _shell),
        rule(r"\b(?:fs::(?:read|read_to_string|write|remove_file)|File::(?:open|create)|NamedFile::open\w*)\(", *w.PATH, remote),
        rule(r"\b(?:reqwest::get|client\.(?:get|post))\(", *w.ADDRESS, remote_first),
        rule(r"\bdanger_accept_invalid_certs\((?=\s?true)|\bdanger_accept_invalid_hostnames\((?=\s?true)|\bSslVerifyMode::NONE\b", *w.UNVERIFIED),
        rule(r"\binsecure_disable_signature_validation\(|\bdangerous_insecure_decode\w*\(|\binsecure_decode\(", *w.UNSIGNED),
        rule(r"\b(?:md5::compute|Md5::new|Sha1::new|Md5::digest|Sha1::digest)\(", *w.BROKEN_HASH, lambda call: Severity.HIGH if re.search(rb"passw|token|secret", call.file[max(0, call.match.start() - 300) : call.match.end() + 100], re.IGNORECASE) else Severity.LOW),
        rule(r"\bCorsLayer::(?:permissive|very_permissive)\(|\ballow_any_origin\(|\bCors::permissive\(", *w.ORIGINS),
        rule(r"\b\w{0,30}(?:signature|hmac|api_key|secret|password_hash)\s?[!=]=\s?(?=[a-z_&])", *w.TIMING, lambda call: re.search(rb"\b(?:hmac|sha2|axum|actix_web|rocket)::", call.file) is not None and not re.search(rb"\.len\(|None|Some", call.statement)),
        rule(rf"\b(?:info|debug|warn|error|println|trace)!\((?=[^;\n]{{0,300}}?,\s?(?:\w+\.)?{w.SHOWN_NEVER}\s?[,)])", *w.LOGGED),
        rule(r"\bmem::transmute(?:::<[^>\n]{1,80}>)?\(", Severity.LOW, OutcomeTag.MISSING_CHECK, "Memory is reinterpreted without a check", "Use a safe conversion."),
        rule(r"\.set_secure\((?=\s?false)|\.(?:http_only|secure)\((?=\s?false)", *w.COOKIE),
        rule(r"\bPreEscaped\(", *w.PAGE, remote),
    ),
)  # fmt: skip
