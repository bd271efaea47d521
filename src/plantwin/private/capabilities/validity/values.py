"""Values that cannot be right, wherever they stand: judged by the name of the key and the look of the value."""

# ruff: noqa: E501 (word lists and patterns)

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.placed.document import Document
from plantwin.private.capabilities.placed.node import LIST, MAP, NULL, TEXT, Node, dotted, walk
from plantwin.private.capabilities.placed.report import Issue
from plantwin.private.capabilities.validity import moments
from plantwin.private.capabilities.validity.reading import norway, typed
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
EXAMPLE = re.compile(
    r"(?:example|sample|template|dist|default|skel|test|fixture|mock|demo)s?(?:[./_-]|$)", re.IGNORECASE
)
"""Names of files that show how others are to look."""
_SECRET = re.compile(
    r"(?:^|_)(?:password|passwd|pwd|secret|secret_key|api_key|apikey|token|private_key|access_key|client_secret|auth_token|encryption_key|signing_key)$"
)
_PORT = re.compile(r"(?:^|_)port$")
_LEVEL = re.compile(r"(?:^|_)log(?:ging)?_?level$|^loglevel$")
_LEVELS = frozenset(
    [
        "trace",
        "debug",
        "verbose",
        "info",
        "information",
        "informational",
        "notice",
        "warn",
        "warning",
        "error",
        "err",
        "critical",
        "crit",
        "fatal",
        "alert",
        "emerg",
        "emergency",
        "off",
        "none",
        "all",
        "silent",
        "finest",
        "finer",
        "fine",
        "severe",
        "panic",
        "dpanic",
        "http",
        "silly",
        "notset",
        "default",
        "inherit",
        "quiet",
        "0",
        "1",
        "2",
        "3",
        "4",
        "5",
        "6",
        "7",
        "10",
        "20",
        "30",
        "40",
        "50",
    ]
)
_TIME = re.compile(
    r"(?:^|_)(?:timeout|interval|ttl|duration|delay|grace_period|expiry|expires_in|max_age|keepalive|lifetime|retry_after|backoff)$"
)
_RATIO = re.compile(r"(?:^|_)(?:sample_?rate|sampling_?rate|probability|sampling_ratio)$")
_CRON = re.compile(r"(?:^|_)(?:cron|cron_?expression|cron_?schedule|crontab)$")
_ADDRESS = re.compile(r"(\d{1,5})\.(\d{1,5})\.(\d{1,5})\.(\d{1,5})(?:/(\d{1,4}))?")
_URL = re.compile(r"(?P<scheme>[A-Za-z][\w+.-]{0,30}):(?P<slashes>/{1,3})(?P<rest>.{0,2000})", re.DOTALL)
_TYPOS = frozenset(
    (
        "htp",
        "htttp",
        "http s",
        "htpp",
        "htps",
        "httpss",
        "hhttp",
        "ttp",
        "hppt",
        "postgress",
        "posgres",
        "postgressql",
        "postgresq",
        "postgesql",
        "reddis",
        "rediss s",
        "monogdb",
        "mogodb",
        "mongdb",
    )
)
_PLACEHOLDER = re.compile(
    r"(?i)(?:<[a-z][\w .:-]{2,60}>|\[[a-z]+[ _-][\w -]{2,40}\]|__[A-Z][A-Z0-9_]{2,40}__|%%[\w]{2,40}%%|@@?[A-Z][A-Z0-9_]{2,40}@@?"
    r"|(?:(?:change|replace)[_ -]?(?:me|this)|fill[_ -]?(?:me|in|this))(?:[_ -]\w{0,20})?|your[_ -][\w -]{0,40}(?:here|key|token|secret|password|domain|name|id)?|x{4,}|insert[_ -][\w -]{2,40}[_ -]here|tbd|todo|fixme|put[_ -]your\b.{0,40})"
)
_UNCLOSED = re.compile(r"\$\{[A-Za-z_][\w.:-]{0,80}$|\$\{\{[^}]{0,200}$|\{\{[^}]{0,200}$")
_MUSTACHE = re.compile(r"\{\{\s*[\w.]{1,80}\s*\}\}")


