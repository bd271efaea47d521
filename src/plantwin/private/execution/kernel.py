"""Asks the Linux kernel to refuse this process some system calls: network, other processes, other people's memory.

What it is asked and does not do raises: a worker that cannot be confined ends.

And the guard: a process that outlives this one by a moment: it kills what was started here, should this one be killed.

`bwrap --die-with-parent` alone leaves some behind: killed between the clone of its first process and the word that lets
it go on, it leaves that one waiting for ever, bound to nobody. So the guard is told of each process group before the
sandbox is told what to do, and kills the groups that are left when its pipe from this process closes.
"""

from __future__ import annotations

import contextlib
import os
import signal
import struct
import sys
import threading

# Numbers of system calls on x86-64 and on arm64; -1 where the architecture has none.
_CALLS = {
    # network
    "socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201),
    "accept": (43, 202), "accept4": (288, 242), "sendto": (44, 206), "sendmsg": (46, 211), "sendmmsg": (307, 269),
    # other processes
    "fork": (57, -1), "vfork": (58, -1), "execve": (59, 221), "execveat": (322, 281), "setsid": (112, 157),
    "setpgid": (109, 154), "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "pidfd_send_signal": (424, 424), "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438), "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    # the sandbox itself
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "fsmount": (432, 432),
    "fsconfig": (431, 431), "fspick": (433, 433), "mount_setattr": (442, 442), "open_tree_attr": (467, 467),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    # memory that no limit of a process counts
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "semget": (64, 190), "semop": (65, 193),
    "semtimedop": (220, 192), "semctl": (66, 191), "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188),
    "msgctl": (71, 187), "mq_open": (240, 180), "memfd_create": (319, 279), "memfd_secret": (447, 447),
    # parts of the kernel that no capability needs
    "bpf": (321, 280), "userfaultfd": (323, 282), "perf_event_open": (298, 241), "keyctl": (250, 219),
    "add_key": (248, 217), "request_key": (249, 218), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "kexec_load": (246, 104),
}  # fmt: skip
_PROGRAMS = frozenset(
    ("fork", "vfork", "execve", "execveat", "setsid", "setpgid", "kill", "tkill", "tgkill", "socketpair", "sendto")
)
"""What starting other programs takes. Signals reach no further than the sandbox's own processes, and what is sent
no further than a pair of sockets: event loops wake themselves that way, and no other socket can be made."""
_LOOPBACK = frozenset(("connect", "bind", "listen", "accept", "accept4", "sendmsg", "sendmmsg"))
"""What tests that talk to themselves take besides, where the namespace has no other network than its own loopback."""
_FAMILIES = (2, 10)
"""IPv4 and IPv6. A socket in the file system would reach processes outside of the namespace, so that none is made."""
_TYPES, _PROTOCOLS = (1, 2), (0, 6, 17)
"""Streams and datagrams, TCP and UDP: for any other the kernel would load a module that nobody here uses."""
_CLONE = (56, 220)
_CLONE3 = 435
_AUDIT = (0xC000003E, 0xC00000B7)
_MACHINES = {"x86_64": 0, "aarch64": 1}

_LOAD, _AND, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_EPERM, _ENOSYS = 0x00050001, 0x00050026
_CLONE_THREAD = 0x00010000
_CLONE_NAMESPACES = 0x7E020000
"""Any new namespace: in one of its own, a process could take covers off, or make mounts."""
_X32 = 0x40000000

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS, _MODE_FILTER = 1, 4, 22, 38, 2


def program(machine: str, *, programs: bool = False, loopback: bool = False) -> bytes:
    """The filter for this architecture, as BPF; empty where none is written.

    `programs`: others may be started. `loopback`: sockets of the internet may be made, where nothing leaves by them.
    """
    which = _MACHINES.get(machine)
    if which is None:
        return b""
    code = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 1, 0, _AUDIT[which]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),
        # The same calls under other numbers, for 32-bit pointers.
        (_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, _EPERM),
        # The C library then starts its threads with the older call, whose flags can be read here.
        (_EQUAL, 0, 1, _CLONE3),
        (_RETURN, 0, 0, _ENOSYS),
    ]
    code += [
        (_EQUAL, 0, 4, _CLONE[which]),
        (_LOAD, 0, 0, 16),
        (_ANY_BIT, 0, 1, _CLONE_NAMESPACES) if programs else (_ANY_BIT, 1, 0, _CLONE_THREAD),
        (_RETURN, 0, 0, _EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]
    if loopback:
        code += [
            (_EQUAL, 0, 13, _CALLS["socket"][which]),
            (_LOAD, 0, 0, 16),
            (_EQUAL, 1, 0, _FAMILIES[0]),
            (_EQUAL, 0, 8, _FAMILIES[1]),
            (_LOAD, 0, 0, 24),
            (_AND, 0, 0, 0xF),
            (_EQUAL, 1, 0, _TYPES[0]),
            (_EQUAL, 0, 4, _TYPES[1]),
            (_LOAD, 0, 0, 32),
            (_EQUAL, 3, 0, _PROTOCOLS[0]),
            (_EQUAL, 2, 0, _PROTOCOLS[1]),
            (_EQUAL, 1, 0, _PROTOCOLS[2]),
            (_RETURN, 0, 0, _EPERM),
            (_RETURN, 0, 0, _ALLOW),
        ]
    allowed = (_PROGRAMS if programs else frozenset()) | (_LOOPBACK | {"socket"} if loopback else frozenset())
    for name, numbers in _CALLS.items():
        if numbers[which] >= 0 and name not in allowed:
            code += [(_EQUAL, 0, 1, numbers[which]), (_RETURN, 0, 0, _EPERM)]
    code.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)


def filtered() -> bool:
    """Whether there is a filter for this system and machine."""
    return bool(sys.platform.startswith("linux") and sys.maxsize > 1 << 32 and program(os.uname().machine))


def alone() -> bool:
    """Whether this process has no network interface but a loopback of its own."""
    with open("/proc/self/net/dev", "rb") as file:  # noqa: PTH123 (before anything else is loaded)
        return [line.partition(b":")[0].strip() for line in file.read().splitlines()[2:]] == [b"lo"]


def confine(*, programs: bool = False, loopback: bool = False) -> bool:
    """Refuse this process those calls from now on. `programs`, `loopback`: as of `program`.

    False where no filter is written for this machine; `OSError` where the kernel does not take it.
    """
    if not filtered():
        return False
    import ctypes

    class Filter(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))

    code = program(os.uname().machine, programs=programs, loopback=loopback)
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    made = Filter(len(code) // 8, code)  # named, so that it is still there when the kernel reads it
    _prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.addressof(made))
    return True


def keep_closed() -> None:
    """Let no other process of this user look into this one: not its memory, nor its open files."""
    if sys.platform.startswith("linux"):
        _prctl(_PR_SET_DUMPABLE, 0)


def die_with(parent: int) -> None:
    """End when the process that started this one ends, where the kernel can do that."""
    if sys.platform.startswith("linux"):
        _prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL))
        if os.getppid() != parent:
            os._exit(1)


def _prctl(option: int, value: int, address: int | None = None) -> None:
    import ctypes

    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl.argtypes = (ctypes.c_int, ctypes.c_ulong, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_ulong)
    if prctl(option, value, address, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


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
    os.write(_pipe, "".join(f"+ {group}\n" for group in _groups).encode())


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
