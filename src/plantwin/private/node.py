"""One part of the work of another machine: the part comes in, its reply goes out. `python -m plantwin.private.node`

A process of its own for each part: what hangs can be killed, and a parser's memory goes with it.
"""

from __future__ import annotations

import sys

import msgspec


def reply_to(data: bytes) -> bytes:
    """Do a part, and return its reply; empty for what cannot be done here."""
    from plantwin.private.cluster import ReadPart, read
    from plantwin.private.execution.elsewhere import StepPart, carried_out

    try:
        part: ReadPart | StepPart = msgspec.msgpack.decode(data, type=ReadPart | StepPart)
    except msgspec.MsgspecError:
        return b""
    return read(part) if isinstance(part, ReadPart) else carried_out(part)


if __name__ == "__main__":
    sys.stdout.buffer.write(reply_to(sys.stdin.buffer.read()))
