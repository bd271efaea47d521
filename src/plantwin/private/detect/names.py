"""What the name of a value tells, and values that only look secret: placeholders, references, words."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from math import log2
from typing import NamedTuple

_KIND = re.compile(
    rb"(?P<password>pass(?!wordless)(?:wor[dt]|wd|phrase|code|w)|(?:(?<![a-z])|db|user|my|root|admin|smtp|mail|ftp|sql)pass"
    rb"(?![a-z])|p?wd(?![a-z])|(?<![a-z])pw(?![a-z])"
    rb"|contrase(?:n|\xc3\xb1)a|kennwort|motdepasse|senha)"
    rb"|(?P<secret>secret|token(?!i)|credentials?|creds?(?![a-z])|apikey|bearer|(?<![a-z])dsn(?![a-z])|(?:api|access"
    rb"|private|priv|auth|client|account|encrypt(?:ion)?|sign(?:ing)?"
    rb"|master|shared|session|licen[sc]e|storage|app|user|service|admin|deploy|write|read|consumer|server|security"
    rb"|ssh|ssl|rsa|aes|hmac"
    rb"|subscription|primary|secondary|integration|webhook|host|instrumentation|insert|query|root|unseal|recovery"
    rb"|ingest|project|developer)[ _\-.]{0,2}key)"
    rb"|(?P<weak>key(?!word|board|stroke)|auth(?:orization)?(?![a-z])|access(?![a-z])|private(?![a-z])|(?<![a-z])pat"
    rb"(?![a-z])|login(?![a-z])|(?<![a-z])api(?![a-z])"
    rb"|jwt|(?<![a-z])sid(?![a-z])|session(?:id)?(?![a-z])|cookie(?![a-z])|signature(?![a-z])|(?<![a-z])salt(?![a-z])"
    rb"|seed(?![a-z])|otp(?![a-z])|(?<![a-z])pin(?![a-z]))"
)
_OTHER = re.compile(
    rb"(?i)(?:^|[_\-.a-z])(?:types?|names?|ids?|url|uri|link|files?|filename|paths?|dir|fields?|labels?|len(?:gth)?"
    rb"|size|count|num|max|min|expir\w*"
    rb"|ttl|time\w*|age|date|polic\w*|regex\w*|pattern|prompt|hint|placeholder|inputs?|forms?|headers?|formats?"
    rb"|errors?|messages?|msg|valid\w*"
    rb"|strength|reset|change\w*|forgot\w*|endpoint|class|model|enabled?|required|params?|index|prefix|suffix|column"
    rb"|attr\w*|set|list|map|dict|usage|text|title"
    rb"|help|desc\w*|doc\w*|button|page|view|route|callback|handler|func\w*|method|provider|manager|factory|helper"
    rb"|util\w*|store|cache|table|region|version|alg\w*|hash(?:ed|es)?|digest"
    rb"|template|example|test|mode|scope|state|status|code|event|ref|reference|arn|selector|domain|issuer|audience"
    rb"|rules?|info|kind|position|start|end|line|offset|spec|option|flags?|requirements?|limit|quota|rate|rotation"
    rb"|bits|bytes)s?\d{0,2}$"
)
_PUBLIC = re.compile(
    rb"(?i)public|pub[_\-]?key|hash|sha\d|md5|digest|checksum|commit|revision|etag|fingerprint"
    rb"|integrity|guid|uuid|cache[_\-]?key|primary[_\-]?key$|foreign|sort[_\-]?key|partition|idempoten|csrf|i18n"
    rb"|translat|lookup|csrf|tokeni[zs]e|nonce|next[_\-]?token|page[_\-]?token|continuation"
)
_LABELS = re.compile(rb"(?i)^data-(?!.{0,40}(?:key|token|secret|auth|pass))|^(?:aud|state|nonce|azp|kid)$|public")
_PLACE = re.compile(rb"(?i)(?:id|hash|url|path|file|name|arn|digest)s?$")
_PASSWORDISH = re.compile(rb"pass|wd|pw|contrase|kennwort|senha")


class Naming(NamedTuple):
    """One name, read."""

    kind: str
    """password, secret, weak; empty when it is none of these or names something public."""
    passwordish: bool
    told: bool
    """Whether any part of it names a password."""
    other: bool
    """Its last part tells that the value is about the secret and not the secret."""
    place: bool
    """Its last part tells where to find it."""
    bare: bytes
    """In lower case and without underscores."""


@lru_cache(maxsize=1024)
def naming(name: bytes) -> Naming:
    """Read a name. Files repeat few names many times."""
    low = name.lower()
    kinds = list(_KIND.finditer(low))
    groups = [each.lastgroup or "" for each in kinds]
    kind = next((each for each in ("password", "secret") if each in groups), groups[-1] if groups else "")
    rest = name[kinds[-1].end() :] if kinds else b""
    return Naming(
        "" if _PUBLIC.search(name) else kind,
        _PASSWORDISH.search(low) is not None,
        "password" in groups,
        bool(rest) and _OTHER.search(rest) is not None,
        _PLACE.search(rest) is not None,
        low.replace(b"_", b""),
    )


def labels(name: bytes) -> bool:
    """Whether a name says that its value is told to everyone: an attribute of a page, a claim, a public key."""
    return _LABELS.search(name) is not None


_MARKS = re.compile(
    rb"change.?me|change.?this|replace.?(?:me|with|this)|place.?holder|(?:^|[_\-. /])example|example(?:key|token"
    rb"|secret|password)?$"
    rb"|your[_\-. ]?(?:own|api|app|access|auth|secret|token|key|pass|client|private|account|user|db|real|aws"
    rb"|[a-z]{2,12}[_\-](?:api|key|token|secret|pass))"
    rb"|<[a-z][\w .\-/]{0,60}>|&lt;|^insert|insert[_\- ]|[_\- ]here$|goes.?here|redacted|removed|dummy|(?:^"
    rb"|[^a-z])fake|fake[_\-]?(?:key|token|secret|pass|api)"
    rb"|not[_\- ]?(?:set|used|real|a[_\- ]?(?:real|secret)|needed|required|valid|implemented|secure)"
    rb"|to[_\- ]?be[_\- ]?(?:filled|set|replaced)|fill[_\- ]?(?:me|in|this)"
    rb"|my[_\-](?:secret|api|token|password|key|access|pass)(?:[_\-](?:key|token|here|value))?$|\.{3}|\[\.\.\]|\xe2\x80\xa6|\*{3}"
    rb"|x{6}|#{4}|(?:^|[^a-z])foo(?:bar)?(?:[^a-z]|$)|(?:^|[^a-z])lorem(?:[^a-z]|$)"
    rb"|^(?:some|any|sample|mock|stub|your)[_\-]|^gen-(?:unique|passw|ssh|guid)"
)
"""Applied to lower case."""
_REFERENCE = re.compile(
    rb"""(?ix)\$\{[\w.:\-?+=/ @\#%,^]{0,120}\}|\$\{[a-z_][\w.]{0,60}$|^\$\(|\$\([\w\s./\-$"'|{}\[\]]{1,200}\)
    |\$\[\w{1,60}|\{\{[^{}]{0,120}\}\}|<%|%>|\#\{[\w.\[\]:"' ()@]{1,80}\}|%\(\w{1,40}\)[sd]
    |^%[a-z_][\w.]{0,40}%?$|^\$[a-z_][\w.\->\[\]'"]{0,80}$|^\$\d$|^@\{|^%[sdv]$|^\{[a-z0-9_.\-\ ]{0,40}\}$
    |\{[a-z_]{2,30}\}
    |os\.environ|getenv|process\.env|\bENV\[|\benv\(|env\.[a-z_]|environment\.|secrets\.[a-z_]|secretKeyRef
    |valueFrom|\bvault:|vault\.|^vault[/:]|^ref\+|^op://|keyvault|^aws-?ssm|^ssm:|sops:
    |arn:aws:secretsmanager|arn:aws:ssm|^projects/[\w\-]{1,60}/secrets|config\.get|settings\.[a-z_]|^!(?:ref
    |sub|getatt|secret|vault|env_var)|^file:|^/(?:run|var|etc|secrets?)/|System\.get|credentials\(|^lookup\(
    |^encrypted:|^ENC\[|^privatesettingsref:|^\[[a-z]\w{1,30}\(.{0,400}\]\Z|^@[a-z]{2,30}\(|^%\{
    |^\w{1,20}:\$[a-z_]\w{1,40}$|^\\\$[a-z_]\w{1,40}$"""
)
_CHARS = re.compile(rb"[${}%<@!/().\[:]|env|vault")
"""What every reference has at least one of."""
_WORDS = frozenset(
    b"none null nil undefined true false yes no string str int bool boolean bytes object any number unknown empty "
    b"blank default "
    b"optional required disabled enabled on off auto test testing tests todo tbd na n/a not-set unset example sample "
    b"foo bar baz "
    b"pass password "
    b"passwd secret token key apikey api_key value username user name text hidden masked sha256 md5 hs256 "
    b"rs256 base64 hex "
    b"bearer basic oauth oauth2 jwt plain private public current new old confirm type label title id self this var "
    b"let const "
    b"return if else print echo input integer float varchar char required|string nullable mypassword mysecret "
    b"mytoken mykey".split()
)

_PUBLISHED = (
    b"2YotnFZFEjr1zCsicMWpAA", b"tGzv3JOkF0XG5Qx2TlKWIA", b"SplxlOBeZQQYbYS6WxSbIA", b"czZCaGRSa3F0Mz",
    b"mF_9.B5f-4.1JqM", b"mF_9B5f41JqM", b"h480djs93hd8", b"gX1fBat3bV", b"QWxhZGRpbjpvcGVuIHNlc2FtZQ",
    b"dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", b"SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    b"TJVA95OrM7E2cBab30RMHrHDcEfxjoYZgeFONFh7HgQ", b"wJalrXUtnFEMI", b"AKIAIOSFODNN7", b"GOOG56JBMFZX6PMPTQ62VD2",
    b"Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq",
    b"4eC39HqLyjWDarjtT1zdp7dc", b"TYooMQauvdEDq54NiTphI7jx", b"kd94hf93k423kf44", b"pfkkdhi9sl3r4s00",
)  # fmt: skip
"""Parts of values that standards and manuals print: RFC 5849, 6749, 6750, 7515, 7519, 7617, first pages of manuals."""
_SHORTEST = min(map(len, _PUBLISHED))


def entropy(value: bytes) -> float:
    """Shannon's bits per byte."""
    size = len(value)
    if not size:
        return 0.0
    total = 0.0
    for byte in set(value):
        share = value.count(byte) / size
        total -= share * log2(share)
    return total


def reference(value: bytes) -> bool:
    """Whether a value names where the secret is kept instead of being it."""
    return _CHARS.search(value) is not None and _REFERENCE.search(value[:1024]) is not None


def placeholder(value: bytes, *, shape: bool = True) -> bool:
    """Whether a value stands for one that is to be filled in; `shape` also rules out monotone text."""
    if len(value) > 512:
        value = value[:512]
    return _MARKS.search(value.lower()) is not None or (shape and _monotone(value))


def published(value: bytes) -> bool:
    """Whether a value is copied from a standard or a manual: a test vector, and nobody's secret."""
    return len(value) >= _SHORTEST and any(each in value for each in _PUBLISHED)


def word(value: bytes) -> bool:
    """Whether a value is a plain word of programs or forms."""
    return value.lower() in _WORDS


def _monotone(value: bytes) -> bool:
    """Whether nearly all of it is one character or a plain sequence."""
    size = len(value)
    if size < 3:
        return True
    distinct = len(set(value))
    if distinct <= 2 + (size > 40):
        return True
    return sequence(value)


def sequence(value: bytes) -> bool:
    """Whether a value runs along the alphabet or counts."""
    return len(value) >= 3 and value.lower() in b"abcdefghijklmnopqrstuvwxyz0123456789012345678901234567890"


def patterned(value: bytes) -> bool:
    """Whether half of it runs along the alphabet, counts or repeats, as made-up keys do."""
    size = len(value)
    low = value.lower()
    steps = sum(1 for one, two in pairwise(low) if two - one in (1, -1, 0))
    return steps * 2 >= size or (size >= 16 and low[: size // 2] == low[size // 2 : size // 2 * 2])
