"""C#."""

# ruff: noqa: E501 (one rule, one row)

from __future__ import annotations

import re

from plantwin.private.capabilities.audit import parts
from plantwin.private.capabilities.audit.lines import Call, Language, command, query, remote, remote_first, rule
from plantwin.private.capabilities.audit.rules import wording as w
from plantwin.vocabulary import OutcomeTag, Severity


def _around(call: Call, words: bytes) -> bool:
    near = call.file[max(0, call.match.start() - 300) : call.match.end() + 200]
    return re.search(words, near, re.IGNORECASE) is not None


LANGUAGE = Language(
    sources=re.compile(rb"\bRequest\.(?:Query|Form|Headers|Cookies|QueryString|Params|Body|RouteValues)\b|\bRequest\[|\bHttpContext\.Request\.\w+"),
    assignment=re.compile(rb"(?<![\w.!<>=])([a-z_]\w{0,80})\s{0,4}\+?=(?![=>])\s{0,4}"),
    parameters=re.compile(rb"\[From(?:Query|Route|Header|Form)[^\]\n]{0,80}\]\s{0,4}string\??\s{1,4}(\w{1,80})"),
    dynamic=parts.csharp,
    safe=re.compile(
        rb"\b(?:int\.Parse|Convert\.ToInt32|Guid\.Parse|HttpUtility\.\w+Encode|WebUtility\.\w+Encode|HtmlEncoder\.\w+\.Encode|Path\.GetFileName|"
        rb"Uri\.EscapeDataString|nameof)\((?:[^()]|\([^()]{0,200}\)){0,400}\)"
    ),
    rules=(
        rule(r"\bnew (?:Sql|MySql|Npgsql|Sqlite|OleDb|Odbc|Oracle)(?:Command|DataAdapter)\(|\.(?:FromSqlRaw|ExecuteSqlRaw|ExecuteSqlRawAsync|SqlQuery|Query|QueryAsync|QueryFirst\w*|Execute|ExecuteAsync|ExecuteScalar\w*)(?:<[\w<>?, ]{1,60}>)?\(", *w.QUERY, query),
        rule(r"\.CommandText\s?=(?!=)\s?", *w.QUERY, query),
        rule(r"\bProcess\.Start\(", *w.COMMAND, lambda call: Severity.CRITICAL if remote(call) else (command(call) if re.match(rb"\s*\"(?:cmd|powershell|/bin/sh|bash)", call.full) and call.flow & 4 else False)),
        rule(r"\bCSharpScript\.(?:EvaluateAsync|RunAsync)(?:<\w+>)?\(", *w.EVALUATED, remote),
        rule(r"\bFile\.(?:Open|OpenRead|ReadAllText|ReadAllBytes|WriteAllText|WriteAllBytes|Delete|Create)\(|\bnew (?:FileStream|StreamReader|StreamWriter)\(|\bPhysicalFile\(", *w.PATH, remote),
        rule(r"\.(?:GetAsync|GetStringAsync|PostAsync|DownloadString|DownloadData)\(|\bWebRequest\.Create\(", *w.ADDRESS, lambda call: remote_first(call) and not re.match(rb"\s*\$?@?\"https?://[^/\"{]+/", call.full)),
        rule(r"(?<![\w])(?:Response\.)?Redirect(?:Permanent)?\(", *w.REDIRECT, lambda call: remote_first(call) and not re.match(rb"\s*\$?\"/(?!/)", call.full)),
        rule(r"\bHtml\.Raw\(|\bResponse\.Write(?:Async)?\(", *w.PAGE, lambda call: Severity.HIGH if remote(call) else False),
        rule(r"\bnew (?:BinaryFormatter|NetDataContractSerializer|LosFormatter|SoapFormatter|ObjectStateFormatter)\(|\bTypeNameHandling\.(?:All|Auto|Objects|Arrays)\b", *w.LOADED),
        rule(r"\b(?:MD5|SHA1)\.(?:Create|HashData)\(|\bnew (?:MD5|SHA1)(?:CryptoServiceProvider|Managed|Cng)\(", *w.BROKEN_HASH, lambda call: Severity.HIGH if _around(call, rb"passw|token|secret") else Severity.LOW),
        rule(r"\b(?:DES|TripleDES|RC2)\.Create\(|\bnew (?:DES|TripleDES|RC2)CryptoServiceProvider\(|\bCipherMode\.ECB\b", *w.BROKEN_CIPHER),
        rule(r"\bnew Random\(", *w.GUESSABLE, lambda call: _around(call, rb"token|secret|password|otp|nonce|apikey|salt")),
        rule(r"ServerCertificate(?:Custom)?ValidationCallback\s?\+?=\s?(?=[^;]{0,160}(?:=>\s?true|return true|DangerousAccept))|\bDangerousAcceptAnyServerCertificateValidator\b|\bTrustServerCertificate\s?=\s?(?=true)", *w.UNVERIFIED),
        rule(r"\b(?:ValidateIssuerSigningKey|RequireSignedTokens|ValidateLifetime)\s?=\s?(?=false)", *w.UNSIGNED),
        rule(r"\bReadJwtToken\(", Severity.MEDIUM, *w.UNSIGNED[1:], lambda call: b"ValidateToken(" not in call.file),
        rule(r"\bAllowAnyOrigin\(|\bWithOrigins\((?=\s?\"\*\")", *w.ORIGINS, strings=True),
        rule(r"\b(?:HttpOnly|Secure)\s?=\s?(?=false)", *w.COOKIE, lambda call: _around(call, rb"cookie")),
        rule(r"\bXmlResolver\s?=\s?new XmlUrlResolver\(|\bDtdProcessing\s?=\s?DtdProcessing\.Parse\b", *w.ENTITIES),
        rule(r"\[ValidateInput\(false\)\]|\bvalidateRequest=\"false\"|\[IgnoreAntiforgeryToken\]", Severity.MEDIUM, OutcomeTag.MISSING_CHECK, "A check of requests is off", "Keep it on."),
        rule(rf"\b_?(?:logger|log)\.(?:LogInformation|LogDebug|LogWarning|LogError|Info|Debug|Warn|Error)\((?=[^;\n]{{0,300}}?[,{{]\s?(?:\w+\.)?{w.SHOWN_NEVER}\s?[,)}}])", *w.LOGGED, flags=re.IGNORECASE),
        rule(r"\b\w{0,30}(?:signature|hmac|apiKey|passwordHash)\s?[!=]=\s?(?=[a-zA-Z_])(?!null\b)", *w.TIMING, lambda call: re.search(rb"System\.Security\.Cryptography|\[ApiController\]|Request\.Headers", call.file) is not None),
        rule(r"\bUseDeveloperExceptionPage\(", Severity.LOW, *w.DEBUG[1:], lambda call: b"IsDevelopment()" not in call.file),
    ),
)  # fmt: skip
