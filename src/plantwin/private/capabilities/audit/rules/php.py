"""PHP."""

# ruff: noqa: E501 (one rule, one row)

from __future__ import annotations

import re

from plantwin.private.capabilities.audit import parts
from plantwin.private.capabilities.audit.lines import BUILT, QUERY, REMOTE, Call, Language, remote, remote_first, rule
from plantwin.private.capabilities.audit.rules import wording as w
from plantwin.vocabulary import OutcomeTag, Severity


def _query(call: Call) -> bool | Severity:
    if call.flow & QUERY:
        return Severity.CRITICAL if call.flow & REMOTE else Severity.HIGH
    return False


def _command(call: Call) -> bool | Severity:
    if call.flow & REMOTE:
        return Severity.CRITICAL
    return Severity.HIGH if call.flow & BUILT else False


def _purpose(call: Call) -> bool:
    return (
        re.search(rb"token|secret|passw|otp|nonce|session|api_?key|salt|csrf|reset", call.statement, re.IGNORECASE)
        is not None
    )


LANGUAGE = Language(
    sources=re.compile(
        rb"\$_(?:GET|POST|REQUEST|COOKIE|FILES|SERVER\[['\"]?(?:HTTP_|QUERY_STRING|REQUEST_URI|PHP_SELF))|\$request->(?:input|query|get|post|all|header|"
        rb"cookie|route|request|getParam|getQueryParams)\b|\bInput::get\(|\bphp://input|\brequest\(\)->"
    ),
    assignment=re.compile(rb"(\$[A-Za-z_]\w{0,80})\s{0,4}[.+]?=(?![=>])\s{0,4}"),
    dynamic=parts.php,
    safe=re.compile(
        rb"\b(?:intval|floatval|htmlspecialchars|htmlentities|escapeshellarg|escapeshellcmd|basename|mysqli_real_escape_string|"
        rb"real_escape_string|quote|urlencode|rawurlencode|filter_var|filter_input|ctype_\w+|strip_tags|count|strlen|md5|sha1|hash|"
        rb"password_hash|esc_\w+|sanitize_\w+|absint|wp_kses\w*|prepare|e)\((?:[^()]|\([^()]{0,200}\)){0,400}\)|\(int\)\s?\$[\w\[\]'\">-]{1,80}"
    ),
    rules=(
        rule(r"\b(?:mysqli_query|mysql_query|pg_query|sqlite_query|mysqli_multi_query|odbc_exec)\(|->(?:query|exec|multi_query|prepare|get_results|get_row|get_var|whereRaw|selectRaw|orderByRaw|select|statement)\(|\bDB::(?:select|statement|raw|insert|update|delete|unprepared)\(", *w.QUERY, _query),
        rule(r"(?<![\w>$:])(?:exec|shell_exec|system|passthru|popen|proc_open|pcntl_exec)\(", *w.COMMAND, _command),
        rule(r"(?<![\w>$:])(?:eval|create_function)\(|(?<![\w>$:])assert\((?=\s?[\"$])", *w.EVALUATED, lambda call: Severity.CRITICAL if remote(call) else (Severity.MEDIUM if b"$" in call.full else False)),
        rule(r"(?<![\w>$:])(?:include|include_once|require|require_once)\b\s?\(?", Severity.CRITICAL, OutcomeTag.PATH_TRAVERSAL, "The request chooses which code is loaded", "Choose from a fixed list.", remote),
        rule(r"(?<![\w>$:])(?:fopen|readfile|file_put_contents|unlink|file|copy|rename)\(|\bmove_uploaded_file\((?=[^;]{0,200},)", *w.PATH, lambda call: remote(call) if b"move_uploaded" not in call.match[0] else b"['name']" in call.full.replace(b'"', b"'") and b"basename" not in call.full),
        rule(r"(?<![\w>$:])file_get_contents\(", *w.PATH, lambda call: remote_first(call) and b"php://" not in call.full),
        rule(r"\bcurl_init\(|\bCURLOPT_URL\s?,\s?", *w.ADDRESS, remote),
        rule(r"(?<![\w>$:])header\((?=\s?[\"']Location)", *w.REDIRECT, lambda call: remote(call) and not re.match(rb"\s*[\"']Location:\s*/(?!/)", call.full), strings=True),
        rule(r"(?<![\w>$:])(?:echo|print)\b\s?\(?", *w.PAGE, remote),
        rule(r"<\?=\s?", *w.PAGE, remote),
        rule(r"(?<![\w>$:])unserialize\(", *w.LOADED, lambda call: Severity.CRITICAL if remote(call) else (False if b"allowed_classes" in call.full else Severity.MEDIUM)),
        rule(r"(?<![\w>$:])extract\((?=\s?\$_(?:GET|POST|REQUEST))|(?<![\w>$:])parse_str\((?=[^,)]{0,100}\))", *w.MASS),
        rule(r"\bprotected\s{1,4}\$guarded\s?=\s?\[(?=\s?\])|::(?:create|update)\((?=\s?\$request->all\(\))|->(?:fill|update)\((?=\s?\$request->all\(\))", *w.MASS),
        rule(r"\bCURLOPT_SSL_VERIFY(?:PEER|HOST)\s?(?:,|=>)\s?(?=false|0\b|FALSE)|[\"']verify(?:_peer|_peer_name)?[\"']\s?=>\s?(?=false)", *w.UNVERIFIED, strings=True),
        rule(r"(?<![\w>$:])(?:md5|sha1)\(", *w.BROKEN_HASH, lambda call: Severity.HIGH if re.search(rb"passw|pwd|token|secret", call.statement, re.IGNORECASE) else False),
        rule(r"\bmcrypt_\w+\(|\bopenssl_encrypt\((?=[^;]{0,200}[\"'](?:des|rc4|[\w-]{0,20}ecb))", *w.BROKEN_CIPHER, strings=True, flags=re.IGNORECASE),
        rule(r"(?<![\w>$:])(?:rand|mt_rand|uniqid|lcg_value|str_shuffle|array_rand)\(", *w.GUESSABLE, _purpose),
        rule(r"\$\w{0,30}(?:signature|hmac|apiKey|api_key|secret|hash|token)\s?[!=]==?\s?(?=\$)", *w.TIMING, lambda call: re.search(rb"hash_hmac|md5\(|sha1\(|hash\(|\$_(?:GET|POST|SERVER)|getallheaders", call.file) is not None, flags=re.IGNORECASE),
        rule(r"(?<![\w>$:])header\((?=\s?[\"']Access-Control-Allow-Origin:\s?\*)", *w.ORIGINS, strings=True),
        rule(r"(?<![\w>$:])setcookie\((?=\s?[\"']\w{0,20}(?:session|token|auth|remember)\w{0,20}[\"'])", *w.COOKIE, lambda call: call.code.count(b",") < 6 and b"httponly" not in call.full.lower(), strings=True, flags=re.IGNORECASE),
        rule(r"\bini_set\((?=\s?[\"']display_errors[\"']\s?,\s?(?:1|[\"'](?:1|on)|true))|(?<![\w>$:])phpinfo\(|\bdefine\((?=\s?[\"']WP_DEBUG[\"']\s?,\s?true)", Severity.LOW, *w.DEBUG[1:], strings=True, flags=re.IGNORECASE),
        rule(r"\bJWT::decode\(", *w.UNSIGNED, lambda call: re.search(rb"[\"']none[\"']|,\s*null\b", call.full) is not None),
        rule(r"(?<![\w>$:])(?:error_log|syslog)\((?=[^;\n]{0,200}\$\w{0,20}(?:password|passwd|secret|card_number|cvv))|->(?:info|debug|error|warning)\((?=[^;\n]{0,200}\$\w{0,20}(?:password|passwd|secret|card_number|cvv))", *w.LOGGED, strings=True, flags=re.IGNORECASE),
        rule(r"\bsimplexml_load_string\((?=[^;]{0,200}LIBXML_NOENT)|\blibxml_disable_entity_loader\((?=\s?false)|->loadXML\((?=[^;]{0,200}LIBXML_NOENT)", *w.ENTITIES),
        rule(r"(?<![\w>$:])chmod\((?=[^;)]{0,200},\s?0?777\b)", Severity.MEDIUM, OutcomeTag.EXCESSIVE_PERMISSION, "A file gets permissions for everyone", "Give the owner alone what is needed."),
    ),
)  # fmt: skip
