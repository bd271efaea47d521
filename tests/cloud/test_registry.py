"""Names stand for planners; keys, addresses, audiences and localities come from where they should."""

from __future__ import annotations

import copy
import pickle
import socket
import types

import pytest
import servers
from servers import receiver
from told import CATALOG, FIRST, configured, witnessed

from plantwin.cloud import endpoint, registry
from plantwin.cloud.endpoint import Key, endpoint_of, found_key, loopback, on_this_machine
from plantwin.cloud.registry import BUILT_IN, Registry, address_of, roster
from plantwin.config.planners import PlannerEntry, Price
from plantwin.config.settings import Settings
from plantwin.errors import InputError, PlannerError, PlanTwinError
from tables import cases

SECRET = "sk-canary-1414213562373095"


def planner(name, **settings):
    return Registry(Settings(**settings), CATALOG).planner(name)


@cases("name", "variable", "audience", "origin")
def test_providers_are_known_by_name_and_need_their_key(monkeypatch, name, variable, audience, origin):
    with pytest.raises(InputError, match="no key: set"):
        planner(name)
    monkeypatch.setenv(variable, SECRET)
    made = planner(name)
    assert (made.name, made.audience, made.locality) == (name, audience, "remote")
    assert made._transport.endpoint.origin == origin
    assert SECRET not in repr(made) + repr(vars(made)) + str(made._key)


