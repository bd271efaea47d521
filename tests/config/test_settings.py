"""Settings: from the person's own file alone, checked whole, never quoted."""

from __future__ import annotations

import math
import os
from pathlib import Path

import msgspec
import pytest

from plantwin.boundary.approval import LIFETIME
from plantwin.config.accountants import calibrated
from plantwin.config.budget import NATS
from plantwin.config.settings import LIMIT, Settings, load_settings, user_config
from plantwin.errors import ConfigError
from plantwin.types.ledger import Audience, Known, Limits
from plantwin.types.local import LocalObject
from plantwin.types.prices import BY_KIND, BY_SENSITIVITY, COSTS
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import Kind, SemanticClass, Sensitivity
from tables import value_of


def loaded(folder: Path, text: str) -> Settings:
    (folder / "config.toml").write_text(text)
    return load_settings(folder / "config.toml")


def held(kind: Kind = Kind.CODE_FILE, sensitivity: Sensitivity = Sensitivity.LOW) -> LocalObject:
    leaf = SemanticClass.AUTHENTICATION_MODULE
    return LocalObject(
        TwinObject(object_id="artifact_aaaaaaaa", kind=kind, semantic_class=leaf, sensitivity=sensitivity), b"k"
    )


def test_without_a_file_what_ships_holds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    settings = load_settings()
    assert settings == Settings()
    accountant = settings.accountant()
    for sensitivity, most in BY_SENSITIVITY.items():
        told = Known(frozenset({f"sensitivity={sensitivity}"}))
        assert accountant.threshold(held(sensitivity=sensitivity), told) == NATS * most
        # A limit that followed a sensitivity which was not told would tell it.
        assert accountant.threshold(held(sensitivity=sensitivity), Known()) == NATS * min(BY_SENSITIVITY.values())
        secret = accountant.threshold(held(Kind.SECRET_CONTAINER, sensitivity), told)
        assert secret == NATS * BY_KIND[Kind.SECRET_CONTAINER]
    assert accountant.price("kind=config", Known()) == calibrated("kind=config") and accountant.anonymity
    assert settings.rates() == Limits()
    assert settings.refresh_seconds is None
    assert settings.approval.lifetime == LIFETIME
    assert (settings.policy.name, settings.policy.file, settings.ledger.kind) == ("default", None, "sqlite")
    assert not settings.sandbox.require


@pytest.mark.parametrize("name", ["weighted", "calibrated", "entropy", "k-anonymity", "differential"])
def test_the_person_chooses_who_sets_prices(name: str) -> None:
    settings = msgspec.convert({"budget": {"accountant": name}}, Settings)
    accountant = settings.accountant((), [(held().object, b"")])
    rare = accountant.price("kind=secret_container", Known())
    assert rare == COSTS["kind"] if name == "weighted" else rare >= 1000 * math.log(len(Kind))
    assert (accountant.anonymity is not None) == (name == "k-anonymity")
    assert (accountant.noise is not None) == (name == "differential")
    unit = 1 if name == "weighted" else NATS
    assert accountant.least == unit * BY_KIND[Kind.SECRET_CONTAINER] == settings.sharing().limit


def test_audiences_have_accountants_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[budget.audiences]\nacme = "k-anonymity"\n')
    settings = load_settings(file)
    assert settings.heard_by("acme").accountant((), ()).anonymity is not None
    assert settings.heard_by("other") == settings
    for kind in ("same", "colluding"):
        # What is shared is counted in one unit.
        file.write_text(f'[budget.audiences]\nacme = "entropy"\n[audiences]\n{kind} = [["acme", "other"]]\n')
        with pytest.raises(ConfigError, match=r"budget\.audiences\.acme: .* the same accountant"):
            load_settings(file)


def test_the_file_is_the_persons_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_config() == tmp_path / ".config" / "plantwin" / "config.toml"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "plantwin").mkdir()
    (tmp_path / "plantwin" / "config.toml").write_text("[limits]\nmax_turns = 2\n")
    # What lies in the folder one works in is content, not configuration.
    (tmp_path / "plantwin.toml").write_text("[limits]\nmax_turns = 16\n")
    (tmp_path / "config.toml").write_text("[limits]\nmax_turns = 16\n")
    monkeypatch.chdir(tmp_path)
    assert load_settings().limits.max_turns == 2


