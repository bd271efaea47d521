"""Ruby."""

# ruff: noqa: E501 (one rule, one row)

from __future__ import annotations

import re

from plantwin.private.capabilities.audit import parts
from plantwin.private.capabilities.audit.lines import Call, Language, command, remote, remote_first, rule
from plantwin.private.capabilities.audit.rules import wording as w
from plantwin.vocabulary import OutcomeTag, Severity


def _where(call: Call) -> bool | Severity:
    """A condition with a value inside its text."""
    inside = parts.ruby(b"", call.full)
    if not inside or not re.match(rb"\s*\(?\s*\"", call.full):
        return False
    return Severity.CRITICAL if call.flow & 1 or b"params" in b" ".join(inside) else Severity.HIGH


def _shell(call: Call) -> bool | Severity:
    return command(call) if re.match(rb"\s*[\"'`%]|\s*\w+\s*$", call.full) else False


_S = re.compile(
    rb"\bparams(?:\[|\.(?:fetch|require|permit!|to_unsafe_h|dig)\b)|\brequest\.(?:params|headers|body|referer|GET|POST)\b|\bcookies\["
)
LANGUAGE = Language(
    sources=_S,
    assignment=re.compile(rb"(?:^|\n)[ \t]{0,60}(@{0,2}[a-z_]\w{0,80})\s{0,4}(?:\|\||\+)?=(?![=>~])\s{0,4}"),
    dynamic=parts.ruby,
    safe=re.compile(
        rb"\b(?:Integer|Float|sanitize\w*|h|escape\w*|Shellwords\.escape|shellescape|File\.basename|ERB::Util\.\w+|CGI\.escape\w*|"
        rb"url_for|\w+_path|\w+_url|quote\w*)\((?:[^()]|\([^()]{0,200}\)){0,400}\)|[\w\[\]:.\"']{1,80}\.to_[if]\b"
    ),
    rules=(
        rule(r"\.(?:where|find_by_sql|order|having|joins|select|group|pluck|exists\?|delete_all|update_all|from|execute|exec_query|select_all|exec|query)\b[ (]", *w.QUERY, _where),
        rule(r"(?<![\w.])(?:Kernel\.)?(?:system|exec|spawn)[ (]|\bIO\.popen\(|\bOpen3\.\w+\(", *w.COMMAND, _shell),
        rule(r"(?<![\w.\"'])%x[({\[]", *w.COMMAND, remote),
        rule(r"`(?=[^`\n]{0,300}#\{)", *w.COMMAND, lambda call: Severity.HIGH, strings=True),
        rule(r"(?<![\w.])eval[ (]|\b(?:instance_eval|class_eval)\(|\.(?:constantize|safe_constantize)\b", *w.EVALUATED, lambda call: (Severity.CRITICAL if b"constantize" not in call.match[0] else Severity.HIGH) if remote(call) or _S.search(call.statement) else False),
        rule(r"\.(?:send|public_send|__send__)\(", *w.EVALUATED, lambda call: Severity.HIGH if remote_first(call) else False),
        rule(r"\b(?:File\.(?:open|read|new|delete|write|readlines)|IO\.read|FileUtils\.\w+|send_file)[ (]", *w.PATH, remote),
        rule(r"\b(?:Net::HTTP\.(?:get|post|get_response)|URI\.open|HTTParty\.\w+|Faraday\.\w+|RestClient\.\w+|open-uri)[ (]", *w.ADDRESS, lambda call: remote(call) and not re.search(rb"\"https?://[^/\"#]+/", call.full)),
        rule(r"\bredirect_to[ (]", *w.REDIRECT, lambda call: re.match(rb"\s*\(?\s*params(?:\[|\.)", call.full) is not None or (remote(call) and re.match(rb"\s*\w+\s*$", call.full) is not None)),
        rule(r"\.html_safe\b|(?<![\w.])raw[ (]", Severity.MEDIUM, *w.PAGE[1:], lambda call: remote(call) or _S.search(call.statement) is not None),
        rule(r"\brender\s?\(?\s?inline:\s?", *w.PAGE, lambda call: remote(call)),
        rule(r"\.permit!", *w.MASS),
        rule(r"\.(?:new|create!?|update!?|update_attributes|assign_attributes)\((?=\s?params\[:\w+\]\s?\))", *w.MASS),
        rule(r"\bMarshal\.load\(|\bYAML\.(?:unsafe_load|load)\(|\bOj\.load\(", *w.LOADED, lambda call: (Severity.CRITICAL if remote(call) else Severity.MEDIUM) if b"YAML.load" not in call.match[0] or b"permitted_classes" not in call.code else False),
        rule(r"\bVERIFY_NONE\b|\bverify:\s?(?=false)|\bverify_ssl:\s?(?=false|OpenSSL::SSL::VERIFY_NONE)", *w.UNVERIFIED, lambda call: b"jwt" not in call.statement.lower()),
        rule(r"\bJWT\.decode\(", *w.UNSIGNED, lambda call: re.search(rb",\s*nil\s*,\s*false|,\s*false\b|[\"']none[\"']", call.full) is not None),
        rule(r"\bskip_before_action\s{1,4}:(?:verify_authenticity_token|authenticate\w*)|\bprotect_from_forgery\s{1,4}with:\s?:null_session(?=\b)", Severity.MEDIUM, OutcomeTag.MISSING_CHECK, "A check that guards other actions is skipped here", "Keep it, or check otherwise."),
        rule(r"\bDigest::(?:MD5|SHA1)\b", *w.BROKEN_HASH, lambda call: Severity.HIGH if re.search(rb"passw|token|secret", call.statement, re.IGNORECASE) else Severity.LOW),
        rule(r"\b(?:rand|Random\.rand|Random\.new)\b[ (]?", *w.GUESSABLE, lambda call: b"SecureRandom" not in call.statement and re.search(rb"token|secret|password|otp|nonce|api_key|salt", call.statement, re.IGNORECASE) is not None),
        rule(r"\b\w{0,30}(?:signature|hmac|api_key|secret|token|digest)\s?[!=]=\s?(?=[a-z_@])(?!nil\b)", *w.TIMING, lambda call: re.search(rb"OpenSSL|params|request\.headers|authenticate", call.file) is not None and not re.search(rb"\.(?:size|length|type)\b", call.statement)),
        rule(r"\borigins\s?\(?\s?(?=[\"']\*[\"'])|[\"']Access-Control-Allow-Origin[\"']\]?\s?=>?\s?(?=[\"']\*)", *w.ORIGINS, strings=True),
        rule(rf"\b(?:logger|Rails\.logger|log)\.(?:info|debug|warn|error)[ (](?=[^\n]{{0,200}}?#\{{[^}}]{{0,60}}{w.SHOWN_NEVER}\b)", *w.LOGGED, strings=True),
        rule(r"\bhttp_basic_authenticate_with\b(?=[^\n]{0,200}password:\s?[\"'])", Severity.HIGH, OutcomeTag.HARDCODED_SECRET, "A password is written into the code", "Read it from the environment.", strings=True),
        rule(r"\bconfig\.force_ssl\s?=\s?(?=false)", Severity.MEDIUM, OutcomeTag.INSECURE_SETTING, "Requests may travel unencrypted", "Turn it on."),
        rule(r"\bconfig\.consider_all_requests_local\s?=\s?(?=true)", *w.DEBUG),
    ),
)  # fmt: skip
