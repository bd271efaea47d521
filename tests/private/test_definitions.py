"""Who defines a name is found by check sums alone."""

from __future__ import annotations

from plantwin.private.environment import Environment
from plantwin.private.selection.phrases import SIZE, defining, definitions


def test_names_are_found_and_not_readable():
    kept = {1: definitions(["UserService", "load_users", "ab"]), 2: definitions(["load_users", "load_users"]), 3: b""}
    assert len(kept[1]) == 2 * SIZE and len(kept[2]) == SIZE
    assert b"User" not in kept[1]
    assert defining(["UserService", "load_users", "Absent"], kept) == {"UserService": (1,), "load_users": (1, 2)}


def test_a_sum_across_two_others_does_not_count():
    sums = definitions(["one_name"])
    assert defining(["one_name"], {1: b"\0\0" + sums + b"\0\0"}) == {}
    assert defining(["one_name"], {1: b"\0" * 4 + sums}) == {"one_name": (1,)}


def test_a_scan_knows_who_defines_what(tmp_path):
    (tmp_path / "users.py").write_text("class UserService:\n    def find_user(self):\n        return 1\n")
    (tmp_path / "notes.md").write_text("# UserService\n")
    environment = Environment(tmp_path, keep=False)
    scan = environment.scan(jobs=1)
    (number,) = [each.number for each in scan.records() if each.path == "users.py"]
    assert scan.defining({"UserService", "find_user", "nothing_here"}) == {
        "UserService": (number,),
        "find_user": (number,),
    }
