"""How much memory all processes of the tests have together.

The limit on a process's address space holds for each of them alone. So the worker, which is the first process of its
namespace and which no test can stop, adds up what the others have, and what lies in the folders that are in memory.
"""

from __future__ import annotations

import os
import re
import resource

FOLDERS = ("/tmp", "/dev/shm")  # noqa: S108 (its own)
_HELD = re.compile(rb"^(?:RssAnon|RssShmem|VmSwap|VmPTE):\s+(\d+) kB", re.MULTILINE)
_SHARE = re.compile(rb"^(?:Pss_Anon|Pss_Shmem|SwapPss):\s+(\d+) kB", re.MULTILINE)


def limit() -> int:
    """Bytes that all of them may have: as much as one; none where there is no limit."""
    soft = resource.getrlimit(resource.RLIMIT_AS)[0]
    return 0 if soft == resource.RLIM_INFINITY else soft


def exceeded(most: int) -> bool:
    """Whether the processes of this namespace, and its folders in memory, hold more than `most` bytes."""
    processes = [each for each in os.listdir("/proc") if each.isdigit() and int(each) != os.getpid()]  # noqa: PTH208
    left = most - sum(map(_filled, FOLDERS))
    if sum(_sum(f"/proc/{each}/status", _HELD) for each in processes) <= left:
        return False
    # Pages that a fork shares with its parent count once. Reading this takes long, so only where it may matter; a
    # process that lets nobody look counts in full.
    return (
        sum(_sum(f"/proc/{each}/smaps_rollup", _SHARE) or _sum(f"/proc/{each}/status", _HELD) for each in processes)
        > left
    )


def _sum(file: str, pattern: re.Pattern[bytes]) -> int:
    try:
        with open(file, "rb") as opened:  # noqa: PTH123 (asked often)
            return 1024 * sum(map(int, pattern.findall(opened.read())))
    except OSError:
        return 0


def _filled(folder: str) -> int:
    try:
        found = os.statvfs(folder)
    except OSError:
        return 0
    return (found.f_blocks - found.f_bfree) * found.f_frsize