def test_a_link_that_leads_nowhere_is_not_silence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "plantwin").mkdir()
    (tmp_path / "plantwin" / "config.toml").symlink_to(tmp_path / "gone")
    with pytest.raises(ConfigError, match=r"config\.toml: cannot be read"):
        load_settings()


def test_prices_and_thresholds(tmp_path: Path) -> None:
    settings = loaded(
        tmp_path,
        "[budget]\naccountant = 'weighted'\nscale = 0.5\nrefresh = '90d'\n[budget.costs]\nkind = 0.25\nedge = 4\n"
        "[budget.thresholds.sensitivity]\nlow = 30\nhigh = 6.5\n[budget.thresholds.kind]\nconfig = 7\n"
        "[detect]\nanything = 1\n",
    )
    accountant = settings.accountant()
    assert accountant.price("kind=config", Known()) == 250
    assert accountant.price("edge=depends_on:x", Known()) == 4000
    assert accountant.price("semantic_class=x", Known()) == COSTS["semantic_class"]
    low, high = (Known(frozenset({f"sensitivity={each}"})) for each in (Sensitivity.LOW, Sensitivity.HIGH))
    assert accountant.threshold(held(), low) == 15_000
    assert accountant.threshold(held(), Known()) == 3_250
    assert accountant.threshold(held(sensitivity=Sensitivity.HIGH), high) == 3_250
    assert accountant.threshold(held(Kind.CONFIG), low) == 3_500
    assert accountant.threshold(held(Kind.SECRET_CONTAINER), low) == 6_000
    assert settings.refresh_seconds == 90 * 86400


@pytest.mark.parametrize(("text", "seconds"), [("12h", 43200.0), ("1d", 86400.0), ("2w", 1209600.0)])
def test_the_refresh_period(tmp_path: Path, text: str, seconds: float) -> None:
    assert loaded(tmp_path, f"budget.refresh = '{text}'").refresh_seconds == seconds


def test_everything_else_can_be_set(tmp_path: Path) -> None:
    settings = loaded(
        tmp_path,
        "[limits]\nturns_per_hour = 5\nfields_per_hour = 50\nrefusals_per_hour = 7\nmax_turns = 3\nmax_objects = 9\n"
        "planner_seconds = 30\n[policy]\nfile = 'own.cedar'\n[ledger]\nkind = 'postgres'\ndsn_env = 'PLANTWIN_DSN'\n"
        "[sandbox]\nrequire = true\nseconds = 5\nmemory_mb = 512\nprocesses = 8\noutput_mb = 2\n"
        "[approval]\nlifetime = 60\n",
    )
    assert settings.rates() == Limits(5, 50, 7)
    assert (settings.limits.max_turns, settings.limits.max_objects, settings.limits.planner_seconds) == (3, 9, 30.0)
    assert settings.policy.file == str(tmp_path / "own.cedar")
    assert (settings.ledger.kind, settings.ledger.dsn_env) == ("postgres", "PLANTWIN_DSN")
    sandbox = settings.sandbox
    assert (sandbox.require, sandbox.seconds, sandbox.memory_mb) == (True, 5.0, 512)
    assert (sandbox.processes, sandbox.output_mb) == (8, 2)
    assert settings.approval.lifetime == 60.0
    assert loaded(tmp_path, "[ledger]\npath = '/srv/ledger.db'").ledger.path == "/srv/ledger.db"
    assert loaded(tmp_path, "[ledger]\npath = 'ledger.db'").ledger.path == str(tmp_path / "ledger.db")


def test_audiences_share_over_any_number_of_hands(tmp_path: Path) -> None:
    settings = loaded(
        tmp_path,
        "[audiences]\nsame = [['openai', 'azure'], ['x', 'y']]\ncolluding = [['azure', 'broker'], ['broker', 'zeta']]",
    )
    everyone = ("azure", "broker", "openai", "zeta")
    for name in everyone:
        assert settings.audience(name) == Audience(name, everyone)
    assert settings.audience("x") == Audience("x", ("x", "y"))
    assert settings.audience("alone") == Audience("alone", ("alone",))


