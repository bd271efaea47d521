"""JavaScript and TypeScript, in browsers and on servers."""

# ruff: noqa: E501 (one rule, one row)

from __future__ import annotations

import re

from plantwin.private.capabilities.audit import parts
from plantwin.private.capabilities.audit.lines import (
    BUILT,
    REMOTE,
    Call,
    Language,
    command,
    evaluated,
    query,
    remote,
    remote_first,
    rule,
)
from plantwin.private.capabilities.audit.rules import wording as w
from plantwin.vocabulary import OutcomeTag, Severity

_ORIGIN = re.compile(rb"\s*[\"'`](?:https?://[^/\"'`$]+[/?]|/(?![/\\]))")
_SECURITY = re.compile(rb"\b(?:crypto|jsonwebtoken|express|passport|bcrypt|jose|koa|fastify|createHmac|createHash)\b")


def _free_start(call: Call) -> bool:
    """From the request, and no fixed start says which host."""
    return bool(call.first & REMOTE) and not _ORIGIN.match(call.full)


def _html(call: Call) -> bool | Severity:
    """HTML made from values: an interpolation or a variable, not a fixed text, a number or an escaped value."""
    if call.flow & REMOTE:
        return Severity.HIGH
    if re.search(rb"escape|sanitiz|DOMPurify|encodeHTML|\.size\b|\.length\b", call.full):
        return False
    return Severity.MEDIUM if call.flow & BUILT else False


def _cookie(call: Call) -> bool:
    flags = call.full.replace(b" ", b"")
    signs_in = re.search(rb"[\"'](?:\w*(?:session|token|auth|jwt|sid)\w*)[\"']", call.full[:80], re.IGNORECASE)
    return (
        bool(signs_in)
        and not (b"httpOnly:true" in flags and re.search(rb"secure:(?!false)", flags))
        and b"..." not in flags
    )


def _random(call: Call) -> bool:
    return (
        re.search(
            rb"token|secret|password|otp|nonce|session_?id|api_?key|salt|csrf|reset", call.statement, re.IGNORECASE
        )
        is not None
    )


def _hash(call: Call) -> bool | Severity:
    return Severity.HIGH if re.search(rb"passw|pwd|token|secret", call.statement, re.IGNORECASE) else Severity.LOW


def _compared(call: Call) -> bool:
    return _SECURITY.search(call.file) is not None and not re.search(rb"typeof|\.length|null|undefined", call.statement)


def _cors(call: Call) -> bool | Severity:
    flat = call.full.replace(b" ", b"")
    if b'origin:"*"' in flat.replace(b"'", b'"') or b"origin:true" in flat:
        return Severity.HIGH if b"credentials:true" in flat else Severity.MEDIUM
    return Severity.LOW if not flat.strip() else False


