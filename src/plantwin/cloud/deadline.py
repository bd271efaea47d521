"""A network backend under one deadline: no drip of bytes, in whatever phase, can outlast it."""

from __future__ import annotations

import logging
import ssl
import time
from collections.abc import Callable, Iterable
from typing import Any

import httpcore

from plantwin.cloud.endpoint import loopback

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