@pytest.mark.parametrize("name", ["", "A", "a b", "a/b", "a\n", "é", "x" * 65])
def test_an_audience_has_a_plain_name(name: str) -> None:
    with pytest.raises(ConfigError, match="audience"):
        Settings().audience(name)


LABELS = value_of(__file__, "labels")


@pytest.mark.parametrize(
    ("root", "path", "labels"),
    [
        ("shop", ".env", {"private"}),
        ("shop", "deep/er/prod.env", {"private"}),
        ("shop", "prod.env.txt", set()),
        ("shop", "x.env/inside", {"private"}),
        ("shop", "clients/acme/deep/a.csv", {"acme"}),
        ("shop", "old/clients/acme/a.csv", {"acme"}),
        ("shop", "clients/acme2/a.csv", set()),
        ("shop", "clients/acmé", set()),
        # The same file seen from a deeper folder keeps its label.
        ("shop/clients", "acme/a.csv", {"acme"}),
        ("shop/clients/acme", "a.csv", {"acme"}),
        ("shop", "docs/a.md", {"public"}),
        ("shop", "docs/deep/a.md", {"public"}),
        ("shop", "x/docs/a.md", set()),
        ("home", "notes/today", {"diary"}),
        ("home", "my/notes", {"diary"}),
        ("home/notes", "today", {"diary"}),
        ("", "home/notes/today", {"diary"}),
        ("homework", "notes/today", set()),
        ("shop", "notes/today", set()),
        ("home", "top.txt", {"top"}),
        ("", "home/top.txt", {"top"}),
        ("home", "x/top.txt", set()),
        ("shop", "a\n.env", {"private"}),
        ("shop", "a\udce9.env", {"private"}),
    ],
)
def test_labels(tmp_path: Path, root: str, path: str, labels: set[str]) -> None:
    settings = loaded(tmp_path, LABELS.replace("ROOT", str(tmp_path)))
    assert settings.labels_of(tmp_path / root, path) == labels


def test_the_root_of_a_label_may_be_a_link_or_start_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.setenv("HOME", str(tmp_path))
    row = "[[labels]]\nglob = '*'\nlabel = 'mine'\nroot = '{}'\n"
    for root in (str(tmp_path / "link"), "~/link"):
        assert loaded(tmp_path, row.format(root)).labels_of((tmp_path / "real").resolve(), "a") == {"mine"}


