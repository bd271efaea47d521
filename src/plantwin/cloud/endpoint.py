"""Where a planner is: one origin, its audience, and whether it is on this machine."""

from __future__ import annotations

import ipaddress
import os
import re
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn
from urllib.parse import urlsplit

from plantwin.errors import InputError

PROVIDERS: Final = {
    domain: name
    for name, domains in {
        "openai": "openai.com chatgpt.com",
        "azure": "azure.com azure.us azure.cn microsoft.com windows.net",
        "anthropic": "anthropic.com claude.ai claude.com",
        "google": "googleapis.com google.com google.dev",
        "aws": "amazonaws.com amazonaws.com.cn api.aws",
        "openrouter": "openrouter.ai",
        "groq": "groq.com",
        "mistral": "mistral.ai",
        "deepseek": "deepseek.com",
        "together": "together.xyz together.ai",
        "xai": "x.ai",
        "ollama": "ollama.com ollama.ai",
        "cohere": "cohere.com cohere.ai",
        "huggingface": "huggingface.co huggingface.cloud hf.space",
        "alibaba": "aliyuncs.com alibabacloud.com",
        "moonshot": "moonshot.ai moonshot.cn",
    }.items()
    for domain in domains.split()
}
"""Domains, each with all hosts below it, and the provider behind them. Whoever runs the servers learns what is sent."""
SECOND: Final = frozenset(["ac", "co", "com", "edu", "go", "gob", "gov", "govt", "ne", "net", "or", "org"])
"""Labels below a country's domain under which others register theirs: example.co.uk."""
ADDRESS: Final = "address"
"""The audience of every host that is named by a number: whose it is, nothing tells."""
LOOPBACK: Final = "loopback"
"""The audience of everything on this machine that is not trusted: a port here may lead elsewhere."""

_host = re.compile(r"(?!.{254})[a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]{2,45}\]")
_number = re.compile(r"(?:\A|\.)(?:[0-9]+|0x[0-9a-f]*)\Z")
"""How a host ends that resolvers take for an IPv4 address, in any of its spellings."""
_path = re.compile(r"(/[A-Za-z0-9._~%-]+)*/?")
_query = re.compile(r"[A-Za-z0-9._~=&%-]*")


@dataclass(frozen=True)
class Endpoint:
    """One origin with the path and query that all requests share."""

    scheme: str
    host: str
    port: int
    path: str
    query: str
    local: bool
    """Whether every address of the host is on this machine; looked at once more on the connection itself."""

    @property
    def origin(self) -> str:
        """Scheme, host and port: what a request may be sent to."""
        usual = {"https": 443, "http": 80}[self.scheme]
        return f"{self.scheme}://{self.host}" + ("" if self.port == usual else f":{self.port}")

    @property
    def audience(self) -> str:
        """The provider, or the domain of one that is not known: all its hosts and ports are one audience."""
        if self.local:
            return LOOPBACK
        if self.host.startswith("[") or _number.search(self.host):
            return ADDRESS
        labels = self.host.split(".")
        country = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in SECOND
        domain = ".".join(labels[-3:] if country else labels[-2:])
        name = re.sub(r"[^a-z0-9._-]", "-", PROVIDERS.get(domain, domain)).strip("-")
        if len(name) > 64:
            raise InputError("a host of over 64 characters: give this planner an `audience` in your configuration")
        return name


def endpoint_of(url: str, *, plain_http: bool = False) -> Endpoint:
    """The endpoint that a base URL names. What cannot be sent to safely is refused; nothing of it is quoted."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise InputError("not a valid URL of a planner: https://HOST/PATH is needed") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.fragment:
        raise InputError("not a valid URL of a planner: https://HOST/PATH is needed")
    if parts.username is not None or parts.password is not None:
        raise InputError("the URL of a planner holds a name or password: keys come from the environment or the keyring")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname.rstrip(".")
    if not _host.fullmatch(host) or not _path.fullmatch(parts.path) or not _query.fullmatch(parts.query):
        raise InputError("a planner's URL with unusual characters: give its host in ASCII (xn--…)")
    if _number.search(host) and not _quad(host):
        raise InputError("a planner's URL with an unusual number for its host: write it as 192.0.2.1")
    local = on_this_machine(host)
    if parts.scheme == "http" and not local and not plain_http:
        raise InputError(
            "a planner elsewhere over http, where others can read along: use https, "
            "or set unsafe_plain_http = true for it in your configuration"
        )
    default = 443 if parts.scheme == "https" else 80
    return Endpoint(parts.scheme, host, port or default, parts.path.rstrip("/"), parts.query, local)


def on_this_machine(host: str) -> bool:
    """Whether a host is an address of this machine's loopback, or a name all of whose addresses are."""
    literal = host.strip("[]")
    if loopback(literal):
        return True
    if literal != "localhost" and not literal.endswith(".localhost"):
        # Only names that are meant for it are looked up: asking a resolver for others would tell it of them.
        return False
    try:
        found = {address[4][0] for address in socket.getaddrinfo(literal, None, type=socket.SOCK_STREAM)}
    except OSError:
        return False
    return bool(found) and all(loopback(str(address)) for address in found)


def _quad(host: str) -> bool:
    try:
        return str(ipaddress.IPv4Address(host)) == host
    except ValueError:
        return False


def loopback(address: str) -> bool:
    """Whether the address of a connection's other end is on this machine."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(parsed, "ipv4_mapped", None)
    return bool((mapped or parsed).is_loopback)


SERVICE = "plantwin"
"""Under which keys are kept in the keyring: `keyring set plantwin NAME`."""
_key = re.compile(r"[!-~]{1,4096}")


class Key:
    """A secret that can be put into a header and nowhere else."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        if not _key.fullmatch(text):
            raise InputError("a key with spaces or unusual characters: copy it again")
        self._text = text

    def reveal(self) -> str:
        """The secret itself, for the one place that sends it."""
        return self._text

    def __repr__(self) -> str:
        return "<Key>"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise InputError("a key cannot be copied or stored")


def found_key(
    names: Sequence[str], entry: str | None = None, environ: Mapping[str, str] | None = None
) -> tuple[Key, str] | None:
    """A key and where it is from: the first of these variables that is set, else the keyring's entry."""
    environ = os.environ if environ is None else environ
    for name in names:
        if text := environ.get(name, "").strip():
            return Key(text), name
    if entry is not None and (text := _kept(entry)):
        return Key(text), f"keyring {SERVICE}/{entry}"
    return None


def _kept(entry: str) -> str:
    """What the keyring holds. Without the `keyring` extra, or with a locked one, nothing."""
    try:
        import keyring
    except ImportError:
        return ""
    try:
        return (keyring.get_password(SERVICE, entry) or "").strip()
    except Exception:  # every backend has errors of its own; none may be quoted
        return ""
