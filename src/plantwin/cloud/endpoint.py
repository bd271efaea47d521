"""Where a planner is: one origin, its audience, and whether it is on this machine."""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from plantwin.errors import InputError

PROVIDERS: Final = {
    "api.openai.com": "openai",
    "openrouter.ai": "openrouter",
    "api.anthropic.com": "anthropic",
    "generativelanguage.googleapis.com": "google",
    "api.groq.com": "groq",
    "api.mistral.ai": "mistral",
    "api.deepseek.com": "deepseek",
    "api.together.xyz": "together",
    "api.x.ai": "xai",
    "ollama.com": "ollama",
}
"""Known hosts and the provider behind each."""
SUFFIXES: Final = {
    ".openai.azure.com": "azure",
    ".services.ai.azure.com": "azure",
    ".cognitiveservices.azure.com": "azure",
    ".api.openai.com": "openai",
    ".googleapis.com": "google",
}
"""Hosts of which every customer has one."""
LOOPBACK: Final = "loopback"
"""The audience of everything on this machine that is not trusted: a port here may lead elsewhere."""

_host = re.compile(r"[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\]")
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
        """The provider, or the host of one that is not known."""
        if self.local:
            return LOOPBACK
        known = PROVIDERS.get(self.host)
        if known is None:
            known = next((name for suffix, name in SUFFIXES.items() if self.host.endswith(suffix)), self.host)
        name = re.sub(r"[^a-z0-9._-]", "-", known).strip("-")
        if len(name) > 64:
            raise InputError("a host of over 64 characters: give this planner an `audience` in your configuration")
        return name


def endpoint_of(url: str, *, plain_http: bool = False) -> Endpoint:
    """The endpoint that a base URL names. What cannot be sent to safely is refused; nothing of it is quoted."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise InputError("a planner's URL that is none: https://HOST/PATH is needed") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.fragment:
        raise InputError("a planner's URL that is none: https://HOST/PATH is needed")
    if parts.username is not None or parts.password is not None:
        raise InputError("a planner's URL with a name or password in it: keys come from the environment or the keyring")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname.rstrip(".")
    if not _host.fullmatch(host) or not _path.fullmatch(parts.path) or not _query.fullmatch(parts.query):
        raise InputError("a planner's URL with unusual characters: give its host in ASCII (xn--…)")
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
    try:
        return ipaddress.ip_address(literal).is_loopback
    except ValueError:
        pass
    if literal != "localhost" and not literal.endswith(".localhost"):
        # Only names that are meant for it are looked up: asking a resolver for others would tell it of them.
        return False
    try:
        found = {each[4][0] for each in socket.getaddrinfo(literal, None, type=socket.SOCK_STREAM)}
    except OSError:
        return False
    return bool(found) and all(loopback(str(address)) for address in found)


def loopback(address: str) -> bool:
    """Whether the address of a connection's other end is on this machine."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(parsed, "ipv4_mapped", None)
    return bool((mapped or parsed).is_loopback)