def snake(key: str) -> str:
    """A key's name in one spelling."""
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", key).replace("-", "_").replace(" ", "_").replace(".", "_").lower()


def issues(document: Document) -> Iterator[Issue]:
    """Every suspicious value of an object."""
    example = EXAMPLE.search(document.name) is not None
    filled_in = document.syntax in ("env", "properties", "ini", "toml", "yaml", "json", "xml")
    for root in document.roots:
        for path, line, node in walk(root):
            if not path or node.kind in (MAP,):
                continue
            key = snake(next((part for part in reversed(path) if not part.isdigit()), "").lstrip("@"))
            where = f"`{dotted(path)[-120:]}`"
            if node.kind == LIST:
                yield from norway(node, where, document)
                continue
            at = node.line if path[-1].isdigit() else line
            yield from _numbers(key, node, at, where)
            yield from _moments(key, node, at, where)
            yield from _links(key, node, at, where)
            if not example and filled_in and not document.templated:
                yield from _unfilled(key, node, at, where, document)
            if document.syntax == "yaml" and not document.templated:
                yield from typed(key, path, node, at, where)


def _numbers(key: str, node: Node, line: int, where: str) -> Iterator[Issue]:
    number = node.number
    if _PORT.search(key):
        text = node.text.strip()
        if number is not None and not 0 <= number <= 65535:
            yield Issue(
                line,
                _S.HIGH,
                _T.INVALID_VALUES,
                "port-range",
                f"{where} is {text[:12]}: ports end at 65535",
                "Correct it.",
            )
        elif (
            node.kind == TEXT and re.fullmatch(r"\d+[A-Za-z]\w{0,10}", text[:20]) and not text.endswith(("tcp", "udp"))
        ):
            yield Issue(line, _S.MEDIUM, _T.INVALID_VALUES, "port-number", f"{where} is not a number", "Correct it.")
    elif _RATIO.search(key) and number is not None and not 0 <= number <= 1 and number < 100:
        severity = _S.MEDIUM if number < 0 else _S.LOW
        yield Issue(
            line,
            severity,
            _T.INVALID_VALUES,
            "ratio-range",
            f"{where} is {node.text[:12]}; a share lies between 0 and 1",
            "Correct it.",
        )
    elif _LEVEL.search(key) and node.scalar and node.text.strip() and "$" not in node.text:
        words = re.split(r"[,\s=]+", node.text.strip().lower())
        if len(words) == 1 and words[0] not in _LEVELS:
            yield Issue(
                line,
                _S.MEDIUM,
                _T.INVALID_VALUES,
                "log-level",
                f"{where} is not a level that logging knows",
                "Use one such as info or warning.",
            )
    match = _ADDRESS.fullmatch(node.text.strip()[:40]) if node.kind == TEXT else None
    if match is not None and re.search(
        r"(?:^|_)(?:ip|host|hosts|bind|address|addr|listen|cidr|cidrs|subnet|network|gateway|server)(?:_|$)", key
    ):
        if any(int(part) > 255 for part in match.groups()[:4]):
            yield Issue(
                line,
                _S.HIGH,
                _T.INVALID_VALUES,
                "ip-address",
                f"{where} is no address: a part is above 255",
                "Correct it.",
            )
        elif match[5] is not None and int(match[5]) > 32:
            yield Issue(line, _S.HIGH, _T.INVALID_VALUES, "ip-prefix", f"{where} has a prefix above 32", "Correct it.")


def _moments(key: str, node: Node, line: int, where: str) -> Iterator[Issue]:
    text = node.text.strip()
    if not node.scalar or not text or "$" in text or "{" in text:
        return
    if _CRON.search(key) and node.kind == TEXT:
        fields = text.split()
        fault = moments.cron_fault(" ".join(fields[1:6]) if len(fields) in (6, 7) else text)
        if fault and (len(fields) > 2 or text.startswith("@")):
            yield Issue(line, _S.HIGH, _T.INVALID_VALUES, "cron", f"{where} is no schedule: {fault}", "Correct it.")
    elif _TIME.search(key):
        number = node.number
        if number is not None and number < -1:
            yield Issue(line, _S.MEDIUM, _T.INVALID_VALUES, "duration", f"{where} is a negative time", "Correct it.")
        elif (
            number is None
            and text[0].isdigit()
            and moments.seconds(text) is None
            and re.fullmatch(r"[\d.]+\s?[A-Za-z]+", text[:40])
        ):
            yield Issue(
                line,
                _S.MEDIUM,
                _T.INVALID_VALUES,
                "duration",
                f"{where} has a unit of time that is not known",
                "Use s, m or h.",
            )


