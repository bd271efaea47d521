"""One HTTP request to one origin. Bounded in time and size, verified, and never redirected.

It is built on httpcore, which knows no redirects, cookies, environment or compression: what it does not do cannot
carry a payload elsewhere. Proxies are used for https alone, as a tunnel, so that they see no payload either; never
for this machine.
"""

from __future__ import annotations

import email.utils
import logging
import math
import random
import socket
import ssl
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

import httpcore
import msgspec

from plantwin.cloud.endpoint import Endpoint, loopback
from plantwin.errors import InputError, PlannerError

if TYPE_CHECKING:
    import httpcore


# At its finest level it writes down what a server's headers say, which can be anything, also what we sent.
logging.getLogger("httpcore").setLevel(logging.WARNING)


class Elsewhere(httpcore.ConnectError):
    """The other end is not where it was said to be."""


class Stream(httpcore.NetworkStream):
    """A connection whose every wait ends at the deadline."""

    def __init__(self, inner: httpcore.NetworkStream, left: Callable[[float | None], float]) -> None:
        self._inner = inner
        self._left = left

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Read some."""
        return self._inner.read(max_bytes, self._left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Write all, a piece at a time, so that the deadline holds between pieces."""
        for start in range(0, len(buffer), 1 << 16):
            self._inner.write(buffer[start : start + (1 << 16)], self._left(timeout))

    def close(self) -> None:
        """Close it."""
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        """Encrypt it."""
        # An address in brackets is how URLs write it; certificates hold it bare.
        name = server_hostname.strip("[]") if server_hostname else None
        return Stream(self._inner.start_tls(ssl_context, name, self._left(timeout)), self._left)

    def get_extra_info(self, info: str) -> Any:
        """What is known of the connection."""
        return self._inner.get_extra_info(info)


class Backend(httpcore.NetworkBackend):
    """Connects until a moment of the monotonic clock; where `local`, to this machine alone."""

    def __init__(self, until: float, *, local: bool) -> None:
        self._until = until
        self._local = local
        self._inner = httpcore.SyncBackend()

    def left(self, timeout: float | None) -> float:
        """How long one wait may take."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout("deadline")
        return left if timeout is None else min(left, timeout)

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect, and look where to before anything is written."""
        stream = self._inner.connect_tcp(
            host.strip("[]"), port, self.left(timeout), local_address, tuple(socket_options or ())
        )
        if self._local and not loopback(str(stream.get_extra_info("server_addr")[0])):
            stream.close()
            raise Elsewhere("not on this machine")
        return Stream(stream, self.left)


MAX_BODY: Final = 8 << 20
"""Bytes of an answer with everything around it."""


class LostError(PlannerError):
    """The connection could not be made or broke off: worth another try."""


class UnusableError(PlannerError):
    """The model was asked and answered, and there is no plan in it: it was cut off, declined or is too long."""


@dataclass(frozen=True)
class Line:
    """How to reach an endpoint."""

    connect_seconds: float = 10.0
    read_seconds: float = 60.0
    """The longest silence."""
    proxy: str | None = None
    """A proxy's URL; `none` for no proxy; None for what the environment says."""
    ca: str | None = None
    """A file of certificates to trust instead of the system's."""


