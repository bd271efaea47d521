"""What a difference or an equality between environments means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plantwin.private.capabilities.environments.settings import Environment
from plantwin.private.capabilities.placed.node import LIST, MAP, NULL, Node
from plantwin.private.capabilities.placed.report import Issue
from plantwin.private.capabilities.validity import moments
from plantwin.private.capabilities.validity.values import snake
from plantwin.private.redact.masking import HIDDEN
from plantwin.vocabulary import OutcomeTag, Severity

_T, _S = OutcomeTag, Severity
Placed = tuple[Environment, Issue]
SECRET = re.compile(
    r"passw|passwd|pwd|secret|token(?!s?_(?:ttl|expir|lifetime|max|limit))|api_?key|private_?key|credential|access_?key|signing_?key|encryption_?key|salt|pepper|dsn$|connection_?string|webhook"
)
_NOT_SECRET = re.compile(
    r"(?:_(?:ttl|expiry|expires|length|file|path|name|algorithm|enabled|minutes|seconds|hours|days|rotation|header|id|url|endpoint|policy|hash_rounds|min|max))$"
)
_USERINFO = re.compile(r"://[^/\s:@]{1,100}:([^/\s@]{1,200})@")
_PLACE = re.compile(
    r"(?:^|_)(?:host|hostname|url|uri|endpoint|server|address|database|db|dbname|db_name|database_name|bucket|queue|topic|index|cluster|broker|brokers|instance|project|account|tenant|namespace|dsn)$"
)
_DEBUG = re.compile(
    r"(?:^|_)debug(?:_?mode|_enabled)?$|(?:^|_)(?:display_errors|show_errors|profiler|dev_mode|hot_reload|autoreload)$"
)
_LEVEL = re.compile(r"(?:^|_)log(?:ging|ger)?_?level$|(?:^|_)logging_level$|^level$")
_SCALE = re.compile(
    r"(?:^|_)(?:replicas|min_replicas|workers|instances|instance_count|desired_count|min_size|pool_size|max_connections|concurrency|threads)$"
)
_TIME = re.compile(
    r"(?:^|_)(?:timeout|interval|ttl|duration|delay|expiry|expires|max_age|lifetime|retention|window|period)(?:_|$)"
)
_SIZE = re.compile(r"(?:^|_)(?:memory|size|storage|heap|quota|disk|limit_bytes|max_bytes)(?:_|$)")
_PROTECT = re.compile(
    r"(?:verify|tls|ssl|secure|https|auth|csrf|encrypt|hsts|http_only|validate|protection|backup|firewall|audit)"
)
_OWN = {"production": ("production",), "staging": ("staging",), "test": ("test",), "development": ("development",)}
_SPEAKS = {
    "production": re.compile(r"(?:^|[^a-z])(?:prod|production|prd)(?:$|[^a-z])", re.IGNORECASE),
    "staging": re.compile(r"(?:^|[^a-z])(?:stag(?:e|ing)|stg|sandbox|uat)(?:$|[^a-z])", re.IGNORECASE),
    "test": re.compile(r"(?:^|[^a-z])(?:tests?|testing|qa)(?:$|[^a-z])", re.IGNORECASE),
    "development": re.compile(r"(?:^|[^a-z])(?:dev|development|localhost|127\.0\.0\.1)(?:$|[^a-z])", re.IGNORECASE),
}
_COMMON = re.compile(
    r"(?:localhost|127\.0\.0\.1|0\.0\.0\.0|::1|true|false|default|public|postgres|mysql|redis|db|app|web|main|\d{1,6})",
    re.IGNORECASE,
)


def is_secret(path: str, node: Node) -> bool:
    """Whether a value is not to be shown."""
    name = snake(path)
    if _USERINFO.search(node.text):
        return True
    return (
        bool(SECRET.search(name))
        and not _NOT_SECRET.search(name)
        and not node.true
        and not node.false
        and node.kind != "number"
    )


def secret_part(node: Node) -> str:
    """What of a value is secret: the password of an address, or all of it."""
    match = _USERINFO.search(node.text)
    return match[1] if match is not None else node.text


def shown(path: str, node: Node | None, letters: dict[str, str], hidden: bool) -> str:
    """A value for the table; of a secret, a letter that is the same for equal values."""
    if node is None:
        return "—"
    if node.kind in (MAP, LIST):
        return "(empty)"
    if node.kind == NULL or not node.text:
        return "(empty)"
    if is_secret(path, node) or hidden:
        letter = letters.setdefault(node.text, chr(65 + len(letters) % 26))
        return f"{HIDDEN} ({letter})"
    return node.text


def same(first: Node, second: Node) -> bool:
    """Whether two values mean the same: `30s` and `30`, `true` and `"true"`."""
    if first.text == second.text:
        return True
    if (first.true and second.true) or (first.false and second.false):
        return True
    return first.number is not None and first.number == second.number


def issues(path: str, values: Sequence[tuple[Environment, Node, int]]) -> Iterator[Placed]:
    """What one setting that several environments have tells."""
    name = snake(path)
    last = snake(path.rpartition(".")[2])
    for environment, node, line in values:
        if environment.grave:
            yield from _production(environment, path, last, node, line)
        yield from _foreign(environment, path, name, last, node, line)
    yield from _shared(path, last, values)
    yield from _types(path, values)
    yield from _amounts(path, name, last, values)


def _production(environment: Environment, path: str, last: str, node: Node, line: int) -> Iterator[Placed]:
    if _DEBUG.search(last) and node.true:
        yield (
            environment,
            Issue(
                line,
                _S.HIGH,
                _T.INSECURE_SETTING,
                "debug in production",
                f"`{path}` turns debugging on in production",
                "Turn it off.",
            ),
        )
    elif _LEVEL.search(last) and node.text.strip().lower() in ("debug", "trace", "verbose", "all"):
        yield (
            environment,
            Issue(
                line,
                _S.MEDIUM,
                _T.INSECURE_SETTING,
                "debug in production",
                f"`{path}` logs at {node.text.strip()[:10]} in production",
                "Use info or warning.",
            ),
        )
    elif _PROTECT.search(last) and node.false and not re.search(r"(?:skip|disable|insecure|allow|without|no_)", last):
        yield (
            environment,
            Issue(
                line,
                _S.HIGH,
                _T.INSECURE_SETTING,
                "protection off in production",
                f"`{path}` is off in production",
                "Turn it on.",
            ),
        )
    elif re.search(r"(?:skip|disable|insecure).*(?:verify|tls|ssl|auth|csrf)", last) and node.true:
        yield (
            environment,
            Issue(
                line,
                _S.HIGH,
                _T.INSECURE_SETTING,
                "protection off in production",
                f"`{path}` is on in production",
                "Turn it off.",
            ),
        )


def _foreign(environment: Environment, path: str, name: str, last: str, node: Node, line: int) -> Iterator[Placed]:
    """A value that speaks of another stage."""
    if environment.stage in ("", "example") or node.kind != "text" or not _PLACE.search(last) or len(node.text) > 500:
        return
    if environment.grave and re.search(r"(?:^|[/@,])(?:localhost|127\.0\.0\.1)(?:[:/]|$)", node.text):
        yield (
            environment,
            Issue(
                line,
                _S.MEDIUM,
                _T.CROSS_ENVIRONMENT,
                "localhost in production",
                f"`{path}` of production points to the machine itself",
                "Check that the service runs there.",
            ),
        )
        return
    for stage, pattern in _SPEAKS.items():
        if stage == environment.stage or not pattern.search(node.text) or _SPEAKS[environment.stage].search(node.text):
            continue
        if environment.grave and (stage == "staging" or stage == "test" or stage == "development"):
            yield (
                environment,
                Issue(
                    line,
                    _S.HIGH,
                    _T.CROSS_ENVIRONMENT,
                    "production uses another stage",
                    f"`{path}` of production points to {stage}",
                    "Point it to production's own.",
                ),
            )
        elif stage == "production":
            yield (
                environment,
                Issue(
                    line,
                    _S.HIGH,
                    _T.CROSS_ENVIRONMENT,
                    "uses production",
                    f"`{path}` of {environment.stage} points to production",
                    f"Point it to {environment.stage}'s own.",
                ),
            )
        return


def _shared(path: str, last: str, values: Sequence[tuple[Environment, Node, int]]) -> Iterator[Placed]:
    """What production and another stage should not have in common."""
    for at, (environment, node, line) in enumerate(values):
        for other, twin, _ in values[:at]:
            if (
                environment.stage == other.stage
                or "example" in (environment.stage, other.stage)
                or not {environment.stage, other.stage} & {"production"}
            ):
                continue
            place, against = (environment, other) if environment.grave else (other, environment)
            at_line = line if environment.grave else next(found for each, _, found in values if each is other)
            if is_secret(path, node) and is_secret(path, twin):
                if secret_part(node) == secret_part(twin) != "" and not re.match(
                    r"\$\{|\{\{|<|vault:|ssm:|secretsmanager", node.text
                ):
                    yield (
                        place,
                        Issue(
                            at_line,
                            _S.HIGH,
                            _T.REUSED_SECRET,
                            "shared secret",
                            f"`{path}` is the same secret in production and {against.stage or against.label}",
                            "Give each environment its own.",
                        ),
                    )
            elif (
                _PLACE.search(last)
                and node.kind == "text"
                and node.text == twin.text
                and not _COMMON.fullmatch(node.text.strip())
                and not re.search(r"\$\{|\{\{|^arn:aws:iam::aws|^https?://(?:www\.)?(?:github|docs|schema)", node.text)
            ):
                store = re.search(r"(?:database|db|dsn|bucket|queue|redis|cache|broker|host)", snake(path)) is not None
                yield (
                    place,
                    Issue(
                        at_line,
                        _S.HIGH if store else _S.LOW,
                        _T.CROSS_ENVIRONMENT,
                        "shared place",
                        f"`{path}` is the same place in production and {against.stage or against.label}",
                        "Check that they are meant to share it.",
                    ),
                )


def _kind(node: Node) -> str:
    return (
        "truth"
        if node.true or (node.false and not node.text.isdigit())
        else "number"
        if node.number is not None
        else "text"
    )


def _types(path: str, values: Sequence[tuple[Environment, Node, int]]) -> Iterator[Placed]:
    kinds = {
        _kind(node)
        for _, node, _ in values
        if node.scalar and node.text and "$" not in node.text and "{" not in node.text
    }
    if (
        len(kinds) > 1
        and not (kinds <= {"number", "truth"})
        and not re.search(r"(?:version|tag|id|name|port)$", snake(path))
    ):
        durations = all(
            moments.seconds(node.text) is not None or moments.size(node.text) is not None
            for _, node, _ in values
            if node.scalar
        )
        if not durations:
            environment, _, line = values[-1]
            yield (
                environment,
                Issue(
                    line,
                    _S.LOW,
                    _T.MIXED_TYPES,
                    "type differs",
                    f"`{path}` is a {' here and a '.join(sorted(kinds))} there",
                    "Use one type.",
                ),
            )


def _amount(name: str, node: Node) -> float | None:
    if node.number is not None:
        return node.number
    if _TIME.search(name):
        return moments.seconds(node.text)
    return moments.size(node.text) if _SIZE.search(name) else None


def _amounts(path: str, name: str, last: str, values: Sequence[tuple[Environment, Node, int]]) -> Iterator[Placed]:
    amounts = [
        (environment, amount, line)
        for environment, node, line in values
        if (amount := _amount(name, node)) is not None and environment.stage != "example"
    ]
    main = next((each for each in amounts if each[0].grave), None)
    if main is None or len(amounts) < 2:
        return
    environment, mine, line = main
    for other, theirs, _ in amounts:
        if other.grave:
            continue
        if _SCALE.search(last) and 0 <= mine < theirs:
            yield (
                environment,
                Issue(
                    line,
                    _S.MEDIUM,
                    _T.VALUE_DIFFERS,
                    "production is smaller",
                    f"`{path}` is {mine:g} in production and {theirs:g} in {other.stage or other.label}",
                    "Production usually needs more.",
                ),
            )
        elif (
            (_TIME.search(name) or _SIZE.search(name))
            and mine > 0
            and theirs > 0
            and max(mine, theirs) / min(mine, theirs) >= 10
        ):
            factor = max(mine, theirs) / min(mine, theirs)
            yield (
                environment,
                Issue(
                    line,
                    _S.LOW,
                    _T.VALUE_DIFFERS,
                    "magnitude",
                    f"`{path}` of production and {other.stage or other.label} differ {factor:.0f}-fold",
                    "Check the unit.",
                ),
            )
