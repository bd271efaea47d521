"""What the name of a value tells: a password, a secret, perhaps a secret, or something about one."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_KIND = re.compile(
    rb"(?P<password>pass(?:wor[dt]|wd|phrase|code|w)|(?:(?<![a-z])|db|user|my|root|admin|smtp|mail|ftp|sql)pass"
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
