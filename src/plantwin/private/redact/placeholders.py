"""What looks like a secret and is none: placeholders, references, words."""

from __future__ import annotations

import re
from itertools import pairwise
from math import log2

_MARKS = re.compile(
    rb"change.?me|change.?this|replace.?(?:me|with|this)|place.?holder|(?:^|[_\-. /])example|example(?:key|token"
    rb"|secret|password)?$"
    rb"|your[_\-. ]?(?:own|api|app|access|auth|secret|token|key|pass|client|private|account|user|db|real|aws"
    rb"|[a-z]{2,12}[_\-](?:api|key|token|secret|pass))"
    rb"|<[a-z][\w .\-/]{0,60}>|&lt;|^insert|insert[_\- ]|[_\- ]here$|goes.?here|redacted|removed|dummy|(?:^"
    rb"|[^a-z])fake|fake[_\-]?(?:key|token|secret|pass|api)"
    rb"|not[_\- ]?(?:set|used|real|a[_\- ]?(?:real|secret)|needed|required|valid|implemented|secure)"
    rb"|to[_\- ]?be[_\- ]?(?:filled|set|replaced)|fill[_\- ]?(?:me|in|this)"
    rb"|my[_\-](?:secret|api|token|password|key|access|pass)(?:[_\-](?:key|token|here|value))?$|^\.{3}|\.{3}$|\*{3}"
    rb"|x{6}|#{4}|(?:^|[^a-z])foo(?:bar)?(?:[^a-z]|$)|(?:^|[^a-z])lorem(?:[^a-z]|$)"
    rb"|^(?:some|any|sample|mock|stub)[_\-]"
)
"""Applied to lower case."""
_REFERENCE = re.compile(
    rb"""(?ix)\$\{[\w.:\-?+=/ @\#%,^]{0,120}\}|\$\{[a-z_][\w.]{0,60}$|^\$\(|\$\([\w\s./\-$"'|{}\[\]]{1,200}\)
    |\$\[\w{1,60}|\{\{[^{}]{0,120}\}\}|<%|%>|\#\{[\w.\[\]:"' ()@]{1,80}\}|%\(\w{1,40}\)[sd]
    |^%[a-z_][\w.]{0,40}%?$|^\$[a-z_][\w.\->\[\]'"]{0,80}$|^\$\d$|^@\{|^%[sdv]$|^\{[a-z0-9_.]{0,40}\}$
    |\{[a-z_]{2,30}\}
    |os\.environ|getenv|process\.env|\bENV\[|\benv\(|env\.[a-z_]|environment\.|secrets\.[a-z_]|secretKeyRef
    |valueFrom|\bvault:|vault\.|^vault[/:]|^ref\+|^op://|keyvault|^aws-?ssm|^ssm:|sops:
    |arn:aws:secretsmanager|arn:aws:ssm|^projects/[\w\-]{1,60}/secrets|config\.get|settings\.[a-z_]|^!(?:ref
    |sub|getatt|secret|vault|env_var)|^file:|^/(?:run|var|etc|secrets?)/|System\.get|credentials\(|^lookup\(
    |^encrypted:|^ENC\["""
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
