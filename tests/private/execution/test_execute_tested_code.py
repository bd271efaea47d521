"""What hostile tests can do to the worker that runs them, to the kernel, and to the machine's memory: nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from driver import USERS, put, ran

from tables import value_of

FORGING = value_of(__file__, "forging")


@pytest.mark.parametrize("user", USERS)
def test_tests_cannot_rewrite_their_parent_nor_forge_its_reply(tmp_path: Path, user: str) -> None:
    told = ran(put(tmp_path / "folder", {"tests/test_attack.py": FORGING}), user)
    assert (told["failure"], told["error"]) == (None, "")
    assert len(told["outcomes"]) == 6
    assert set(told["outcomes"].values()) == {"passed"}, told["text"]
    assert "forged" not in told["text"].replace("test_no_reply_can_be_forged", "")


KERNEL = value_of(__file__, "kernel")


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


SHARED = value_of(__file__, "shared")


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
