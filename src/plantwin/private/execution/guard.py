"""A process that outlives this one by a moment: it kills what was started here, should this one be killed.

`bwrap --die-with-parent` alone leaves some behind: killed between the clone of its first process and the word that lets
it go on, it leaves that one waiting for ever, bound to nobody. So the guard is told of each process group before the
sandbox is told what to do, and kills the groups that are left when its pipe from this process closes.
"""

from __future__ import annotations

import contextlib
import os
import threading

_SHELL = "/bin/sh"
_SCRIPT = """trap '' HUP INT TERM QUIT
groups=
while read -r sign group; do
  if [ "$sign" = + ]; then groups="$groups $group"; continue; fi
  left=
  for each in $groups; do [ "$each" = "$group" ] || left="$left $each"; done
  groups=$left
done
for each in $groups; do kill -s KILL -- "-$each"; done"""

_lock = threading.RLock()
_groups: set[int] = set()
_pipe = -1


def watch(group: int) -> None:
    """Have this process group killed when this process ends. `OSError` where there can be no guard."""
    with _lock:
        _groups.add(group)
        _say(f"+ {group}\n")


def release(group: int) -> None:
    """It has been killed already, and is not reaped yet: its number will soon be another's."""
    with _lock:
        _groups.discard(group)
        with contextlib.suppress(OSError):
            _say(f"- {group}\n")


def _say(line: str) -> None:
    global _pipe
    if _pipe >= 0:
        try:
            os.write(_pipe, line.encode())
            return
        except BrokenPipeError:
            # Somebody ended the guard: another takes over.
            os.close(_pipe)
            _pipe = -1
    _pipe = _started()
    os.write(_pipe, "".join(f"+ {each}\n" for each in _groups).encode())


def _started() -> int:
    """Start a guard; the end of the pipe by which it is told."""
    reading, writing = os.pipe()
    try:
        null = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
        actions = [(os.POSIX_SPAWN_DUP2, reading, 0), *null]
        # In a group of its own: an interrupt at the terminal is not meant for it.
        os.posix_spawn(_SHELL, [_SHELL, "-c", _SCRIPT], {}, file_actions=actions, setpgroup=0)
    except OSError:
        os.close(writing)
        raise
    finally:
        os.close(reading)
    return writing


def _forget() -> None:
    """A fork must not hold the pipe open; what it starts has a guard of its own."""
    global _pipe, _lock
    _lock = threading.RLock()
    _groups.clear()
    if _pipe >= 0:
        os.close(_pipe)
        _pipe = -1


os.register_at_fork(after_in_child=_forget)
