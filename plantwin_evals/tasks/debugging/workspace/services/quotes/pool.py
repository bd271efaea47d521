"""A bounded pool of database connections."""

import queue
import time


class PoolTimeout(TimeoutError):
    """No connection became free in time."""


class Pool:
    """At most `size` connections; whoever waits longer than `timeout` seconds is refused."""

    def __init__(self, connect, size=40, timeout=2.0):
        self._free = queue.LifoQueue(size)
        self._timeout = timeout
        for _ in range(size):
            self._free.put(connect)
        self.size = size

    def take(self):
        """A connection. Give it back with `give`."""
        began = time.monotonic()
        try:
            connect = self._free.get(timeout=self._timeout)
        except queue.Empty:
            waited = time.monotonic() - began
            raise PoolTimeout(f"QueuePool limit of size {self.size} reached, connection timed out, waited {waited:.1f} s") from None
        return connect()

    def give(self, connection):
        """Back into the pool."""
        self._free.put(lambda: connection)