LANGUAGE = Language(
    sources=re.compile(
        rb"\b(?:req|request|ctx|ctx\.request|event)\.(?:query|body|params|headers|cookies|files|queryStringParameters|"
        rb"pathParameters|param|nextUrl)\b|\b(?:req|request)\.(?:get|header)\(|\blocation\.(?:hash|search|href)\b"
        rb"|\bdocument\.(?:URL|referrer|cookie)\b|\bsearchParams\.get\(|\bwindow\.name\b|\bURLSearchParams\("
    ),
    assignment=re.compile(rb"(?:^|[;{(,\s])(?:const|let|var)?\s{0,4}([A-Za-z_$][\w$]{0,80})(?:\s?:\s?[\w<>\[\]., |]{1,60})?\s{0,4}\+?=(?![=>])\s{0,4}"),
    dynamic=parts.script,
    safe=re.compile(
        rb"\b(?:parseInt|Number|parseFloat|Boolean|encodeURIComponent|encodeURI|escape\w*|DOMPurify\.sanitize|sanitize\w*|"
        rb"path\.basename|basename|validator\.\w+|mysql\.escape|connection\.escape|pool\.escape|escapeId|JSON\.stringify|"
        rb"shellescape|quote|crypto\.\w+|hash\w*)\((?:[^()]|\([^()]{0,200}\)){0,400}\)|[\w.\[\]]{1,80}\.length\b"
    ),
    rules=(
        rule(r"\.(?:query|execute|raw|\$queryRawUnsafe|\$executeRawUnsafe|all|get|run|exec|prepare|whereRaw|orderByRaw)\s{0,4}\(", *w.QUERY, query),
        rule(r"(?<![\w.])(?:child_process\.|cp\.)?(?:exec|execSync)\(", *w.COMMAND, command),
        rule(r"\bspawn(?:Sync)?\(", *w.COMMAND, lambda call: command(call) if re.search(rb"shell\s*:\s*true", call.code) else remote_first(call)),
        rule(r"(?<![\w.$])eval\(|\bnew Function\(|\bvm\.runIn\w+\(", *w.EVALUATED, evaluated),
        rule(r"(?<![\w.])set(?:Timeout|Interval)\((?=\s*[\"'`])", *w.EVALUATED, lambda call: bool(call.first & BUILT)),
        rule(r"\b(?:fs|fsp|fs\.promises)\.(?:readFile|readFileSync|createReadStream|writeFile|writeFileSync|unlink|unlinkSync|createWriteStream|readdir|rm)\(|\.(?:sendFile|download)\(", *w.PATH, lambda call: remote_first(call) and b"root:" not in call.code.replace(b" ", b"")),
        rule(r"(?<![\w.])(?:fetch|axios|got|needle|superagent)\(|\b(?:axios|got|https?|request|needle|superagent)\.(?:get|post|put|delete|request|head)\(", *w.ADDRESS, lambda call: _free_start(call) and not re.search(rb"\blocation\b|\bwindow\b", call.full)),
        rule(r"\b(?:res|response|reply|ctx)\.redirect\(", *w.REDIRECT, lambda call: call.flow & REMOTE != 0 and not _ORIGIN.match(call.full)),
        rule(r"\b(?:window\.)?location(?:\.href)?\s?=(?!=)\s?", *w.REDIRECT, _free_start),
        rule(r"\.(?:innerHTML|outerHTML)\s?\+?=(?!=)\s?|\.insertAdjacentHTML\(|\bdocument\.write(?:ln)?\(", Severity.MEDIUM, OutcomeTag.INJECTION, "HTML is put together from values", "Use textContent, or escape each value.", _html),
        rule(r"\bdangerouslySetInnerHTML=\{", Severity.MEDIUM, OutcomeTag.INJECTION, "React is told to put HTML into the page as it is", "Let React render it, or sanitize it first.", lambda call: not re.search(rb"sanitiz|DOMPurify|escape|JSON\.stringify", call.full)),
        rule(r"\b(?:res|response)\.(?:send|write|end)\(", *w.PAGE, lambda call: remote(call) and b"<" in call.full),
        rule(r"\bObject\.assign\(", *w.MASS, lambda call: re.search(rb"\b(?:req|request)\.body\s*$", call.code) is not None and not re.match(rb"\s*\{\s*\}", call.code)),
        rule(r"\.(?:create|update|findByIdAndUpdate|findOneAndUpdate|updateOne|insertOne|build)\(", *w.MASS, lambda call: re.search(rb"(?:^|,)\s*(?:req|request)\.body\s*(?:,|$)|\.\.\.(?:req|request)\.body\b", call.code) is not None),
        rule(r"\bnew [A-Z]\w+\((?=\s*(?:req|request)\.body\s*\))", *w.MASS),
        rule(r"\.(?:find|findOne|deleteMany|countDocuments)\(", Severity.HIGH, OutcomeTag.INJECTION, "The request becomes a database query as it is", "Take the expected fields as strings.", lambda call: re.match(rb"\s*(?:req|request)\.(?:body|query)\s*[,)]?\s*$", call.code) is not None),
        rule(r"\brejectUnauthorized\s?:\s?(?=false)|\bNODE_TLS_REJECT_UNAUTHORIZED\b\"?'?\]?\s?=\s?(?=[\"']?0)|\bstrictSSL\s?:\s?(?=false)|\binsecureSkipTLSVerify\s?:\s?(?=true)", *w.UNVERIFIED, strings=True),
        rule(r"\bjwt\.verify\(", *w.UNSIGNED, lambda call: Severity.CRITICAL if re.search(rb"algorithms?\s*:\s*\[[^\]]*[\"']none[\"']", call.full, re.IGNORECASE) else False),
        rule(r"\bjwt\.decode\(", Severity.MEDIUM, OutcomeTag.DISABLED_VERIFICATION, "A token is read without checking its signature", "Use jwt.verify before any claim is used.", lambda call: b"jwt.verify(" not in call.file),
        rule(r"\bignoreExpiration\s?:\s?(?=true)", Severity.MEDIUM, OutcomeTag.DISABLED_VERIFICATION, "Expired tokens are accepted", "Leave the check on."),
        rule(r"\bcreateHash\((?=\s?[\"'`](?:md5|sha1)[\"'`])", *w.BROKEN_HASH, _hash, strings=True),
        rule(r"\bcreateHash\((?=\s?[\"'`]sha(?:256|512)[\"'`]\)\.update\(\s?\w{0,30}passw)", Severity.MEDIUM, *w.FAST_HASH[1:], strings=True, flags=re.IGNORECASE),
        rule(r"\bcreate(?:Cipher|Decipher)(?:iv)?\((?=\s?[\"'`](?:des|rc4|[\w-]{0,20}ecb))", *w.BROKEN_CIPHER, strings=True),
        rule(r"\bMath\.random\(", *w.GUESSABLE, _random),
        rule(r"\b\w{0,40}(?:[sS]ignature|[hH]mac|[aA]piKey|[sS]ecret|passwordHash|csrfToken)\s?[!=]==?\s?(?=[A-Za-z_$])(?!null|undefined|true|false)", *w.TIMING, _compared),
        rule(r"(?<![\w.])cors\(", *w.ORIGINS, _cors),
        rule(r"[\"']Access-Control-Allow-Origin[\"']\s?[,:]\s?(?=[\"']\*[\"'])", *w.ORIGINS, strings=True),
        rule(r"\b(?:res|response|reply)\.(?:cookie|setCookie)\(", *w.COOKIE, _cookie),
        rule(r"\bcookie\s?:\s?\{", *w.COOKIE, lambda call: re.search(rb"secure\s*:\s*false|httpOnly\s*:\s*false", call.code) is not None),
        rule(rf"\b(?:console|logger|log)\.(?:log|info|debug|warn|error)\((?=[^;\n]{{0,200}}?(?:[.,(\s{{]){w.SHOWN_NEVER}\s?[,)}}])", *w.LOGGED),
        rule(r"\b(?:console|logger|log)\.(?:log|info|debug|warn|error)\((?=[^;\n]{0,200}?\w\.(?:token|password)\s?[,)}])", *w.LOGGED),
        rule(r"\b(?:unserialize|serialize\.unserialize|yaml\.load)\(", *w.LOADED, remote),
        rule(r"\blocalStorage\.setItem\((?=\s?[\"'`]\w{0,20}(?:token|jwt|password)\w{0,20}[\"'`])", Severity.LOW, OutcomeTag.INSECURE_SETTING, "A credential is kept where every script of the page can read it", "Keep it in an httpOnly cookie.", strings=True, flags=re.IGNORECASE),
        rule(r"\bhelmet\((?=[^)]{0,200}contentSecurityPolicy\s?:\s?false)", Severity.LOW, OutcomeTag.INSECURE_SETTING, "The content security policy is off", "Set one."),
        rule(r"\bnoent\s?:\s?(?=true)", *w.ENTITIES),
    ),
)  # fmt: skip