WRONG = {
    "nonsense = 1": "nonsense: unknown key",
    "[limits]\nturns_per_hor = 1": "limits.turns_per_hor: unknown key",
    "[budget.costs]\nkind = 1": 'budget.costs: they hold with budget.accountant = "weighted" alone',
    "[budget.costs]\nkindd = 1": "budget.costs.kindd: unknown key",
    "[budget.costs]\nkind = -1": "budget.costs.kind: Expected float >= 0",
    "[budget.costs]\nkind = nan": "budget.costs.kind: ",
    "[budget.costs]\nkind = inf": "budget.costs.kind: ",
    "[budget.costs]\nkind = 'hunter2'": "budget.costs.kind: Expected float, got str",
    "[budget.costs]\nkind = true": "budget.costs.kind: Expected float, got bool",
    "[budget.thresholds.sensitivity]\nextreme = 1": "budget.thresholds.sensitivity.extreme: unknown key",
    "[budget.thresholds.kind]\nconfig = nan": "budget.thresholds.kind.config: ",
    "[budget]\nscale = 101": "budget.scale: ",
    "[budget]\nscale = nan": "budget.scale: ",
    "[budget]\nrefresh = 'hunter2'": "budget.refresh: ",
    "[budget]\nrefresh = '0d'": "budget.refresh: ",
    '[budget]\nrefresh = "9d\\n"': "budget.refresh: ",
    "[limits]\nturns_per_hour = 0": "limits.turns_per_hour: ",
    "[limits]\nturns_per_hour = 1.5": "limits.turns_per_hour: ",
    "[limits]\nmax_turns = 17": "limits.max_turns: ",
    "[limits]\nmax_objects = 257": "limits.max_objects: ",
    "[limits]\nplanner_seconds = inf": "limits.planner_seconds: ",
    "[audiences]\nsame = [['openai']]": "audiences.same[0]: ",
    "[audiences]\nsame = [['openai', 'Hunter2']]": "audiences.same[0][1]: ",
    "[audiences]\ncolluding = 'all'": "audiences.colluding: ",
    "[policy]\nname = 'hunter2'": "policy.name: ",
    "[policy]\nname = 'team'\nfile = 'x.cedar'": "policy: name or file",
    "[policy]\nfile = ''": "policy.file: ",
    "[ledger]\nkind = 'mysql'": "ledger.kind: ",
    "[ledger]\nkind = 'postgres'": "ledger.dsn_env: the name of the environment variable",
    "[ledger]\nkind = 'postgres'\ndsn_env = 'X'\npath = '/x'": "ledger.dsn_env: the name",
    "[ledger]\ndsn_env = 'X'": "ledger.dsn_env: only with",
    "[ledger]\nbudgets = 'person'": "ledger.budgets: only with",
    "[ledger]\nkind = 'postgres'\ndsn_env = 'X'\nbudgets = 'all'": "ledger.budgets: ",
    "[ledger]\ndsn_env = 'postgresql://me:hunter2@db/x'": "ledger.dsn_env: ",
    "[ledger]\ndsn = 'postgresql://me:hunter2@db/x'": "ledger.dsn: unknown key",
    "[sandbox]\nrequire = 'no'": "sandbox.require: ",
    "[sandbox]\nmemory_mb = 1": "sandbox.memory_mb: ",
    "[approval]\nlifetime = 0": "approval.lifetime: ",
    "[approval]\nlifetime = 86401": "approval.lifetime: ",
    "[[labels]]\nglob = '*'": "labels[0]: ",
    "[[labels]]\nglob = '/'\nlabel = 'x'": "labels[0].glob: ",
    "[[labels]]\nglob = '*'\nlabel = 'Hunter2'": "labels[0].label: ",
    "[[labels]]\nglob = '*'\nlabel = 'x'\nroot = 'hunter2'": "labels[0].root: an absolute path",
    "[labels]\nglob = '*'": "labels: ",
    "labels = 1": "labels: ",
    "limits = []": "limits: Expected object, got array",
    "[twin]\nmode = 'object'": "twin.mode: one of sets, objects is needed",
    "[limits": "file: not valid TOML",
    "x = 1\n[limits\ny = 2": "line 2: not valid TOML",
    "[limits]\nx = hunter2": "line 2",
    "x = " + "[" * 5000: "file: not valid TOML",
    '"a\\u001b[31m" = 1': "a?[31m: unknown key",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_mistake_is_named_and_not_quoted(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        loaded(tmp_path, text)
    message = str(caught.value)
    assert message.startswith("config.toml (your configuration): ")
    assert WRONG[text] in message
    assert "hunter2" not in message.lower()
    assert caught.value.exit_code == 2


def test_files_that_cannot_be_configuration(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    with pytest.raises(ConfigError, match="cannot be read"):
        load_settings(path)
    with pytest.raises(ConfigError, match="not a regular file"):
        load_settings(tmp_path)
    path.write_bytes(b"x = '\xff'")
    with pytest.raises(ConfigError, match="not UTF-8"):
        load_settings(path)
    path.write_bytes(b"#" * LIMIT)
    assert load_settings(path) == Settings()
    path.write_bytes(b"#" * (LIMIT + 1))
    with pytest.raises(ConfigError, match="larger than"):
        load_settings(path)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(ConfigError, match="not a regular file"):
        load_settings(path)


def test_prices_are_exact_thousandths(tmp_path: Path) -> None:
    settings = loaded(
        tmp_path, "[budget]\naccountant = 'weighted'\n[budget.costs]\nkind = 0.1\nrole = 0.0004\ncount = 0.0006\n"
    )
    accountant = settings.accountant()
    assert [accountant.price(f"{field}=x", Known()) for field in ("kind", "role", "count")] == [100, 0, 1]
    assert not math.isnan(settings.budget.scale)
