"""A new name, a move, a copy or an edit buys no new budget."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from plantwin.errors import StateError
from plantwin.ledgers.sqlite import SqliteLedger
from plantwin.ledgers.verification import verify
from plantwin.private.environment import Environment
from plantwin.private.facts import Record
from plantwin.private.lineage.lineage import Lineage
from plantwin.private.state import State
from plantwin.types.ledger import Audience, Charge, Decision

AUDIENCE = Audience("acme", ("acme",))
TEXT = "".join(f"def handler_{number}(request):\n    return request.body[{number}:]\n\n" for number in range(30))


class Place:
    """A folder with its state, looked at again and again as new sessions do."""

    def __init__(self, folder, root=None):
        self.folder = folder
        self.root = root or folder / "root"
        self.root.mkdir(exist_ok=True)
        self.state = State(folder / "state")
        self.ledger = SqliteLedger(folder / "state" / "ledger" / "ledger.db", b"k" * 32)

    def write(self, name, text=TEXT):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def keys(self, root=None, only=None, ledger=None):
        return {path: each.key for path, each in self.look(Lineage.keys, root, only, ledger).items()}

    def traced(self):
        return self.look(Lineage.trace)

    def look(self, how, root=None, only=None, ledger=None):
        environment = Environment(root or self.root, state=self.folder / "state")
        lineage = Lineage(self.state, ledger or self.ledger)
        try:
            scan = environment.scan(jobs=1)
            records = [each for each in scan.records() if only is None or each.path in only]
            sketches = scan.sketches({each.number for each in records})
            found = how(lineage, environment.root, records, sketches, scan.records)
            self.versions = {each.path: found[each.number][-1] for each in records}
            return {each.path: found[each.number] for each in records}
        finally:
            lineage.close()
            environment.close()

    def tell(self, key, amount=3000):
        charge = Charge(key, f"told={amount}", amount)
        self.ledger.transact(AUDIENCE, [key], lambda known: Decision(None, (charge,), {key: 10**6}))

    def spent(self, key):
        return self.ledger.known(AUDIENCE, [key])[key].spent


@pytest.fixture
def place(tmp_path):
    made = Place(tmp_path)
    yield made
    made.ledger.close()


def test_a_key_stays_the_same_over_sessions_and_edits(place):
    place.write("handlers.py")
    first = place.keys()["handlers.py"]
    place.tell(first)
    place.write("handlers.py", TEXT + "\n# more\n")
    again = place.keys()["handlers.py"]
    assert again == first
    assert place.spent(again) == 3000


def test_a_copy_starts_where_the_original_stands(place):
    place.write("handlers.py")
    place.tell(place.keys()["handlers.py"])
    place.write("copy.py")
    keys = place.keys()
    assert place.spent(keys["copy.py"]) == 3000
    place.tell(keys["copy.py"], 500)
    assert place.spent(keys["handlers.py"]) == 3500


def test_content_moved_over_another_file_brings_its_past_along(place):
    path = place.write("handlers.py")
    place.write("notes.py", "".join(f"value_{number} = {number * 7}\n" for number in range(40)))
    keys = place.keys()
    place.tell(keys["handlers.py"])
    place.tell(keys["notes.py"], 1000)
    path.replace(place.root / "notes.py")
    assert place.spent(place.keys()["notes.py"]) == 4000


def test_a_rename_that_only_git_knows_is_followed(place):
    path = place.write("handlers.py")
    git = ["git", "-C", str(place.root), "-c", "user.name=a", "-c", "user.email=a@example.com"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "one"], check=True)
    place.tell(place.keys()["handlers.py"])
    path.unlink()
    # A third of the lines stay: too few for likeness, enough for git, which counts bytes.
    kept = TEXT.splitlines(keepends=True)[:45]
    fresh = [f"x_{number} = compute({number})\n" for number in range(60)]
    place.write("views.py", "".join(kept + fresh))
    subprocess.run([*git, "add", "-A"], check=True)
    assert place.spent(place.keys()["views.py"]) == 3000
    subprocess.run([*git, "commit", "-qm", "two"], check=True)
    assert place.spent(place.keys()["views.py"]) == 3000


def test_looking_from_a_higher_or_deeper_folder_is_the_same_object(place):
    place.write("app/handlers.py")
    place.tell(place.keys()["app/handlers.py"])
    deeper = place.keys(place.root / "app")
    assert place.spent(deeper["handlers.py"]) == 3000


def test_a_file_that_was_away_and_comes_back_is_the_same(place):
    path = place.write("handlers.py")
    place.tell(place.keys()["handlers.py"])
    path.unlink()
    place.write("other.py", "print('hello')\n" * 3)
    place.keys()
    place.write("back.py")
    assert place.spent(place.keys()["back.py"]) == 3000


def test_a_name_and_back_again_buys_nothing(place):
    path = place.write("handlers.py")
    place.tell(place.keys()["handlers.py"])
    path.rename(place.root / "renamed.py")
    place.tell(place.keys()["renamed.py"], 500)
    (place.root / "renamed.py").rename(path)
    assert place.spent(place.keys()["handlers.py"]) == 3500


def test_an_edit_under_another_name_and_back_again_buys_nothing(place):
    path = place.write("handlers.py")
    place.tell(place.keys()["handlers.py"])
    path.unlink()
    other = place.write("other.py", "# edited\n" + TEXT)
    place.tell(place.keys()["other.py"], 500)
    other.unlink()
    place.write("handlers.py")
    assert place.spent(place.keys()["handlers.py"]) == 3500


def test_what_a_session_tells_while_the_file_is_renamed_counts(place):
    path = place.write("handlers.py")
    before = place.keys()["handlers.py"]
    path.rename(place.root / "renamed.py")
    place.keys()
    place.tell(before)
    assert place.spent(place.keys()["renamed.py"]) == 3000


def test_six_copies_are_one_account(place):
    for number in range(6):
        place.write(f"copy{number}/.env", ENV)
    keys = place.keys()
    assert len(set(keys.values())) == 1
    place.tell(keys["copy0/.env"])
    place.write("seventh.env", ENV)
    assert place.spent(place.keys()["seventh.env"]) == 3000
    assert set(place.keys().values()) == set(keys.values())


def test_a_copy_shown_alone_finds_the_account_of_one_that_is_not_shown(place):
    place.write("a.py")
    place.write("b.py")
    first = place.keys(only={"b.py"})["b.py"]
    assert place.keys(only={"a.py"})["a.py"] == first


def test_six_copies_of_a_secret_that_differ_in_a_byte_are_one_account(place):
    for number in range(6):
        place.write(f"copy{number}/.env", ENV + f"{number}")
    keys = place.keys()
    assert len(set(keys.values())) == 1
    assert len(set(place.versions.values())) == 6
    for number in range(6):
        place.write(f"copy{number}/.env", ENV + f"x{number}")
    assert set(place.keys().values()) == set(keys.values())


def test_files_that_become_copies_of_one_secret_share_its_account_from_then_on(place):
    for number in range(3):
        place.write(f"{number}.env", f"API_KEY={number}zq81kkq0m2h{number}\n")
        place.tell(place.keys()[f"{number}.env"], 100 + number)
    for number in range(3):
        place.write(f"{number}.env", ENV + f"# {number}\n")
    keys = place.keys()
    assert len(set(keys.values())) == 1
    assert place.spent(keys["0.env"]) == 303


def test_a_copy_that_diverges_gets_its_own_account_and_inherits(place):
    for name in "abc":
        place.write(f"{name}.py")
    shared = place.keys()["a.py"]
    place.tell(shared)
    place.write("a.py", TEXT + "\nVALUE = 7\n")
    keys = place.keys()
    assert keys["a.py"] != shared
    assert keys["b.py"] == keys["c.py"] == shared
    assert place.spent(keys["a.py"]) == 3000
    place.tell(keys["a.py"], 500)
    keys = place.keys()
    assert (place.spent(keys["a.py"]), place.spent(keys["b.py"])) == (3500, 3000)
    place.write("a.py")
    keys = place.keys()
    assert keys["a.py"] == shared
    assert place.spent(shared) == 3500


def test_copies_merged_back_inherit_all_that_either_was_told(place):
    place.write("a.py", TEXT + "# one\n")
    place.write("b.py", TEXT + "# two\n")
    keys = place.keys()
    place.tell(keys["a.py"], 3000)
    place.tell(keys["b.py"], 500)
    (place.root / "a.py").unlink()
    (place.root / "b.py").unlink()
    place.write("merged.py", TEXT + "# one\n# two\n")
    assert place.spent(place.keys()["merged.py"]) == 3500


def test_looking_again_records_nothing(place):
    place.write("a.py", TEXT + "# one\n")
    place.write("b.py", TEXT + "# two\n")
    place.tell(place.keys()["a.py"])
    (place.root / "a.py").rename(place.root / "c.py")
    place.write("c.py", TEXT + "# three\n")
    place.keys()
    before = verify(place.ledger)
    place.keys()
    place.keys()
    assert verify(place.ledger) == before


VALUES = {"DATABASE_URL": "postgres://shop:Zk3vQ9wLm2xT@db.example.org/shop", "API_KEY": "q8Xw2LmZ0pRt5Yv1"}
ENV = "".join(f"{name}={value}\n" for name, value in VALUES.items()) + "DEBUG=true\n"
PIN = "KEYPAD_PIN=4711\nUSER=bob\nMODE=x\n"
TWO = "KEYPAD_PIN=4711\nUSER=bob\n"
LONG = "!function(){" + ",".join(f"f{n}=function(a,b){{return a.call{n * n}(b,{n})}}" for n in range(300)) + "}();"
PARTS = ["".join(f"{name}_{n} = load({n * 31}, '{name}')\n" for n in range(60)) for name in ("left", "right")]


@pytest.mark.parametrize(
    ("before", "name", "after"),
    [
        (TEXT, "renamed.py", TEXT),
        (TEXT, "deep/other.py", "# edited\n" + TEXT.replace("handler_3(", "handler_three(")),
        ("KEY=hunter22hunter\n", "prod.env", "KEY=hunter22hunter\n"),
        (ENV, "prod.env", ENV + "#"),
        (PIN, "prod.env", PIN + "#"),
        (PIN, "prod.env", PIN.replace("4711", "4712")),
        (PIN, "prod.env", "MODE=x\n" + PIN.replace("MODE=x\n", "").replace("\n", "\n# no value says anything\n")),
        (PIN, "prod.env", PIN + "NEW=1\n"),
        (TWO, "prod.env", TWO.replace("4711", "4712")),
        (TWO, "prod.env", TWO.replace("bob", "eve")),
        ("KEY=abc\n", "prod.env", "KEY=abc\n#\n"),
        (ENV, "prod.env", ENV.replace("Zk3v", "Zk3vv")),
        ("KEY=hunter22hunter\n", "prod.env", "KEY=hunter22hunter1\n"),
        ("KEY=hunter22hunter\n", "prod.env", 'OTHER: "hunter22hunter"\n'),
        (ENV, "settings.json", json.dumps(VALUES)),
        (ENV, "settings.json", json.dumps({"all": VALUES}, indent=2)),
        (ENV, "settings.yaml", "shop:\n" + "".join(f"  {name}: {value!r}\n" for name, value in VALUES.items())),
        (ENV, "settings.py", "".join(f"{name} = {value!r}\n" for name, value in VALUES.items())),
        (ENV, "notes.md", f"# Notes\n\nThe key is {VALUES['API_KEY']}, the base {VALUES['DATABASE_URL']}.\n"),
        (ENV, "b.env", "".join(reversed(ENV.splitlines(keepends=True)))),
        (ENV, "b.env", ENV.replace("=", " = ").replace("\n", "\r\n\r\n")),
        ("a b c\nd e f\ng h i\n", "b.txt", "g h i\r\n\r\nd  e  f\r\na b c\r\n"),
        (LONG, "other.min.js", LONG.replace("f7=", "g7=").replace("call49(", "cull49(")),
        (LONG, "laid_out.js", LONG.replace("{", " {\n  ").replace("},f", ";\n};\nf")),
        ("".join(PARTS), "left.py", PARTS[0]),
        ("".join(PARTS), "right.py", PARTS[1]),
        (PARTS[1], "both.py", "".join(PARTS)),
        ("".join(PARTS) * 40, "end.py", PARTS[1] + "# the end\n"),
        (TEXT, "shuffled.py", "".join(sorted(TEXT.splitlines(keepends=True)))),
    ],
)  # fmt: skip
def test_a_new_name_with_other_bytes_buys_nothing(place, before, name, after):
    path = place.write("before.env" if before.startswith(("KEY", "DATA")) else "before.py", before)
    (key,) = place.keys().values()
    place.tell(key)
    path.unlink()
    place.write(name, after)
    assert place.spent(place.keys()[name]) == 3000
    assert place.spent(place.keys()[name]) == 3000


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
@pytest.mark.parametrize("text", [ENV, TEXT])
def test_another_encoding_buys_nothing(place, codec, text):
    path = place.write("a.txt", text)
    place.tell(place.keys()["a.txt"])
    path.unlink()
    (place.root / "b.txt").write_bytes(text.encode(codec))
    assert place.spent(place.keys()["b.txt"]) == 3000


def test_a_hard_link_is_the_same_account(place):
    path = place.write("a.py")
    first = place.keys()["a.py"]
    (place.root / "b.py").hardlink_to(path)
    assert place.keys()["b.py"] == first


def test_a_root_reached_over_a_link_is_the_same_place(place):
    place.write("a.py")
    first = place.keys()["a.py"]
    link = place.folder / "link"
    link.symlink_to(place.root)
    assert place.keys(link)["a.py"] == first


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (ENV, "DATABASE_URL=postgres://crm:Hq7sN4bVw8cJ@db.other.net/crm\nAPI_KEY=m4Tz7KcB9sWd3Gf6\nDEBUG=true\n"),
        ("HOST=localhost\nPORT=8080\nMODE=production\n", "HOST=localhost\nPORT=8080\nMODE=staging\n"),
        ('{"name": "one", "version": "1.2.3"}', '{"name": "two", "version": "1.2.3"}'),
        ("requests==2.31.0\nflask==3.0.0\nsqlalchemy>=2.0\n", "requests==2.30.0\nflask==2.9.0\nsqlalchemy>=1.4\n"),
    ],
)  # fmt: skip
def test_the_same_keys_with_other_values_are_no_kin(place, one, other):
    path = place.write("one.env", one)
    place.tell(place.keys()["one.env"])
    path.unlink()
    place.write("other.env", other)
    assert place.spent(place.keys()["other.env"]) == 0


def test_versions_follow_the_content(place):
    place.write("a.py")
    place.write("b.py")
    place.write("empty.py", "")
    place.write("tiny.py", "x")
    place.keys()
    first = place.versions
    assert first["a.py"] == first["b.py"] != first["tiny.py"]
    assert first["empty.py"] == "empty"
    assert all(re.fullmatch("[0-9a-f]{12}", first[name]) for name in ("a.py", "tiny.py"))
    place.write("a.py", TEXT + "#")
    place.write("tiny.py", "y")
    place.keys()
    assert place.versions["a.py"] != first["a.py"]
    assert place.versions["tiny.py"] != first["tiny.py"]
    place.write("a.py")
    place.keys()
    assert place.versions["a.py"] == first["a.py"]


def test_tracing_records_nothing_and_says_what_would_be_taken_over(place):
    path = place.write("a.py")
    key = place.keys()["a.py"]
    place.tell(key)
    path.unlink()
    place.write("b.py", TEXT + "# more\n")
    kept = verify(place.ledger)
    for _ in range(2):
        (traced,) = place.traced().values()
        assert traced.ancestors == (key,)
        assert place.spent(traced.identity.key) == 0
        assert verify(place.ledger) == kept
    assert place.keys()["b.py"] == traced.identity.key
    assert place.spent(traced.identity.key) == 3000


def test_tracing_does_not_list_what_is_alike_and_here(place):
    place.write("a.py")
    place.tell(place.keys()["a.py"])
    place.write("b.py", TEXT + "# more\n")
    assert place.traced()["b.py"].ancestors == ()


class Folders:
    """Folder accounts, as sessions ask for them."""

    def __init__(self, place):
        self.place = place

    def key(self, root):
        environment = Environment(root, state=self.place.folder / "state")
        lineage = Lineage(self.place.state, self.place.ledger)
        try:
            scan = environment.scan(jobs=1)
            return lineage.folder(environment.root, scan.facts, environment.signatures())
        finally:
            lineage.close()
            environment.close()


def filled(place):
    for number in range(6):
        place.write(f"part/{number}.py", TEXT.replace("handler", f"handler_{number}"))
        place.write(f"rest/{number}.env", ENV.replace("Zk", f"Z{number}"))
    return Folders(place)


def test_a_copied_folder_starts_where_the_original_stands(place):
    folders = filled(place)
    place.tell(folders.key(place.root))
    shutil.copytree(place.root, place.folder / "copy")
    (place.folder / "copy" / "part" / "0.py").write_text("print('other')\n" * 20)
    assert place.spent(folders.key(place.folder / "copy")) == 3000
    place.tell(folders.key(place.folder / "copy"), 500)
    assert place.spent(folders.key(place.root)) == 3500


def test_a_copied_folder_in_which_every_file_was_edited_starts_there_too(place):
    folders = filled(place)
    place.tell(folders.key(place.root))
    copy = place.folder / "copy"
    shutil.copytree(place.root, copy)
    for path in copy.glob("*/*"):
        path.write_text(f"# {path.name}\n{path.read_text()}")
    assert place.spent(folders.key(copy)) == place.spent(folders.key(copy)) == 3000
    few = place.folder / "few"
    shutil.copytree(copy / "part", few / "part")
    for path in few.glob("*/*"):
        path.write_text("print('other')\n" * 9 + path.name)
    assert place.spent(folders.key(few)) == 0, "six paths are anybody's"


def test_a_part_of_a_folder_and_what_is_put_around_it_inherit(place):
    folders = filled(place)
    place.tell(folders.key(place.root))
    shutil.copytree(place.root / "part", place.folder / "taken")
    assert place.spent(folders.key(place.folder / "taken")) == 3000
    around = place.folder / "around"
    around.mkdir()
    place.root.rename(around / "inner")
    (around / "more.py").write_text("print('more')\n" * 9)
    assert place.spent(folders.key(around)) == 3000


def test_another_folder_has_another_account(place):
    folders = filled(place)
    place.tell(folders.key(place.root))
    other = place.folder / "other"
    other.mkdir()
    (other / "0.py").write_text(TEXT.replace("handler", "handler_0"))
    for number in range(3):
        (other / f"{number}.md").write_text(f"# Number {number}\n" + f"text {number * 77} of it\n" * (9 + number))
    assert place.spent(folders.key(other)) == 0


def test_an_older_copy_of_the_file_is_refused(place):
    place.write("a.py")
    place.keys()
    file = place.folder / "state" / "lineage" / "lineage.db"
    older = file.read_bytes()
    place.write("b.py", TEXT + "# more\n")
    place.keys()
    newer = file.read_bytes()
    file.write_bytes(older)
    with pytest.raises(StateError, match="older"):
        place.keys()
    file.write_bytes(newer)
    place.keys()


def test_a_file_that_is_gone_is_refused_whatever_the_ledger_holds(place):
    place.write("a.py")
    place.keys()
    (place.folder / "state" / "lineage" / "lineage.db").unlink()
    with pytest.raises(StateError, match="missing"):
        place.keys()


def test_a_crash_after_inheriting_changes_nothing(place):
    path = place.write("a.py")
    place.tell(place.keys()["a.py"])
    path.unlink()
    place.write("b.py", TEXT + "# more\n")

    class CrashError(Exception):
        pass

    class Crashing:
        def inherit(self, key, ancestors):
            place.ledger.inherit(key, ancestors)
            raise CrashError

    with pytest.raises(CrashError):
        place.keys(ledger=Crashing())
    assert place.spent(place.keys()["b.py"]) == 3000


def test_two_processes_that_meet_a_new_content_give_it_one_account(place):
    for number in range(4):
        place.write(f"{number}.env", ENV)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda number: place.keys(only={f"{number}.env"})[f"{number}.env"], range(4)))
    assert len(set(found)) == 1


def test_ten_thousand_copies_are_followed_quickly(place):
    records = []
    for number in range(10_000):
        (place.root / f"{number}.env").write_text(ENV)
        shown = {"kind": "config", "semantic_class": "", "family": "", "role": "", "sensitivity": "high"}
        more = {"freshness": "", "size_bucket": "", "confidence": ""}
        records.append(Record(number=number, path=f"{number}.env", **shown, **more))
    with closing(Lineage(place.state, place.ledger)) as lineage:
        for _ in range(2):
            started = time.process_time()
            found = lineage.keys(place.root, records, {})
            assert len({each.key for each in found.values()}) == 1
            assert time.process_time() - started < 10


def test_content_without_lines_that_comes_back_elsewhere_keeps_its_past(place):
    text = "x,y\n1,2\n3,4\n"
    path = place.write("points.csv", text)
    place.tell(place.keys()["points.csv"])
    path.write_text("q,r\n9,9\n8,8\n")
    place.keys()
    place.write("again.csv", text)
    assert place.spent(place.keys()["again.csv"]) == 3000


def test_tables_of_a_renamed_database_keep_what_was_told(place):
    path = place.root / "shop.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE customers (name TEXT, email TEXT)")
        database.execute("INSERT INTO customers VALUES ('Jo', 'jo@example.com')")
        database.commit()
    place.tell(place.keys()["shop.db"])
    path.rename(place.root / "other.db")
    assert place.spent(place.keys()["other.db"]) == 3000


def test_unrelated_and_tiny_files_start_from_nothing(place):
    place.write("handlers.py")
    place.write("empty.py", "")
    keys = place.keys()
    place.tell(keys["handlers.py"])
    place.tell(keys["empty.py"])
    place.write("fresh.py", "".join(f"class Thing{number}:\n    size = {number}\n" for number in range(20)))
    place.write("also_empty.py", "")
    keys = place.keys()
    assert place.spent(keys["fresh.py"]) == 0
    assert place.spent(keys["also_empty.py"]) == 0


def test_no_path_is_kept(place):
    place.write("quarterly-acme-secrets.py")
    place.keys()
    kept = b"".join(path.read_bytes() for path in (place.folder / "state" / "lineage").iterdir())
    assert b"acme" not in kept
    assert b"handler_" not in kept


def test_a_file_that_cannot_be_used_is_a_clear_error(place):
    folder = place.state.subfolder("lineage")
    (folder / "lineage.db").write_bytes(b"not a database" * 100)
    with pytest.raises(StateError, match="lineage"):
        place.keys()