class Reply:
    """Status, headers and a body that is read as it comes."""

    def __init__(self, response: httpcore.Response) -> None:
        self.status = response.status
        self.headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
        self._response = response

    def chunks(self) -> Iterator[bytes]:
        """The body, as far as an answer may be long."""
        if self.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
            raise PlannerError("the planner's answer is compressed, though that was not asked for")
        total = 0
        for chunk in self._response.iter_stream():
            total += len(chunk)
            if total > MAX_BODY:
                raise UnusableError("the planner's answer is too large")
            yield chunk

    @property
    def media(self) -> str:
        """The media type."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


class Transport:
    """Requests to one endpoint, each on a connection of its own."""

    def __init__(self, endpoint: Endpoint, line: Line) -> None:
        self.endpoint = endpoint
        self._line = line
        self._proxy = proxy_for(endpoint, line.proxy)

    def listened(self, seconds: float = 5.0) -> bool:
        """Whether anything listens there. Nothing is sent."""
        try:
            socket.create_connection((self.endpoint.host.strip("[]"), self.endpoint.port), timeout=seconds).close()
        except OSError:
            return False
        return True

    @contextmanager
    def request(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None, until: float
    ) -> Iterator[Reply]:
        """Send it; everything is over at `until` on the monotonic clock."""
        import httpcore

        endpoint = self.endpoint
        target, _, query = path.partition("?")
        query = "&".join(part for part in (query, endpoint.query) if part)
        url = httpcore.URL(
            scheme=endpoint.scheme, host=endpoint.host, port=endpoint.port,
            target=endpoint.path + target + (f"?{query}" if query else ""),
        )  # fmt: skip
        fields = {
            "Host": endpoint.origin.partition("://")[2],
            "User-Agent": "plantwin",
            "Accept-Encoding": "identity",
            "Connection": "close",
            **headers,
        }
        if body is not None:
            fields["Content-Length"] = str(len(body))
        line = self._line
        timeout = {"connect": line.connect_seconds, "read": line.read_seconds, "write": line.read_seconds, "pool": 1.0}
        try:
            with (
                httpcore.ConnectionPool(
                    ssl_context=trusted(line.ca) if endpoint.scheme == "https" else None,
                    proxy=self._proxy,
                    network_backend=Backend(until, local=endpoint.local and self._proxy is None),
                ) as pool,
                pool.stream(
                    method, url, headers=list(fields.items()), content=body, extensions={"timeout": timeout}
                ) as response,
            ):
                yield Reply(response)
        except Elsewhere:
            raise PlannerError("the planner's name leads away from this machine: nothing was sent") from None
        except httpcore.ConnectTimeout:
            raise LostError("the planner cannot be reached in time: check its address and your network") from None
        except httpcore.TimeoutException:
            over = time.monotonic() >= until
            why = "did not finish in time" if over else "fell silent"
            raise PlannerError(f"the planner {why}: try again, or allow it more seconds") from None
        except httpcore.ProxyError:
            raise PlannerError("the proxy refused the connection: check its address and your rights") from None
        except httpcore.ConnectError as error:
            raise _unconnected(error) from None
        except (httpcore.NetworkError, httpcore.RemoteProtocolError):
            raise LostError("the connection to the planner broke off, or what came back is not HTTP") from None
        except httpcore.LocalProtocolError:
            raise PlannerError("the request to the planner cannot be made: check its key and headers") from None


def _unconnected(error: BaseException) -> PlannerError:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return PlannerError("the planner's certificate is not trusted: set `ca` for it, if it is your own")
        if isinstance(cause, ssl.SSLError):
            return PlannerError("no encrypted connection to the planner can be made: check its address")
        cause = cause.__cause__ or cause.__context__
    return LostError("the planner cannot be reached: check its address, and that it is running")


def trusted(ca: str | None) -> ssl.SSLContext:
    """Certificates are always checked: against the person's own file, the system's, or those that ship with Python."""
    try:
        if ca is not None:
            return ssl.create_default_context(cafile=ca)
    except (OSError, ssl.SSLError):
        raise InputError("the file of certificates (`ca`) cannot be used: name a PEM file") from None
    context = ssl.create_default_context()
    paths = ssl.get_default_verify_paths()
    if paths.cafile is None and paths.capath is None:
        import certifi

        context.load_verify_locations(certifi.where())
    return context


def proxy_for(endpoint: Endpoint, chosen: str | None) -> httpcore.Proxy | None:
    """The proxy for an endpoint: none for this machine or where the payload would be in the open."""
    if endpoint.local or endpoint.scheme != "https" or chosen == "none":
        return None
    url = chosen if chosen is not None else _proxy_of_environment(endpoint.host)
    if not url:
        return None
    import httpcore

    parts = urlsplit(url if "://" in url else f"http://{url}")
    try:
        port = parts.port
    except ValueError:
        port = None
    if parts.scheme not in ("http", "https") or not parts.hostname or port is None:
        raise InputError("not a valid proxy: http://HOST:PORT is needed")
    if chosen is not None and parts.username:
        raise InputError("a proxy with a name or password in your configuration: put it into https_proxy instead")
    auth = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return httpcore.Proxy(f"{parts.scheme}://{host}:{port}", auth=auth)


def _proxy_of_environment(host: str) -> str:
    """`https_proxy` or `all_proxy`, unless `no_proxy` names the host."""
    from urllib.request import getproxies_environment, proxy_bypass

    if proxy_bypass(host):
        return ""
    found = getproxies_environment()
    # In a CGI program a visitor's header could set HTTP_PROXY; only https_proxy and all_proxy are looked at.
    return found.get("https", "") or found.get("all", "")


DONE: Final = b"[DONE]"
"""How an OpenAI-compatible stream ends."""


def messages(reply: Reply) -> Iterator[dict[str, Any]]:
    """Every JSON object of the body, by its media type."""
    if reply.media == "text/event-stream":
        return _parsed(events(reply.chunks()))
    if reply.media in ("application/x-ndjson", "application/jsonl"):
        return _parsed(line for line in lines(reply.chunks()) if line.strip())
    return _parsed(iter([b"".join(reply.chunks())]))


def events(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The data of each server-sent event, until the stream says that it is done."""
    data: list[bytes] = []
    for line in lines(chunks):
        if not line:
            if data:
                yield b"\n".join(data)
            data = []
        elif line.startswith(b"data:"):
            value = line[5:].removeprefix(b" ")
            if value.strip() == DONE:
                return
            data.append(value)
    if data:  # a last event without the empty line after it
        yield b"\n".join(data)


def lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Lines without their ends; every byte is looked at once."""
    parts: list[bytes] = []
    for chunk in chunks:
        first, *rest = chunk.split(b"\n")
        parts.append(first)
        for part in rest:
            yield b"".join(parts).removesuffix(b"\r")
            parts = [part]
    if any(parts):
        yield b"".join(parts).removesuffix(b"\r")


def _parsed(texts: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    for text in texts:
        try:
            tree = msgspec.json.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise LostError("the planner's reply is not in its provider's format, or broke off") from None
        if not isinstance(tree, dict):
            raise PlannerError("the planner's reply is not in its provider's format")
        yield tree


AGAIN: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Status codes after which the same request may succeed."""
FIRST: Final = 0.5
LONGEST: Final = 20.0
"""Seconds between two tries, at first and at most."""

_chance = random.SystemRandom()


def pause(attempt: int, headers: Mapping[str, str]) -> float | None:
    """Seconds to wait before the next try (from 0); None when the server wants longer than is sensible."""
    asked = _asked(headers)
    if asked is not None and asked > LONGEST:
        return None
    backoff = min(LONGEST, FIRST * 2.0 ** min(attempt, 16))
    return max(asked or 0.0, _chance.uniform(backoff / 2, backoff))


def _asked(headers: Mapping[str, str]) -> float | None:
    """What the server asks for: seconds, milliseconds or a date."""
    text = headers.get("retry-after-ms", "")
    seconds = _number(text)
    if seconds is not None:
        return seconds / 1000
    text = headers.get("retry-after", "")
    seconds = _number(text)
    if seconds is not None:
        return seconds
    if not text or len(text) > 64:
        return None
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, OverflowError, OSError):
        return None


def _number(text: str) -> float | None:
    try:
        number = float(text[:32])
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
