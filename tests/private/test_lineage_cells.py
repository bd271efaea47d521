"""What was told of a cell stays with its members, wherever these go: nothing is counted anew."""

from __future__ import annotations

import shutil

import pytest
from test_lineage import Place

from plantwin.errors import StateError
from plantwin.private.environment import Environment
from plantwin.private.lineage.lineage import Lineage
from plantwin.private.reading import signature_of
from plantwin.private.selection.cells import Cell


class Cells(Place):
    """A folder whose cells are its subfolders, looked at again and again as new sessions do."""

    def accounts(self, root=None, spoil=None):
        environment = Environment(root or self.root, state=self.folder / "state")
        lineage = Lineage(self.state, self.ledger)
        try:
            scan = environment.scan(jobs=1)
            parts = {}
            for record in scan.records():
                parts.setdefault(record.path.rpartition("/")[0], []).append(record)
            lineage.folder(environment.root, lambda: self._looked(scan), self._signatures(environment))
            if spoil is not None:
                spoil(lineage)
            return {
                label[0]: account
                for label, account in lineage.cells(
                    environment.root, [Cell((name,), tuple(members)) for name, members in parts.items()]
                ).items()
            }
        finally:
            lineage.close()
            environment.close()

    def _looked(self, scan):
        self.looks += 1
        return scan.facts()

    def _signatures(self, environment):
        """As long after the last change that every change shows."""
        return {path: signature_of((environment.root / path).stat()) for path in environment.signatures()}

    looks = 0
    """How often all objects were looked at."""

    def costs(self, root=None):
        """What is spent on each cell."""
        return {name: self.spent(account) for name, account in self.accounts(root).items()}


def text(number):
    return "".join(f"def handler_{number}_{line}(request):\n    return request[{line}]\n" for line in range(12))


@pytest.fixture
def place(tmp_path):
    """Two cells; of one of them something was told."""
    made = Cells(tmp_path)
    for number in range(4):
        made.write(f"{'ab'[number % 2]}/f{number}.py", text(number))
    made.tell(made.accounts()["a"])
    yield made
    made.ledger.close()


def move(place):
    (place.root / "a/f0.py").rename(place.root / "b/f0.py")


def move_and_edit(place):
    (place.root / "a/f0.py").unlink()
    place.write("b/other.py", text(77))


def copy(place):
    shutil.copy(place.root / "a/f0.py", place.root / "b/copy.py")


def overwrite(place):
    shutil.copy(place.root / "a/f0.py", place.root / "b/f1.py")


def add(place):
    place.write("b/new.py", text(99))


def edit(place):
    place.write("b/f1.py", text(98))


def away_and_back(place):
    gone = (place.root / "a/f0.py").read_text()
    (place.root / "a/f0.py").unlink()
    place.accounts()
    place.write("b/f0.py", gone)


def away_and_back_among_others(place):
    gone = (place.root / "a/f0.py").read_text()
    (place.root / "a/f0.py").unlink()
    place.accounts()
    place.write("a/f0.py", gone)
    place.accounts()
    (place.root / "a/f0.py").rename(place.root / "b/f0.py")


@pytest.mark.parametrize(
    ("change", "inherited"),
    [(move, 3000), (move_and_edit, 3000), (copy, 3000), (overwrite, 3000), (away_and_back, 3000),
     (away_and_back_among_others, 3000), (add, 0), (edit, 0)],
)  # fmt: skip
def test_a_cell_takes_over_from_where_its_members_have_been(place, change, inherited):
    change(place)
    assert place.costs() == {"a": 3000, "b": inherited}
    assert place.costs() == {"a": 3000, "b": inherited}, "and nothing when nothing changed"


def test_a_folder_that_is_as_it_was_is_not_looked_at_again(place):
    before = place.accounts()
    assert (place.accounts(), place.looks) == (before, 1)
    edit(place)
    assert (place.accounts(), place.looks) == (before, 2)
    assert (place.accounts(), place.looks) == (before, 2)


def test_the_cells_of_a_moved_folder_take_over(place):
    moved = place.root.rename(place.folder / "moved")
    assert place.costs(moved) == {"a": 3000, "b": 0}


@pytest.mark.parametrize("how", ["as it is", "with a member elsewhere", "all under other names", "inside another"])
def test_the_cells_of_a_copied_folder_take_over_by_member(place, how):
    other = place.folder / "copy"
    inside = other / "deep" if how == "inside another" else other
    shutil.copytree(place.root, inside)
    if how == "with a member elsewhere":
        (other / "a/f0.py").rename(other / "b/f0.py")
    if how == "all under other names":
        for file in list(other.glob("*/*.py")):
            file.rename(file.with_name(f"new_{file.name}"))
    prefix = "deep/" if how == "inside another" else ""
    moved = 3000 if how == "with a member elsewhere" else 0
    assert place.costs(other) == {f"{prefix}a": 3000, f"{prefix}b": moved}
    place.tell(place.accounts()["b"], 500)
    costs = place.costs(other)
    assert costs[f"{prefix}b"] == moved + 500, "what is told of the original later counts as well"


def test_accounts_say_nothing_and_belong_to_the_folder(place):
    accounts = place.accounts()
    assert len(set(accounts.values())) == 2
    other = place.folder / "other"
    other.mkdir()
    (other / "a").mkdir()
    (other / "a/g.py").write_text(text(50))
    assert place.accounts(other)["a"] not in accounts.values()
    assert place.costs(other) == {"a": 0}


def test_a_file_that_cannot_be_used_ends_it(place):
    with pytest.raises(StateError, match="lineage"):
        place.accounts(spoil=lambda lineage: lineage._remembered._database.execute("DROP TABLE stamps"))
