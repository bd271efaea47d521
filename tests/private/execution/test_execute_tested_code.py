"""What hostile tests can do to the worker that runs them, to the kernel, and to the machine's memory: nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from driver import USERS, put, ran

FORGING = """
    import ctypes, glob, os, signal

    FORGED = b'{"result":{"outcome":{"status":"done","count":"none"},"title":"forged"}}'
    libc = ctypes.CDLL(None, use_errno=True)
    parents = {1, os.getppid(), os.getpgrp(), os.getsid(0)} - {os.getpid()}
    others = {int(each[6:]) for each in glob.glob("/proc/[0-9]*")} | parents

    def refused(what):
        try:
            what()
        except OSError:
            return True
        return False

    def is_the_worker(pid):
        return pid == 1

    def test_the_worker_cannot_be_traced():
        assert libc.ptrace(16, 1, 0, 0) == -1
        assert libc.ptrace(0x4206, 1, 0, 0) == -1
        buffer = ctypes.create_string_buffer(8)
        vector = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 8)
        assert libc.process_vm_readv(1, vector, 1, vector, 1, 0) == -1
        assert libc.process_vm_writev(1, vector, 1, vector, 1, 0) == -1
        for number in (434, 438):
            assert libc.syscall(number, 1, 0, 0) == -1

    def test_nothing_of_the_worker_shows_in_proc():
        assert os.listdir("/proc/1") == []
        for name in ("mem", "maps", "environ", "fd", "fdinfo", "root", "cwd", "exe", "task/1/mem", "task/1/fd"):
            assert refused(lambda: os.stat("/proc/1/" + name)), name
            assert refused(lambda: os.open("/proc/1/" + name, os.O_RDWR)), name

    def test_no_memory_but_our_own_can_be_opened():
        for each in glob.glob("/proc/[0-9]*"):
            if is_the_worker(int(each[6:])):
                assert refused(lambda: open(each + "/mem", "r+b"))

    def test_no_reply_can_be_forged():
        for number in range(0, 1024):
            try:
                os.write(number, b"")
                target = os.readlink("/proc/self/fd/%d" % number)
            except OSError:
                continue
            if number > 2:
                assert not target.startswith("pipe:"), target
            if target.startswith("pipe:"):
                os.write(number, FORGED)
        for each in glob.glob("/proc/[0-9]*/fd/*"):
            try:
                if os.readlink(each).startswith("pipe:"):
                    with open(each, "wb", buffering=0) as file:
                        file.write(FORGED)
            except OSError:
                pass

    def test_the_worker_cannot_be_ended_nor_stopped():
        for number in (signal.SIGSTOP, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGALRM):
            try:
                os.kill(1, number)
            except OSError:
                pass

    def test_a_process_that_leaves_the_group_gets_no_further():
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                import time
                while True:
                    time.sleep(0.01)
                    with open(os.environ["TRIAL_RESULTS"], "a") as file:
                        file.write("")
            os._exit(0)
"""


@pytest.mark.parametrize("user", USERS)
def test_tests_cannot_rewrite_their_parent_nor_forge_its_reply(tmp_path: Path, user: str) -> None:
    told = ran(put(tmp_path / "folder", {"tests/test_attack.py": FORGING}), user)
    assert (told["failure"], told["error"]) == (None, "")
    assert len(told["outcomes"]) == 6
    assert set(told["outcomes"].values()) == {"passed"}, told["text"]
    assert "forged" not in told["text"].replace("test_no_reply_can_be_forged", "")


KERNEL = """
    import os

    def opened(top):
        found = []
        for here, _, files in os.walk(top):
            for name in files:
                for flags in (os.O_WRONLY, os.O_RDWR):
                    try:
                        os.close(os.open(os.path.join(here, name), flags | os.O_NONBLOCK))
                        found.append(os.path.join(here, name))
                    except OSError:
                        pass
        return found

    def test_there_are_sysctls():
        assert sum(len(files) for _, _, files in os.walk("/proc/sys")) > 100

    def test_no_sysctl_can_be_written():
        assert opened("/proc/sys") == []

    def test_nothing_else_of_the_kernel_can_be_written():
        for name in os.listdir("/proc"):
            if not name.isdigit() and not os.path.islink("/proc/" + name):
                assert opened("/proc/" + name) == [], name
                try:
                    os.close(os.open("/proc/" + name, os.O_WRONLY))
                    raise AssertionError(name)
                except OSError:
                    pass

    def test_files_about_the_machine_are_empty_or_harmless():
        for name in ("kcore", "kallsyms", "kmsg", "keys", "kpagecount", "iomem", "modules", "config.gz", "timer_list"):
            if os.path.exists("/proc/" + name):
                assert open("/proc/" + name, "rb").read(1) == b"", name
        assert open("/proc/cpuinfo").read(1)

    def test_we_are_nobody_without_any_right():
        assert set(os.getresuid() + os.getresgid()) == {65534}
        status = open("/proc/self/status").read()
        for name in ("CapInh", "CapPrm", "CapEff", "CapAmb"):
            assert int(status.partition(name + ":")[2].split()[0], 16) == 0
        assert "NoNewPrivs:\\t1" in status and "Seccomp:\\t2" in status
        assert os.stat("/proc/self").st_uid == 65534
