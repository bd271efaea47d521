"""A new name, a move, a copy or an edit buys no new budget."""

from __future__ import annotations

import sqlite3
import subprocess
from contextlib import closing

import pytest

from plantwin.boundary.ledger.interface import Audience, Charge, Decision
from plantwin.boundary.ledger.sqlite import SqliteLedger
from plantwin.errors import StateError
from plantwin.private.environment import Environment
from plantwin.private.lineage import Lineage
from plantwin.private.state import State

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

    def keys(self, root=None):
        environment = Environment(root or self.root, state=self.folder / "state")
        lineage = Lineage(self.state, self.ledger)
        try:
            scan = environment.scan(jobs=1)
            records = list(scan.records())
            found = lineage.keys(environment.root, records, scan.sketches({each.number for each in records}))
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


def test_a_renamed_file_keeps_what_was_told(place):
    path = place.write("handlers.py")
    place.tell(place.keys()["handlers.py"])
    path.rename(place.root / "renamed.py")
    assert place.spent(place.keys()["renamed.py"]) == 3000


def test_a_moved_and_edited_file_keeps_what_was_told(place):
    path = place.write("handlers.py")
    place.tell(place.keys()["handlers.py"])
    path.unlink()
    place.write("deep/other.py", "# edited\n" + TEXT.replace("handler_3(", "handler_three("))
    assert place.spent(place.keys()["deep/other.py"]) == 3000


def test_a_copy_starts_where_the_original_stands(place):
    place.write("handlers.py")
    place.tell(place.keys()["handlers.py"])
    place.write("copy.py")
    keys = place.keys()
    assert place.spent(keys["copy.py"]) == 3000
    place.tell(keys["copy.py"], 500)
    assert place.spent(keys["handlers.py"]) == 3000


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


def test_two_copies_that_stay_are_objects_of_their_own(place):
    place.write("handlers.py")
    place.write("copy.py")
    keys = place.keys()
    place.tell(keys["handlers.py"])
    assert place.spent(place.keys()["copy.py"]) == 0


def test_a_short_secret_keeps_its_past_under_a_new_name(place):
    path = place.write(".env", "KEY=hunter22hunter\n")
    place.tell(place.keys()[".env"])
    path.rename(place.root / "prod.env")
    assert place.spent(place.keys()["prod.env"]) == 3000


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
