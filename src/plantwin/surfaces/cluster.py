"""A Dask cluster whose workers read files and carry out steps: `--on dask://HOST:PORT`.

Dask moves parts and replies, both opaque bytes, and starts a process for each part; a worker that is lost costs the
parts that it had, which others do again. Parts hold names of files: off this machine they travel by TLS or not at all.
"""

from __future__ import annotations

import ipaddress
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from plantwin.errors import InputError

if TYPE_CHECKING:
    from distributed import Client

CONNECT_SECONDS = 10.0
PART_SECONDS = 3600.0
"""After so long a part is given up, and done here."""
AHEAD = 3
"""Parts that are handed out for each thread of the cluster: the next ones wait there."""
TRIES = 2
"""How often a part is begun again whose process failed."""


class DaskCluster:
    """Workers of one Dask scheduler. Each `spread` connects anew, so that no thread is left behind."""

    def __init__(self, address: str, root: str = "") -> None:
        """`address`: `dask://HOST:PORT` on this machine, `dask+tls://HOST:PORT` anywhere. `root`: see `Cluster`."""
        self.root = root
        self._address = _transport(address)

    def spread(self, parts: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
        """Have every part done: its number and the reply, which is empty where no worker could."""
        from distributed import as_completed

        client = self._connected()
        try:
            left = enumerate(parts)
            threads = max(1, sum(client.nthreads().values()))
            numbers: dict[object, int] = {}
            waiting = as_completed(loop=client.loop, raise_errors=False)

            def hand_out() -> bool:
                number, part = next(left, (-1, b""))
                if number >= 0:
                    future = client.submit(do, part, pure=False, retries=TRIES)
                    numbers[future.key] = number
                    waiting.add(future)
                return number >= 0

            while len(numbers) < threads * AHEAD and hand_out():
                pass
            for future in waiting:
                reply = future.result() if future.status == "finished" else b""
                yield numbers.pop(future.key), reply if isinstance(reply, bytes) else b""
                future.release()
                hand_out()
        finally:
            client.close()

    def _connected(self) -> Client:
        from distributed import Client
        from distributed.security import Security

        security = None
        if self._address.startswith("tls:"):
            security = Security(require_encryption=True)
            if security.get_connection_args("client").get("ssl_context") is None:
                raise InputError("--on: TLS needs certificates: set distributed.comm.tls in Dask's own configuration")
        place = urlsplit(self._address)
        try:
            # Asked first: a client that never connected takes long to close.
            socket.create_connection((place.hostname or "", place.port or 0), CONNECT_SECONDS).close()
            client = Client(self._address, timeout=CONNECT_SECONDS, set_as_default=False, security=security)
        except (OSError, ValueError, TimeoutError) as error:
            raise InputError(
                f"no Dask scheduler answers at {self._address} ({type(error).__name__}): start one with"
                " `dask scheduler` and workers with `dask worker`, or leave --on out"
            ) from None
        if not client.nthreads():
            client.close()
            raise InputError(f"the Dask scheduler at {self._address} has no workers: start some with `dask worker`")
        return client


def do(part: bytes) -> bytes:
    """Do a part in a process of its own, on the worker's machine."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "plantwin.private.node"],
        input=part, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=PART_SECONDS, check=True,
    )  # fmt: skip
    return done.stdout


def _transport(address: str) -> str:
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port, parts = "", None, urlsplit("")
    if parts.scheme not in ("dask", "dask+tls") or not host or port is None:
        raise InputError(
            "--on: an address such as dask://127.0.0.1:8786 or dask+tls://scheduler.example:8786 is needed"
        )
    if parts.scheme == "dask" and not _loopback(host):
        raise InputError(
            "--on: names of files would travel unencrypted. Use dask+tls://, with certificates in Dask's own"
            " configuration (distributed.comm.tls)"
        )
    return f"{'tls' if parts.scheme == 'dask+tls' else 'tcp'}://{f'[{host}]' if ':' in host else host}:{port}"


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def cluster_at(address: str, root: str = "") -> DaskCluster:
    """The cluster at an address."""
    import importlib.util

    if importlib.util.find_spec("distributed") is None:
        raise InputError("--on needs Dask: pip install 'plantwin[cluster]'")
    return DaskCluster(address, root)
