"""Java, Kotlin and Scala."""

# ruff: noqa: E501 (one rule, one row)

from __future__ import annotations

import re

from plantwin.private.capabilities.audit import parts
from plantwin.private.capabilities.audit.lines import (
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


def _random(call: Call) -> bool:
    around = call.file[max(0, call.match.start() - 400) : call.match.end() + 200]
    return (
        b"SecureRandom" not in call.statement
        and re.search(rb"token|secret|password|otp|nonce|sessionId|apiKey|salt", around, re.IGNORECASE) is not None
    )


def _hash(call: Call) -> bool | Severity:
    around = call.file[max(0, call.match.start() - 300) : call.match.end() + 300]
    return Severity.HIGH if re.search(rb"passw|credential", around, re.IGNORECASE) else Severity.LOW


def _entities(call: Call) -> bool:
    return not re.search(
        rb"disallow-doctype-decl|FEATURE_SECURE_PROCESSING|external-general-entities|ACCESS_EXTERNAL_DTD|SUPPORT_DTD|IS_SUPPORTING_EXTERNAL_ENTITIES",
        call.file,
    )


def _cookie(call: Call) -> bool:
    rest = call.file[call.match.end() : call.match.end() + 600]
    named = re.search(rb"[\"']\w{0,20}(?:session|token|auth|jwt)\w{0,20}[\"']", call.full[:80], re.IGNORECASE)
    return named is not None and not (b"setHttpOnly(true)" in rest and b"setSecure(true)" in rest)


LANGUAGE = Language(
    sources=re.compile(
        rb"\b(?:request|req|httpRequest|servletRequest)\.(?:getParameter|getHeader|getQueryString|getParameterValues|getCookies|"
        rb"getPathInfo|getReader|getInputStream)\(|\bcall\.(?:parameters|receive)\b"
    ),
    assignment=re.compile(rb"(?<![\w.!<>=])([a-z_]\w{0,80})(?:\s?:\s?\w{1,40})?\s{0,4}\+?=(?![=>])\s{0,4}"),
    parameters=re.compile(
        rb"@(?:RequestParam|PathVariable|RequestHeader|QueryParam|PathParam|CookieValue)(?:\([^()\n]{0,120}\))?\s{1,4}(?:final )?"
        rb"(?:String|Optional<String>)\s{1,4}(\w{1,80})"
    ),
    dynamic=parts.java,
    safe=re.compile(
        rb"\b(?:Integer\.(?:parseInt|valueOf)|Long\.(?:parseLong|valueOf)|UUID\.fromString|Encode\.\w+|StringEscapeUtils\.\w+|"
        rb"HtmlUtils\.\w+|FilenameUtils\.getName|URLEncoder\.encode|\w+\.valueOf)\((?:[^()]|\([^()]{0,200}\)){0,400}\)"
    ),
    rules=(
        rule(r"\.(?:executeQuery|executeUpdate|execute|addBatch|prepareStatement|createQuery|createNativeQuery|createSQLQuery|query|queryForObject|queryForList|queryForMap|update|rawQuery|execSQL|nativeQuery)\(", *w.QUERY, query),
        rule(r"\bgetRuntime\(\)\.exec\(", *w.COMMAND, command),
        rule(r"\bnew ProcessBuilder\(", *w.COMMAND, lambda call: command(call) if re.search(rb"[\"'](?:/bin/)?(?:sh|bash|cmd(?:\.exe)?)[\"']", call.full) and call.flow & 5 else remote_first(call)),
        rule(r"\b(?:engine|scriptEngine)\.eval\(|\bparseExpression\(|\bOgnl\.getValue\(|\bMVEL\.eval\(", *w.EVALUATED, lambda call: evaluated(call) if remote(call) else False),
        rule(r"\bnew (?:File|FileInputStream|FileOutputStream|FileReader|FileWriter)\(|\b(?:Paths\.get|Path\.of|Files\.\w+)\(", *w.PATH, remote),
        rule(r"\bnew URL\(|\bURI\.create\(|\.getForObject\(|\.getForEntity\(|\.exchange\(", *w.ADDRESS, lambda call: remote_first(call) and not re.match(rb"\s*\"https?://[^/\"]+/", call.full)),
        rule(r"\.sendRedirect\(", *w.REDIRECT, lambda call: remote(call) and not re.match(rb"\s*\"/(?!/)", call.full)),
        rule(r"\bnew ModelAndView\((?=\s?[\"']redirect:)|\breturn (?=\"redirect:\"\s?\+)", *w.REDIRECT, remote, strings=True),
        rule(r"\bgetWriter\(\)\.(?:print|println|write|append)\(|\bout\.(?:print|println|write)\(", *w.PAGE, remote),
        rule(r"\.readObject\(", *w.LOADED, lambda call: b"ObjectInputStream" in call.file and b"ObjectInputFilter" not in call.file and b"void readObject" not in call.statement),
        rule(r"\bnew Yaml\((?=\s?\))|\bnew XMLDecoder\(|\.enableDefaultTyping\(|\bactivateDefaultTyping\(", *w.LOADED, lambda call: b"SafeConstructor" not in call.file),
        rule(r"\b(?:DocumentBuilderFactory|SAXParserFactory|XMLInputFactory|TransformerFactory|SchemaFactory)\.new(?:Instance|Factory)\(|\bnew (?:SAXReader|SAXBuilder)\(", *w.ENTITIES, _entities),
        rule(r"\bMessageDigest\.getInstance\((?=\s?\"(?:MD5|MD2|SHA-?1)\")", *w.BROKEN_HASH, _hash, strings=True),
        rule(r"\b(?:DigestUtils|Hashing)\.(?:md5|sha1)\w*\(", *w.BROKEN_HASH, _hash),
        rule(r"\bCipher\.getInstance\((?=\s?\"(?:DES|RC4|RC2|Blowfish|AES\"|AES/ECB|\w+/ECB))", *w.BROKEN_CIPHER, strings=True),
        rule(r"\bnew Random\(|\bMath\.random\(|\bRandomStringUtils\.random\w*\(", *w.GUESSABLE, _random),
        rule(r"\bpublic void checkServerTrusted\([^)]{0,200}\)[^{;]{0,80}\{\s{0,40}(?=\})", *w.UNVERIFIED),
        rule(r"\bpublic boolean verify\([^)]{0,200}\)\s{0,4}\{\s{0,40}return true(?=;)|\bNoopHostnameVerifier\b|\bALLOW_ALL_HOSTNAME_VERIFIER\b|\bTrustAllStrategy\b|setHostnameVerifier\(\s?\([^)]{0,40}\)\s?->\s?(?=true)", *w.UNVERIFIED),
        rule(r"\bcsrf\(\)\s{0,80}\.disable\(|\bcsrf\(\s?(?:\w+\s?->\s?\w+\.disable\(|AbstractHttpConfigurer::disable)", Severity.MEDIUM, OutcomeTag.MISSING_CHECK, "Requests from other sites are not refused", "Keep CSRF protection where a browser signs in with a cookie."),
        rule(r"\banyRequest\(\)\s{0,40}\.permitAll\(", Severity.HIGH, OutcomeTag.MISSING_CHECK, "Every request is let in", "Require a signed-in caller by default."),
        rule(r"\ballowedOrigins\((?=\s?\"\*\")|@CrossOrigin\((?=[^)]{0,80}\"\*\")|@CrossOrigin(?=\s*\n)|addAllowedOrigin\((?=\s?\"\*\")", *w.ORIGINS, strings=True),
        rule(r"\bnew Cookie\(", *w.COOKIE, _cookie),
        rule(r"\.(?:setHttpOnly|setSecure)\((?=\s?false)", *w.COOKIE),
        rule(rf"\b(?:log|logger|LOG|LOGGER)\.(?:info|debug|warn|error|trace)\((?=[^;\n]{{0,300}}?[,+]\s?(?:\w+\.(?:get)?)?{w.SHOWN_NEVER}(?:\(\))?\s?[,)+])", *w.LOGGED, flags=re.IGNORECASE),
        rule(r"\.setSigningKey\([^)]{0,80}\)\s{0,40}\.parse\(|\bJwts\.parser\(\)\s{0,40}\.parse(?:ClaimsJwt)?\(|\bJWT\.decode\(|\bAlgorithm\.none\(", *w.UNSIGNED, lambda call: b".verify(" not in call.file),
        rule(r"\b\w{0,30}(?:signature|hmac|apiKey|secret|passwordHash|digest)\.equals\((?=\s?[a-z])", *w.TIMING, lambda call: re.search(rb"Mac\.getInstance|MessageDigest|HttpServletRequest|@RestController|@RequestHeader", call.file) is not None, flags=re.IGNORECASE),
        rule(r"\bsetAllowFileAccessFromFileURLs\((?=\s?true)|\bsetWebContentsDebuggingEnabled\((?=\s?true)", *w.DEBUG),
    ),
)  # fmt: skip