"""


@pytest.mark.parametrize("user", USERS)
def test_tests_cannot_write_a_sysctl(tmp_path: Path, user: str) -> None:
    told = ran(put(tmp_path / "folder", {"tests/test_attack.py": KERNEL}), user)
    assert (told["failure"], told["error"]) == (None, "")
    assert len(told["outcomes"]) == 5
    assert set(told["outcomes"].values()) == {"passed"}, told["text"]


def test_root_runs_the_folders_code_as_its_owner(tmp_path: Path) -> None:
    attack = """
        import os

        def test_which_user_this_is_outside():
            user = open("/proc/self/uid_map").read().split()
            assert user in (["65534", "1000", "1"], ["0", "0", "1", "65534", "65534", "1"], ["65534", USER, "1"]), user

        def test_what_others_may_not_read_is_not_read():
            assert not os.access("/project/private.txt", os.R_OK) or os.stat("/project/private.txt").st_uid == 65534
    """
    import os

    root = put(tmp_path / "folder", {"tests/test_attack.py": attack.replace("USER", repr(str(os.geteuid())))})
    (root / "private.txt").write_text("x")
    (root / "private.txt").chmod(0o600)
    told = ran(root)
    assert set(told["outcomes"].values()) == {"passed"}, told["text"]


SHARED = """
    import ctypes, os, pytest

    libc = ctypes.CDLL(None, use_errno=True)

    def test_there_is_no_system_v_memory():
        assert libc.shmget(0, 3 << 30, 0o1600) == -1
        assert libc.semget(0, 1, 0o1600) == -1
        assert libc.msgget(0, 0o1600) == -1

    def test_there_is_no_memory_without_a_file():
        with pytest.raises(OSError):
            os.memfd_create("x")

    @pytest.mark.parametrize("folder", ["/tmp", "/dev/shm"])
    def test_folders_in_memory_are_bounded(folder):
        written, names = 0, []
        try:
            for number in range(64):
                names.append("%s/fill%d" % (folder, number))
                with open(names[-1], "wb") as file:
                    for _ in range(16):
                        written += file.write(bytes(1 << 20))
        except OSError:
            pass
        finally:
            for each in names:
                os.unlink(each)
        assert written <= 65 << 20
"""


@pytest.mark.parametrize("user", USERS)
def test_shared_memory_does_not_escape_the_limit(tmp_path: Path, user: str) -> None:
    root = put(tmp_path / "folder", {"tests/test_attack.py": SHARED})
    told = ran(root, user, scratch=8 << 20)
    assert (told["failure"], told["error"]) == (None, "")
    assert len(told["outcomes"]) == 4
    assert set(told["outcomes"].values()) == {"passed"}, told["text"]


HOARDS = {
    "heap": "held = bytearray(b'x') * (100 << 20)",
    "shared": "import mmap; held = mmap.mmap(-1, 100 << 20); held.write(b'x' * (100 << 20))",
    "hidden": "ctypes.CDLL(None).prctl(4, 0, 0, 0, 0); held = bytearray(b'x') * (100 << 20)",
}


@pytest.mark.parametrize("kind", sorted(HOARDS))
def test_processes_together_get_no_more_than_the_limit(tmp_path: Path, kind: str) -> None:
    attack = f"""
        import ctypes, os, time

        def test_hoard():
            for _ in range(12):
                if os.fork() == 0:
                    os.setsid()
                    {HOARDS[kind]}
                    time.sleep(100)
            time.sleep(100)
    """
    told = ran(put(tmp_path / "folder", {"tests/test_attack.py": attack}), memory=512 << 20)
    assert told["failure"] == "memory"
    assert told["seconds"] < 40


def test_memory_that_forks_share_counts_once(tmp_path: Path) -> None:
    attack = """
        import os, time

        def test_forks():
            held = bytearray(b"x") * (150 << 20)
            children = []
            for _ in range(6):
                children.append(os.fork())
                if children[-1] == 0:
                    time.sleep(0.5)
                    os._exit(0)
            assert [os.waitpid(each, 0)[1] for each in children] == [0] * 6
    """
    told = ran(put(tmp_path / "folder", {"tests/test_attack.py": attack}), memory=512 << 20)
    assert told["outcomes"] == {"test_forks": "passed"}, told
