"""A team's ledger: one account for one content on two machines, roles, keys, copies, backups, figures."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import psycopg
import pytest
from command_line import Cli

sys.path.insert(0, str(Path(__file__).parents[1] / "boundary" / "ledger"))

from ledger_server import Server, program

from scripts import GOAL, plan, script, step

PASSPHRASE = "correct horse battery staple"
ANSWERS = plan(step("d", "describe", "@kind=config"), step("s", "secret_scan", "@kind=config"))


@pytest.fixture(scope="module")
def server():
    running = Server()
    yield running
    running.close()


@pytest.fixture
def dsn(server: Server):
    made = server.database()
    yield made
    server.give_back(made)


class Machine:
    """One member: a state folder, a configuration, a checkout."""

    def __init__(self, cli: Cli, folder: Path, monkeypatch: pytest.MonkeyPatch, tree: Path, name: str) -> None:
        self._cli, self._patch = cli, monkeypatch
        self.folder = folder / name
        self.folder.mkdir()
        self.config = self.folder / "config.toml"
        self.config.write_text('[ledger]\nkind = "postgres"\ndsn_env = "TEAM_LEDGER"\n[budget]\nration_local = true\n')
        self.tree = self.folder / "work" / "shop"
        self.tree.parent.mkdir()
        subprocess.run(["cp", "-r", tree, self.tree], check=True)
        (self.tree / "blob").unlink()  # fewer than eight bytes are alike everywhere: such a file is its place

    def __call__(self, *arguments: object):
        return self._cli(*arguments, "--state", self.folder / "state", "--config", self.config)

    def ask(self):
        done = self(
            "run", GOAL, "--per-object", "--root", self.tree, "--planner", script(self.folder, ANSWERS), "--json"
        )
        assert done.json["ending"] == "done", done.err  # a step may be refused: what was told counts
        return done.json


@pytest.fixture
def machine(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tree: Path, dsn: str):
    monkeypatch.setenv("TEAM_LEDGER", dsn)
    monkeypatch.setenv("PLANTWIN_TEAM_PASSPHRASE", PASSPHRASE)
    return lambda name: Machine(cli, tmp_path, monkeypatch, tree, name)


@pytest.fixture
def team(machine, tmp_path: Path):
    """Two members with the same keys."""
    first, second = machine("ann"), machine("bob")
    assert first("ledger", "status").code == 0
    assert first("ledger", "share", tmp_path / "team.key").code == 0
    assert second("ledger", "join", tmp_path / "team.key").code == 0
    return first, second


def keys_told(machine: Machine) -> dict[str, set[str]]:
    """The units of each account, by its key."""
    found: dict[str, set[str]] = {}
    for line in machine("audit", "show", "--kind", "charge", "--json").json["lines"]:
        for key, _, unit, *_ in line["body"]:
            found.setdefault(key, set()).add(unit)
    return found


def test_the_same_content_on_two_machines_is_one_account(team, machine, tmp_path: Path) -> None:
    first, second = team
    assert first("ledger", "status", "--json").json["keys"] == second("ledger", "status", "--json").json["keys"]
    first.ask()
    before = keys_told(first)
    assert len(before) > 3
    second.ask()
    assert keys_told(second) == before  # nothing was news: no account more, no unit more
    edited = '[server]\nport = 8081\nhost = "localhost"\n'
    (second.tree / "config" / "app.toml").write_text(edited)
    second.ask()
    lines = second("audit", "show", "--kind", "inherit", "--json").json["lines"]
    assert max(before.values(), key=len) in [{unit for _, _, unit, *_ in line["body"]} for line in lines]
    # A machine that only ever saw the edited file finds the account that inherited: it is not told anew.
    after = keys_told(second)
    third = machine("cleo")
    assert third("ledger", "join", tmp_path / "team.key").code == 0
    (third.tree / "config" / "app.toml").write_text(edited)
    third.ask()
    assert keys_told(third) == after


def test_the_trail_says_who_asked(team, dsn: str) -> None:
    first, second = team
    first.ask()
    (line,) = first("audit", "show", "--kind", "session", "--json").json["lines"]
    assert line["body"]["host"] == os.uname().nodename and line["body"]["role"] == "tester"
    out = second.folder / "statement.json"
    assert second("audit", "statement", "--audience", "scripted", "--out", out).code == 0
    assert line["body"]["host"] not in out.read_text()
    assert second("audit", "statement", "--audience", "scripted", "--out", out, "--names", second.tree).code == 0
    sessions = [one["entry"] for one in json.loads(out.read_text())["entries"] if one["entry"]["entry"] == "session"]
    assert sessions[0]["host"] == line["body"]["host"]
    # The names are those of the second machine's files: the accounts are the same.
    assert '"name":"config/app.toml"' in out.read_text()


def test_keys_are_shared_by_passphrase_alone(machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = machine("ann"), machine("bob")
    file = tmp_path / "team.key"
    assert first("ledger", "share", file).code == 0
    assert file.stat().st_mode & 0o777 == 0o600
    key = (first.folder / "state" / "keys" / "local.key").read_bytes()
    assert key not in file.read_bytes()
    assert first("ledger", "share", file).code == 2  # never over another file
    damaged = tmp_path / "damaged.key"
    for data in (b"", b"x" * 200, file.read_bytes()[:-1], file.read_bytes()[:-1] + b"\0"):
        damaged.write_bytes(data)
        assert second("ledger", "join", damaged).code == 2
    assert second("ledger", "join", tmp_path / "absent").code == 2
    monkeypatch.setenv("PLANTWIN_TEAM_PASSPHRASE", "another passphrase")
    assert "passphrase is wrong" in second("ledger", "join", file).err
    monkeypatch.setenv("PLANTWIN_TEAM_PASSPHRASE", "short")
    assert "shorter" in first("ledger", "share", tmp_path / "two.key").err
    monkeypatch.setenv("PLANTWIN_TEAM_PASSPHRASE", "")
    assert second("ledger", "join", file).code == 2
    monkeypatch.setenv("PLANTWIN_TEAM_PASSPHRASE", PASSPHRASE)
    assert second("ledger", "join", file).code == 0
    assert (second.folder / "state" / "keys" / "local.key").read_bytes() == key
    # One with accounts of its own keeps its key.
    third = machine("eve")
    assert third("ledger", "share", tmp_path / "eve.key").code == 0
    assert third("ledger", "join", file).code == 1


def test_roles_bound_what_members_may_do(team, dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = team
    ran = first("ledger", "roles")
    assert ran.code == 0 and "plantwin_approver may also approve" in ran.out
    assert first("ledger", "roles", "--json").code == 0  # again changes nothing
    with psycopg.connect(dsn, autocommit=True) as owner:
        for person, role in (("rita", "plantwin_reader"), ("wes", "plantwin_writer"), ("abby", "plantwin_approver")):
            owner.execute(f"DROP ROLE IF EXISTS {person}")
            owner.execute(f"CREATE ROLE {person} LOGIN")
            owner.execute(f"GRANT {role} TO {person}")
    first.ask()

    def as_role(name: str) -> str:
        made = dsn.replace("user=tester", f"user={name}")
        monkeypatch.setenv("TEAM_LEDGER", made)
        return made

    made = as_role("rita")
    assert second("audit", "verify").code == 0
    ran = second("run", GOAL, "--root", second.tree, "--planner", script(second.folder, ANSWERS))
    assert ran.code == 1 and "42501" in ran.err  # insufficient privilege: nothing recorded, nothing sent
    made = as_role("wes")
    assert second.ask()["session"]
    assert second("ledger", "status", "--json").json["may_approve"] is False
    for forbidden in (
        "DELETE FROM trail", "UPDATE trail SET at = 0", "TRUNCATE told", "UPDATE told SET cost = 0",
        "DELETE FROM nodes", "DROP TABLE told", "UPDATE meta SET value = ''", "DELETE FROM head",
    ):  # fmt: skip
        with (
            psycopg.connect(made, options="-c search_path=plantwin") as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute(forbidden)
    as_role("abby")
    assert second("ledger", "status", "--json").json["may_approve"] is True
    assert "abby" in second("ledger", "status").out


def test_who_may_not_approve_is_not_asked(team, dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from plantwin.config.settings import load_settings
    from plantwin.types.approval import Nobody
    from plantwin.workspace import Workspace

    first, _ = team
    assert first("ledger", "roles").code == 0
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute("DROP ROLE IF EXISTS wes")
        owner.execute("CREATE ROLE wes LOGIN")
        owner.execute("GRANT plantwin_writer TO wes")

    class Yes:
        def ask(self, question):
            raise AssertionError

    for user, asked in (("wes", Nobody), ("tester", Yes)):
        monkeypatch.setenv("TEAM_LEDGER", dsn.replace("user=tester", f"user={user}"))
        settings = load_settings(first.config)
        made = Workspace(first.tree, settings=settings, state=first.folder / "state", approver=Yes())
        assert type(made.approver) is asked
        made.approver = Yes()  # as surfaces do, once they know whom to ask
        assert type(made.approver) is asked
        made.close()


def test_a_restored_backup_cannot_roll_budgets_back_unnoticed(team, server: Server, dsn: str) -> None:
    first, second = team
    first.ask()
    name = re.search(r"dbname=(\S+)", dsn)[1]
    socket = ["-h", str(server.folder), "-p", "5432", "-U", "tester", "-d", name]
    dump = subprocess.run([program("pg_dump"), *socket, "-n", "plantwin"], capture_output=True, check=True).stdout
    (second.tree / "config" / "more.toml").write_text("[cache]\nsize = 12\nkind = 'memory'\n")
    second.ask()
    lines = second("ledger", "status", "--json").json["lines"]
    with psycopg.connect(dsn) as connection:
        connection.execute("SET client_min_messages = error")
        connection.execute("DROP SCHEMA plantwin CASCADE")
    subprocess.run(
        [program("psql"), "-q", "-v", "ON_ERROR_STOP=1", *socket], input=dump, check=True, stdout=subprocess.DEVNULL
    )
    # The one who was there last notices; the other had not seen more than the backup holds.
    for command in (("audit", "verify"), ("run", GOAL, "--root", second.tree)):
        ran = second(*command)
        assert ran.code == 1 and "holds less than was recorded" in ran.err
    assert first("ledger", "status").code == 0
    ran = second("audit", "accept-rollback", "--yes")
    assert ran.code == 0
    assert second("ledger", "status", "--json").json["lines"] < lines
    assert (
        second("audit", "show", "--kind", "warning", "--json").json["lines"][-1]["body"]["warning"]
        == "rollback_accepted"
    )


def test_a_restored_newest_backup_goes_on(team, server: Server, dsn: str) -> None:
    first, second = team
    first.ask()
    name = re.search(r"dbname=(\S+)", dsn)[1]
    socket = ["-h", str(server.folder), "-p", "5432", "-U", "tester", "-d", name]
    dump = subprocess.run([program("pg_dump"), *socket, "-n", "plantwin"], capture_output=True, check=True).stdout
    before = keys_told(first)
    with psycopg.connect(dsn) as connection:
        connection.execute("SET client_min_messages = error")
        connection.execute("DROP SCHEMA plantwin CASCADE")
    subprocess.run(
        [program("psql"), "-q", "-v", "ON_ERROR_STOP=1", *socket], input=dump, check=True, stdout=subprocess.DEVNULL
    )
    second.ask()
    assert keys_told(first) == before
    assert first("audit", "verify").code == 0


def test_a_new_key_for_a_team(team, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = team
    first.ask()
    before = keys_told(first)
    moved = server.database()
    monkeypatch.setenv("NEW_LEDGER", moved)
    ran = first("ledger", "copy", "--to", "NEW_LEDGER", "--new-key", "--json")
    assert ran.code == 0 and ran.json["lines"] > 5
    ended = second("run", GOAL, "--root", second.tree, "--planner", script(second.folder, ANSWERS))
    assert ended.code == 1 and "ledger" in ended.err  # the old one is closed to every client
    monkeypatch.setenv("TEAM_LEDGER", moved)
    assert second("ledger", "status").code == 1  # the old key does not open the new one
    assert first("ledger", "share", tmp_path / "new.key").code == 0
    assert second("ledger", "join", tmp_path / "new.key").code == 0
    assert second("audit", "verify").code == 0
    second.ask()
    assert keys_told(second) == before  # accounts go on
    assert first("ledger", "copy", "--to", "NEW_LEDGER").code == 1  # not empty
    server.give_back(moved)


def test_a_persons_ledger_becomes_a_teams(cli: Cli, tree: Path, tmp_path: Path, machine, dsn: str) -> None:
    person = machine("ann")
    person.config.write_text("[budget]\nration_local = true\n")
    person.ask()
    before = {key: len(units) for key, units in keys_told(person).items()}
    assert "plantwin_ledger_whole 1" in person("ledger", "metrics").out
    assert person("ledger", "roles").code == 1
    assert person("ledger", "copy", "--to", "NOT_SET").code == 1
    assert person("ledger", "copy", "--to", "TEAM_LEDGER").code == 0
    person.config.write_text('[ledger]\nkind = "postgres"\ndsn_env = "TEAM_LEDGER"\n[budget]\nration_local = true\n')
    assert person("audit", "verify").code == 0
    person.ask()
    inherited = {
        (key, unit)
        for line in person("audit", "show", "--kind", "inherit", "--json").json["lines"]
        for key, _, unit, *_ in line["body"]
    }
    # Accounts are named by content now; each began with all that was told before, so nothing was news.
    after = {key: len(units) for key, units in keys_told(person).items()}
    words = 2
    assert after == before and len(inherited) == sum(before.values()) - words


def test_a_person_has_a_budget_of_their_own_where_the_team_says_so(machine, dsn: str, tmp_path, monkeypatch) -> None:
    first, second = machine("ann"), machine("bob")
    for one in (first, second):
        one.config.write_text(one.config.read_text().replace("[budget]", 'budgets = "person"\n[budget]'))
    assert first("ledger", "roles").code == 0
    assert first("ledger", "share", tmp_path / "team.key").code == 0
    assert second("ledger", "join", tmp_path / "team.key").code == 0
    with psycopg.connect(dsn, autocommit=True) as connection:
        for name in ("ann", "bob"):
            connection.execute(f"CREATE ROLE {name}_own LOGIN IN ROLE plantwin_writer")
    try:
        first.ask()
        before = keys_told(first)
        first.ask()
        assert keys_told(first) == before  # the owner's, on any machine with that role
        monkeypatch.setenv("TEAM_LEDGER", dsn.replace("user=tester", "user=ann_own"))
        first.ask()
        own = {key: units for key, units in keys_told(first).items() if key not in before}
        files = [units for units in before.values() if not any(unit.startswith("word=") for unit in units)]
        assert sorted(map(sorted, own.values())) == sorted(map(sorted, files))  # words of goals are nobody's file
        second.ask()  # the same role on another machine: the same account
        assert keys_told(second) == before | own
        monkeypatch.setenv("TEAM_LEDGER", dsn.replace("user=tester", "user=bob_own"))
        second.ask()
        assert len(keys_told(second)) == len(before) + 2 * len(files)
        # Whoever thinks that the budgets are the team's is refused: it would begin every account anew.
        second.config.write_text(second.config.read_text().replace('"person"', '"team"'))
        refused = second("ledger", "status")
        assert refused.code == 1 and 'begun with ledger.budgets = "person"' in refused.err
    finally:
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute("DROP ROLE ann_own, bob_own")


def test_figures_are_closed_words_and_numbers(team) -> None:
    first, _ = team
    first.ask()
    text = first("ledger", "metrics").out
    line = re.compile(
        r'(# (HELP|TYPE) [\w .,:]+|plantwin_\w+(\{(kind|audience|verdict)="[a-z0-9._-]+"\})? \d+(\.\d+)?)'
    )
    assert all(line.fullmatch(one) for one in text.splitlines())
    assert re.search(r'plantwin_facts_total\{audience="scripted"\} [1-9]', text)
    assert re.search(r'plantwin_ledger_lines_total\{kind="session"\} 1\b', text)


def test_figures_are_served_to_whoever_has_the_token(team, dsn: str) -> None:
    first, _ = team
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "plantwin", "ledger", "metrics", "--port", str(port), "--json"]
    where = ["--state", str(first.folder / "state"), "--config", str(first.config)]
    environment = {**os.environ, "PLANTWIN_METRICS_TOKEN": "only-the-collector"}
    with subprocess.Popen([*command, *where], env=environment, stdout=subprocess.PIPE, text=True) as served:
        try:
            assert '"token": null' in "".join(iter(served.stdout.readline, "}\n"))

            def get(**headers: str) -> tuple[int, str]:
                for _ in range(100):
                    with (
                        suppress(ConnectionRefusedError),
                        closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection,
                    ):
                        connection.request("GET", "/metrics", headers=headers)
                        answer = connection.getresponse()
                        return answer.status, answer.read().decode()
                    time.sleep(0.2)
                raise AssertionError("nobody listens")

            assert get()[0] == get(authorization="Bearer another")[0] == 401
            assert get(authorization="Bearer only-the-collector", host="evil.example")[0] == 400
            status, text = get(authorization="Bearer only-the-collector")
            assert status == 200 and "\nplantwin_ledger_whole 1\n" in text
            with psycopg.connect(dsn) as connection:
                connection.execute("DROP SCHEMA plantwin CASCADE")
            assert get(authorization="Bearer only-the-collector") == (200, text)  # not made anew within a minute
        finally:
            served.send_signal(signal.SIGINT)
            served.wait(20)