def test_the_usual_addresses_are_honoured(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setenv("OPENAI_BASE_URL", "https://llm.example/v1/")
    made = planner("openai:m")
    assert (made.audience, made._transport.endpoint.path) == ("llm.example", "/v1")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.delenv("OPENAI_API_KEY")
    assert (planner("openai:m").audience, planner("openai:m").locality) == ("loopback", "local")


@cases("host", "url")
def test_ollama_is_where_its_variable_says(monkeypatch, host, url):
    monkeypatch.setenv("OLLAMA_HOST", host)
    assert address_of(registry.PROVIDERS["ollama"]) == url


def test_ollama_needs_no_key():
    made = planner("ollama:tiny")
    assert (made.audience, made.locality) == ("loopback", "local")


def test_a_url_with_a_model_is_a_planner():
    made = planner("https://llm.example:8443/v1#some/model")
    assert (made.name, made.audience) == ("https://llm.example:8443#some/model", "llm.example")
    with pytest.raises(InputError, match="without a model"):
        planner("https://llm.example/v1")


@pytest.mark.parametrize(
    "name", ["", "nobody", "offline:x", "scripted", "command:", "local:x", "ftp://x#y", "recorded"]
)
def test_other_names_are_refused_with_what_there_is(name):
    with pytest.raises(InputError, match="no planner has that name"):
        planner(name)


@pytest.mark.parametrize("name", ["openai", "gemini:"])
def test_a_provider_without_a_model_says_what_is_missing(name):
    with pytest.raises(InputError, match="needs a model"):
        planner(name)


def test_a_planner_that_cannot_answer_says_so_before_anything_is_told(monkeypatch):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    with pytest.raises(PlannerError, match="nothing listens"):
        planner(f"http://127.0.0.1:{port}/v1#m").ready()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        planner(f"http://127.0.0.1:{listening.getsockname()[1]}/v1#m").ready()
    planner("https://llm.example/v1#m").ready()
    with pytest.raises(PlannerError, match="not a program"):
        planner("command:no-such-program-here").ready()
    planner("command:true").ready()


@pytest.mark.parametrize(
    ("url", "error"),
    [
        ("http://planner.example", "use https"),
        ("http://10.0.0.1:8000", "use https"),
        ("http://127.0.0.1.example", "use https"),
        ("https://me:secret@planner.example", "name or password"),
        ("https://", "is needed"),
        ("https://host:x", "is needed"),
        ("https://host:99999", "is needed"),
        ("https://[::1", "is needed"),
        ("ftp://host", "is needed"),
        ("https://host/#part", "is needed"),
        ("https://höst.example", "ASCII"),
        ("https://host/a b", "unusual"),
        ("https://host..example", "unusual"),
        ("https://2130706433", "unusual number"),
        ("https://0x7f.1", "unusual number"),
        ("https://192.0.2.01", "unusual number"),
        ("https://planner.1", "unusual number"),
        ("https://host/\r\nX: y", "unusual"),
        ("https://host/?a=\x00", "unusual"),
        (f"https://{'a' * 70}.example", None),
    ],
)
def test_urls_that_cannot_be_used_are_refused_and_not_quoted(url, error):
    if error is None:
        with pytest.raises(InputError, match="over 64 characters"):
            assert endpoint_of(url).audience
        return
    with pytest.raises(InputError, match=error) as refused:
        endpoint_of(url)
    assert "secret" not in str(refused.value)


@cases("url", "audience")
def test_the_audience_is_the_provider_or_the_host(url, audience):
    assert endpoint_of(url).audience == audience


@cases("hosts")
def test_no_second_host_of_a_provider_gets_a_fresh_audience(hosts):
    assert len({endpoint_of(f"https://{host}/v1").audience for host in hosts.split()}) == 1


def test_domains_of_others_are_audiences_of_their_own():
    hosts = [
        "a.co.uk",
        "b.co.uk",
        "a.com.au",
        "a.example",
        "b.example",
        "api.openai.com",
        "x.openai.azure.com",
        "api.anthropic.com",
    ]
    assert len({endpoint_of(f"https://{host}").audience for host in hosts}) == len(hosts)


def test_locality_follows_from_addresses_not_from_names(monkeypatch):
    def resolve(addresses):
        rows = [(2, 1, 6, "", (each, 0)) for each in addresses]
        monkeypatch.setattr(endpoint.socket, "getaddrinfo", lambda *_, **__: rows)

    resolve(["127.0.0.1", "::1"])
    assert on_this_machine("localhost")
    assert on_this_machine("x.localhost")
    assert not on_this_machine("local.example")
    resolve(["127.0.0.1", "93.184.216.34"])
    assert not on_this_machine("localhost")
    resolve([])
    assert not on_this_machine("localhost")

    def fail(*_, **__):
        raise OSError

    monkeypatch.setattr(endpoint.socket, "getaddrinfo", fail)
    assert not on_this_machine("localhost")
    assert loopback("::ffff:127.0.0.1")
    assert loopback("::1%lo")
    assert not loopback("::ffff:8.8.8.8")
    assert not loopback("planner")


def test_trust_gives_a_local_planner_an_audience_of_its_own():
    local = {"url": "http://127.0.0.1:9", "model": "m"}
    assert configured(**local).audience == "loopback"
    assert configured(**local, trusted=True).audience == "trusted-test"
    assert configured(**local, trusted=True, audience="mine").audience == "mine"
    assert {configured(**local, trusted=True, **more).locality for more in ({}, {"audience": "mine"})} == {"local"}
    gateway = configured(**local, audience="openai")
    assert (gateway.audience, gateway.locality) == ("openai", "remote")
    assert configured(url="https://x.example", audience="corp").audience == "corp"
    with pytest.raises(InputError, match="on this machine alone"):
        configured(url="https://x.example", trusted=True)


def test_plain_http_elsewhere_needs_the_unsafe_word():
    entry = {"url": "http://10.0.0.1:8000/v1", "unsafe_plain_http": True}
    assert configured(**entry).locality == "remote"


def test_a_configured_planner_may_name_where_its_key_is(monkeypatch):
    with pytest.raises(InputError, match="MY_KEY"):
        configured(url="https://x.example", key_env="MY_KEY")
    monkeypatch.setattr(endpoint, "_kept", {"mine": SECRET}.get)
    assert configured(url="https://x.example", keyring="mine")._key.reveal() == SECRET
    assert configured(url="https://x.example")._key is None
    # A provider's own key never goes to another address that the configuration names.
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    assert configured(kind="anthropic", url="https://x.example")._key is None
    assert configured(kind="anthropic")._key.reveal() == SECRET


def test_keys_are_silent():
    key = Key(SECRET)
    assert repr(key) == str(key) == f"{key}" == "<Key>"
    for act in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(InputError):
            act(key)
    for bad in ("", "two words", "line\nbreak", "ключ", "x" * 5000):
        with pytest.raises(InputError) as refused:
            Key(bad)
        assert not bad or bad not in str(refused.value)


def test_keys_come_from_the_environment_then_from_the_keyring(monkeypatch):
    monkeypatch.setattr(endpoint, "_kept", {"openai": "from-the-ring"}.get)
    assert found_key(("A", "B"), "openai", {"B": f" {SECRET}\n"})[1] == "B"
    key, where = found_key(("A",), "openai", {})
    assert (key.reveal(), where) == ("from-the-ring", "keyring plantwin/openai")
    assert found_key(("A",), None, {"A": "  "}) is None


class Ring(types.ModuleType):
    def get_password(self, service, entry):
        if entry == "locked":
            raise RuntimeError(SECRET)
        return {("plantwin", "openai"): SECRET}.get((service, entry))


@pytest.mark.parametrize(("entry", "found"), [("openai", SECRET), ("none", ""), ("locked", "")])
def test_the_keyring_is_asked_and_may_fail(monkeypatch, entry, found):
    monkeypatch.undo()
    monkeypatch.setitem(__import__("sys").modules, "keyring", Ring("keyring"))
    assert endpoint._kept(entry) == found


def test_without_the_extra_there_is_no_keyring(monkeypatch):
    monkeypatch.undo()
    monkeypatch.setitem(__import__("sys").modules, "keyring", None)
    assert endpoint._kept("openai") == ""


# planners of other packages


class Point:
    def __init__(self, name, make):
        self.name = name
        self.load = lambda: make


class Other:
    name, audience, locality = "other", "other", "local"

    def __init__(self, argument, catalog):
        self.argument = argument
        assert "summarize" in catalog

    def plan(self, envelopes):
        return b'{"steps":[]}'


class Loud(Other):
    audience = "Not An Audience"


def broken(argument, catalog):
    raise ValueError(SECRET)


def careful(argument, catalog):
    raise InputError("say more")


@pytest.fixture
def points(monkeypatch):
    rows = [Point("other", Other), Point("offline", Other), Point("broken", broken), Point("careful", careful),
            Point("loud", Loud), Point("twice", Other), Point("twice", Other)]  # fmt: skip
    monkeypatch.setattr(registry, "entry_points", lambda group: rows if group == "plantwin.planners" else [])


def test_other_packages_add_planners(points):
    made = planner("other:some:thing")
    assert made.argument == "some:thing"
    assert witnessed(made).plan(FIRST) == b'{"steps":[]}'
    assert not isinstance(planner("offline"), Other)
    for name, error in (("broken", r"cannot be made \(ValueError\)"), ("careful", "say more"), ("loud", "no name"),
                        ("twice", "no planner has that name")):  # fmt: skip
        with pytest.raises(InputError, match=error) as refused:
            planner(name)
        assert SECRET not in str(refused.value)


def test_nobody_takes_a_built_in_name():
    assert {"offline", "local", "scripted", "recorded", "command", "openai", "https"} <= set(BUILT_IN)


# which there are


def test_the_roster_tells_whom_and_where_and_how_much(tmp_path, points, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:1")
    with receiver(lambda got, number: servers.openai() if got.method == "POST" else servers.Answer()) as server:
        entries = {"here": PlannerEntry(url=f"{server.url}/v1", model="tiny"),
                   "far": PlannerEntry(url="https://far.example/v1", model="m")}  # fmt: skip
        settings = Settings(planners=entries)
        made = Registry(settings, CATALOG, tmp_path)
        witnessed(made.planner("here")).plan(FIRST)
        witnessed(made.planner(f"{server.url}/v1#x")).plan(FIRST)
        made.uses.add("openai:a", "a", 10, 1)
        made.uses.add("openai:b", "b", 5, 2)
        rows = {each.name: each for each in roster(made)}
        assert server.received[-1].path == "/v1/models"
    assert (rows["here"].audience, rows["here"].locality, rows["here"].reachable) == ("loopback", "local", True)
    assert (rows["here"].use.requests, rows["here"].use.input_tokens) == (1, 100)
    assert (rows["far"].audience, rows["far"].locality, rows["far"].reachable) == ("far.example", "remote", None)
    assert (rows["anthropic:MODEL"].audience, rows["anthropic:MODEL"].problem) == ("anthropic", "")
    assert (rows["openai:MODEL"].audience, rows["openai:MODEL"].locality) == ("openai", "remote")
    assert "OPENAI_API_KEY" in rows["openai:MODEL"].problem
    assert (rows["openai:MODEL"].use.requests, rows["openai:MODEL"].use.input_tokens) == (2, 15)
    assert "cannot be reached" in rows["ollama:MODEL"].problem
    assert rows[f"{server.url}#x"].use.requests == 1
    assert "other" in rows
    assert rows["offline"].problem == ""


def test_checking_asks_for_models_and_sends_nothing_else():
    with receiver(lambda got, number: servers.Answer(status=[200, 401, 302][number])) as server:
        made = configured(url=f"{server.url}/v1")
        assert made.reachable() == ""
        assert "does not accept the key" in made.reachable()
        assert "redirects" in made.reachable()
    assert {(each.method, each.path, each.body) for each in server.received} == {("GET", "/v1/models", b"")}
    assert made.witnessed == []


def test_errors_name_no_secret(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", f"{SECRET} two")
    monkeypatch.setenv("OPENAI_BASE_URL", f"https://user:{SECRET}@x.example")
    for name in ("openai:m", f"https://user:{SECRET}@x.example#m", f"nobody:{SECRET}"):
        with pytest.raises(PlanTwinError) as refused:
            planner(name)
        assert SECRET not in str(refused.value)


def test_prices_are_by_name_or_model():
    from plantwin.cloud.planner import Uses

    uses = Uses(None, {"openai:m": Price(input=1), "other": Price(output=2)})
    assert uses.price("openai:m", "m") == Price(input=1)
    assert uses.price("x:other", "other") == Price(output=2)
    assert uses.price("x:y", "y") is None


def test_a_program_is_named_by_itself(monkeypatch):
    made = planner("command:claude -p")
    assert (made.name, made.audience, made.locality) == ("command:claude", "command", "remote")


def test_a_missing_variable_for_an_address_that_cannot_be_used_is_shown_without_an_audience(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://planner.example")
    rows = {each.name: each for each in roster(Registry(Settings(), CATALOG))}
    assert rows["openai:MODEL"].audience == ""
    assert "use https" in rows["openai:MODEL"].problem
