"""Promise 4: what an audience was told of an object is recorded before it is sent, and never forgotten."""

from __future__ import annotations

import json
import shutil

import pytest
from scenes import CANARY, folder, session, settings, step, workspace

from plantwin.cloud.scripted import Scripted
from plantwin.config.budget import NATS
from plantwin.errors import StateError
from plantwin.ledgers.records import read_lines, read_statements
from plantwin.session import run
from plantwin.types.ledger import Audience

AUTH = "@semantic_class=authentication_module"
SCRIPTED = Audience("scripted", ("scripted",))


@pytest.fixture(autouse=True)
def no_config(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def told(planner, field):
    """Every object that a field was told of, over all messages."""
    messages = [json.loads(each) for each in planner.received]
    return [each for message in messages for each in message.get("objects", ()) if field in each]


def spent(made, path="shop/auth/service.py"):
    return next(each.spent for each in made.spending if each.path == path)


def test_everything_sent_was_recorded_before_byte_by_byte(tmp_path):
    root, state = folder(tmp_path), tmp_path / "state"

    class Looking(Scripted):
        def plan(self, envelopes):
            with workspace(root, state) as other:
                lines = [json.loads(line.body) for line in read_lines(other.ledger) if line.kind == "envelope"]
            recorded = [each["data"].encode() for each in lines]
            assert recorded[-len(envelopes) :] == [each.data for each in envelopes]
            return super().plan(envelopes)

    planner = Looking([{"steps": [step("security_audit", AUTH)]}])
    with workspace(root, state) as made:
        finished = run("audit the authentication module for security", made, planner)
    assert not finished.error
    assert len(planner.received) == 3


def test_repeating_the_same_session_costs_nothing_new(tmp_path):
    root, state = folder(tmp_path), tmp_path / "state"
    first, _ = session(root, state, [{"steps": [step("security_audit", AUTH)]}])
    again, _ = session(root, state, [{"steps": [step("security_audit", AUTH)]}])
    assert spent(first) == spent(again) > 0
    assert next(each.told for each in again.spending if each.path == "shop/auth/service.py") == ()


def test_renaming_moving_and_restarting_reset_nothing(tmp_path):
    root, state = folder(tmp_path), tmp_path / "state"
    first, _ = session(root, state, [{"steps": [step("security_audit", AUTH)]}])
    (root / "shop/auth/service.py").rename(root / "shop/renamed.py")
    renamed, _ = session(root, state, [])
    assert spent(renamed, "shop/renamed.py") >= spent(first)
    root.rename(tmp_path / "elsewhere")
    moved, _ = session(tmp_path / "elsewhere", state, [])
    assert spent(moved, "shop/renamed.py") >= spent(first)


def test_six_copies_of_a_secret_have_one_budget(tmp_path):
    root, state = folder(tmp_path), tmp_path / "state"
    for number in range(6):
        (root / f"copy{number}").mkdir()
        shutil.copy(root / ".env", root / f"copy{number}" / ".env")
        (root / f"copy{number}" / "near.env").write_text((root / ".env").read_text() + f"# {number}\n")
    paths = [root / ".env", *root.glob("copy*/*.env")]
    goal = "scan the credentials for secrets"
    asks = [{"steps": [step("describe", f"@object={number}", id_=f"s{number}") for number in range(1, 9)]}] * 3
    made, _ = session(root, state, asks, goal, settings=settings(tmp_path, '[twin]\nmode = "objects"\n'))
    assert not made.error
    shown = [each for each in made.spending if root / each.path in paths]
    assert len(shown) > 6
    assert len({(each.spent, each.threshold) for each in shown}) == 1
    assert 0 < shown[0].spent <= shown[0].threshold
    with workspace(root, state) as other:
        scan = other.environment.scan(jobs=1)
        records = [each for each in scan.records() if root / each.path in paths]
        (key,) = {each.key for each in other.keys(scan, records).values()}
        told = [each for each in read_statements(other.ledger, "scripted") if each.key == key]
        assert sum(each.cost for each in told) == shown[0].spent


def test_a_copied_folder_has_no_new_budget_for_its_sets(tmp_path):
    root, state = folder(tmp_path), tmp_path / "state"
    first, _ = session(root, state, [])
    before = max(each.spent for each in first.set_spending)
    assert before > 0
    shutil.copytree(root, tmp_path / "copy")
    copied, _ = session(tmp_path / "copy", state, [])
    assert max(each.spent for each in copied.set_spending) >= before
    assert max(each.before for each in copied.set_spending) == before


def test_a_describe_loop_cannot_drain_a_fingerprint(tmp_path):
    root, state = folder(tmp_path), tmp_path / "state"
    limited = settings(
        tmp_path, "[budget.thresholds.sensitivity]\nlow = 2\nrestricted = 2\nhigh = 2\n[limits]\nmax_turns = 8\n"
    )
    asks = [{"steps": [step("describe", "@object=1", id_=f"s{n}") for n in range(1, 9)]}] * 8
    for _ in range(3):
        made, _ = session(root, state, asks, settings=limited)
        assert all(each.spent <= min(each.threshold, 2000 * NATS) for each in made.spending)


def test_once_the_budget_is_used_up_the_family_then_the_kind_then_nothing_is_told(tmp_path):
    root = folder(tmp_path)
    goal = "audit the authentication module for security"
    # A sixth of each is kept for what is told of the sets that the objects are in.
    ladder = ((6, {"kind", "semantic_class"}), (5, {"kind", "family"}), (1, {"kind"}), (0.5, set()))
    for most, fields in ladder:
        limits = "[budget]\naccountant = 'weighted'\n"
        limits += f"[budget.thresholds.sensitivity]\nlow = {most}\nrestricted = {most}\nhigh = {most}\n"
        made, planner = session(root, tmp_path / f"state-{most}", [], goal, settings=settings(tmp_path, limits))
        seen = {field for each in told(planner, "kind") for field in each if field not in ("object_id", "within")}
        assert seen == fields
        assert bool(made.excluded) == (not fields)


def test_audiences_that_share_are_one(tmp_path):
    root, state = folder(tmp_path), tmp_path / "state"
    session(root, state, [{"steps": [step("security_audit", AUTH)]}])
    colluding = settings(tmp_path, '[audiences]\ncolluding = [["scripted", "other"], ["other", "third"]]\n')
    with workspace(root, state, settings=colluding) as made:
        third = run("audit the authentication module", made, Scripted([], name="third", audience="third"))
        stranger = run("audit the authentication module", made, Scripted([], name="x", audience="stranger"))
    assert spent(third) > spent(stranger)


def test_the_ledger_holds_no_path_and_no_content(tmp_path):
    root, state = folder(tmp_path), tmp_path / "state"
    session(root, state, [{"steps": [step("security_audit", AUTH), step("secret_scan", AUTH, id_="s2")]}])
    for name in ("ledger", "lineage"):
        kept = b"".join(path.read_bytes() for path in (state / name).iterdir())
        assert kept
        assert CANARY.encode() not in kept
        assert b"service.py" not in kept


def test_a_lineage_that_was_lost_stops_everything(tmp_path):
    root, state = folder(tmp_path), tmp_path / "state"
    session(root, state, [])
    for path in (state / "lineage").iterdir():
        path.unlink()
    with pytest.raises(StateError, match="missing"):
        session(root, state, [])


def test_a_rehearsal_sends_nothing_whoever_watches(tmp_path):
    root, state = folder(tmp_path), tmp_path / "state"
    made, planner = session(root, state, [{"steps": [step("security_audit", AUTH)]}], rehearse=True)
    assert planner.received == []
    assert made.outbound == []
    assert made.results == {}


def test_an_object_that_cannot_be_shown_is_not_named_either(tmp_path):
    none = settings(tmp_path, "[budget.thresholds.sensitivity]\nlow = 0\nrestricted = 0\nhigh = 0\n")
    _, planner = session(folder(tmp_path), tmp_path / "state", [], settings=none)
    assert b"artifact_" not in b"".join(planner.received)