def _links(key: str, node: Node, line: int, where: str) -> Iterator[Issue]:
    text = node.text.strip()
    match = _URL.fullmatch(text[:2100]) if node.kind == TEXT and ":/" in text[:40] else None
    if match is None or "\n" in text or match["scheme"].lower() in ("file", "jdbc", "sqlite", "unix", "data"):
        return
    scheme, rest = match["scheme"].lower(), match["rest"]
    fault = ""
    if scheme in _TYPOS:
        fault = "its scheme is misspelt"
    elif len(match["slashes"]) == 1 and scheme in ("http", "https", "ftp", "ws", "wss") and rest:
        fault = "a slash is missing after the scheme"
    elif len(match["slashes"]) == 3 and scheme in ("http", "https", "ws", "wss"):
        fault = "it has no host"
    elif re.match(r"https?:/{0,2}", rest) and scheme in ("http", "https"):
        fault = "it has two schemes"
    else:
        host = re.split(r"[/?#]", rest, maxsplit=1)[0].rpartition("@")[2]
        port = re.search(r":(\d{1,10})$", host)
        if port is not None and int(port[1]) > 65535:
            fault = "its port is above 65535"
        elif (
            " " in host
            and scheme in ("http", "https")
            and len(text.split()) == 2
            and re.search(r"(?:url|uri|endpoint|host)$", key)
        ):
            fault = "a space stands in its host"
        elif not host and scheme in ("http", "https"):
            fault = "it has no host"
    if fault:
        yield Issue(line, _S.HIGH, _T.INVALID_VALUES, "url", f"{where} is no address: {fault}", "Correct it.")


def _unfilled(key: str, node: Node, line: int, where: str, document: Document) -> Iterator[Issue]:
    text = node.text.strip()
    if (node.kind == NULL or not text) and _SECRET.search(key) and node.kind in (TEXT, NULL):
        # A contract or a schema names such keys without holding them.
        if document.syntax in ("env", "properties", "ini") or not re.search(
            r"(?:schema|openapi|swagger)", document.name
        ):
            yield Issue(
                line,
                _S.MEDIUM,
                _T.MISSING_PART,
                "empty-secret",
                f"{where} is empty",
                "Set it, or remove it and read it from a secret store.",
            )
        return
    if node.kind != TEXT or not text or len(text) > 200:
        return
    if _UNCLOSED.search(text) and "\n" not in text:
        yield Issue(
            line,
            _S.HIGH,
            _T.INVALID_VALUES,
            "unclosed-placeholder",
            f"{where} holds a placeholder that is never closed",
            "Close it.",
        )
    elif _PLACEHOLDER.fullmatch(text) and not re.search(
        r"(?:description|comment|title|label|placeholder|text|message|pattern|html)", key
    ):
        severity = _S.MEDIUM if _SECRET.search(key) or re.search(r"(?:url|host|domain|email|key|id)$", key) else _S.LOW
        yield Issue(line, severity, _T.MISSING_PART, "placeholder", f"{where} still holds a placeholder", "Fill it in.")
    elif document.syntax in ("env", "properties") and _MUSTACHE.fullmatch(text):
        yield Issue(
            line,
            _S.MEDIUM,
            _T.MISSING_PART,
            "placeholder",
            f"{where} holds a placeholder that nothing here resolves",
            "Fill it in.",
        )
    elif document.syntax == "env" and not node.text.startswith("'"):
        for name in re.findall(r"\$\{([A-Za-z_]\w{0,80})\}", text):
            if name not in document.root.map and name not in ("HOME", "USER", "PWD", "PATH", "HOSTNAME"):
                yield Issue(
                    line,
                    _S.LOW,
                    _T.BROKEN_REFERENCE,
                    "unset-variable",
                    f"{where} uses `{name}`, which this file does not set",
                    "Set it, or make sure that the environment does.",
                )
