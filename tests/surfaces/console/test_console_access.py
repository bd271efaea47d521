"""Who may use the console: by raw requests, as no browser would send them."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from command_line import Cli
from served import PAGES, Served

from plantwin.surfaces.console.access import HEADERS, LINK_SECONDS, MOST_BYTES, SESSION_SECONDS, Access


def test_without_a_session_nothing_is_shown_or_done(served: Served) -> None:
    for page in (*PAGES, "", "objects/1", "graph/data", "ask/x/part", "runs/0123456789abcdef"):
        for cookie in ("", "plantwin_console=guessed", f"plantwin_console={'a' * 43}"):
            answer = served.send("GET", f"{served.place}/{page}", cookie=cookie)
            assert answer.status in (303, 307) and "shop" not in answer.body, page
    for path in ("ask", "look", "logout", "approvals/00000000", "policy", "policy/save", "health/verify"):
        assert served.post(f"{served.place}/{path}", {"csrf": ""}).status == 403, path
    assert served.send("GET", f"{served.place}/follow/approvals").status == 403


def test_who_does_not_know_the_place_finds_only_the_login(served: Served) -> None:
    visitor = served.logged_in()
    for page in PAGES:
        assert served.send("GET", f"/{page}", cookie=visitor.cookie).status == 404
        assert served.send("GET", f"/other{served.place[6:]}/{page}", cookie=visitor.cookie).status == 404
    assert served.place not in served.send("GET", "/login").body
    assert served.send("GET", "/").headers["location"] == "/login"


def test_a_link_works_once_and_soon(served: Served) -> None:
    code = served.access.code()
    assert served.post("/login", {"code": code}).status == 303
    again = served.post("/login", {"code": code})
    assert again.status == 403 and "set-cookie" not in again.headers
    now = [0.0]
    access = Access(clock=lambda: now[0])
    old = access.code()
    now[0] = LINK_SECONDS + 1
    assert access.login(old) is None
    assert access.login("") is None and access.login(access.code()) is not None


def test_a_session_ends_with_its_time_with_logging_out_and_with_the_server(served: Served) -> None:
    visitor = served.logged_in()
    assert visitor.get("objects").status == 200
    assert visitor.post("logout").status == 303
    assert visitor.get("objects").status == 303
    now = [0.0]
    access = Access(clock=lambda: now[0])
    token = access.login(access.code())
    request: Any = type("Request", (), {"cookies": {access.cookie: token}})()
    assert access.session(request) is not None
    assert Access().session(request) is None  # another process, the same cookie
    now[0] = SESSION_SECONDS + 1
    assert access.session(request) is None


def test_the_cookie_is_for_this_path_alone_and_no_script(served: Served) -> None:
    answer = served.post("/login", {"code": served.access.code()})
    parts = {part.strip().lower() for part in answer.headers["set-cookie"].split(";")[1:]}
    assert {"httponly", "samesite=strict", f"path={served.place}".lower()} <= parts
    assert not any(part.startswith(("domain", "secure")) for part in parts)
    assert Access(secure=True).place != served.place


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example", ""]
)
def test_a_name_that_is_not_ours_is_refused(served: Served, host: str) -> None:
    visitor = served.logged_in()
    for path in ("/login", f"{served.place}/objects", "/static/console.css"):
        answer = served.send("GET", path, cookie=visitor.cookie, host=host)
        assert answer.status in (400, 421) and "customers" not in answer.body  # without any, the server itself refuses
    assert (
        served.send("GET", f"{served.place}/objects", cookie=visitor.cookie, host=f"localhost:{served.port}").status
        == 200
    )


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": ""}, {"origin": "null"}, {"origin": "https://evil.example"}, {"origin": "http://127.0.0.1:1"},
        {"origin": "http://127.0.0.1"}, {"sec_fetch_site": "cross-site"}, {"sec_fetch_site": "same-site"},
    ],
)  # fmt: skip
def test_a_form_of_another_origin_is_refused(served: Served, headers: dict[str, str]) -> None:
    visitor = served.logged_in()
    form = {"csrf": visitor.csrf, "goal": "Look around", "planner": "offline", "mode": "lexicon"}
    assert served.post(f"{served.place}/ask", form, cookie=visitor.cookie, **headers).status == 403
    code = served.access.code()
    assert served.post("/login", {"code": code}, **headers).status == 403
    assert served.post("/login", {"code": code}).status == 303  # it was not used up


@pytest.mark.parametrize("csrf", ["", "wrong", "ü", "a" * 32])
def test_a_form_without_the_token_of_its_session_is_refused(served: Served, csrf: str) -> None:
    visitor, other = served.logged_in(), served.logged_in()
    for given in (csrf, other.csrf):
        form = {"csrf": given, "goal": "Look around", "planner": "offline", "mode": "lexicon"}
        assert served.post(f"{served.place}/ask", form, cookie=visitor.cookie).status == 403
    assert "since the console was started" not in visitor.get("ask").body.lower()


def test_looking_changes_nothing(served: Served) -> None:
    visitor = served.logged_in()
    for path in ("look", "logout", "policy/save", "health/verify", "approvals/00000000", "ask/x/go", "ask/x/plan"):
        assert visitor.get(path).status in (404, 405), path


def test_no_part_of_an_address_is_a_path(served: Served) -> None:
    visitor = served.logged_in()
    secret = (served.state / "keys" / "local.key").read_bytes()
    for path in (
        "/static/../access.py", "/static/%2e%2e/access.py", "/static/..%2faccess.py", "/static//etc/passwd",
        f"{served.place}/runs/..%2f..%2fkeys%2flocal.key", f"{served.place}/runs/../../keys/local.key",
        f"{served.place}/runs/*/file.md", f"{served.place}/runs/0123456789abcdef/file.md",
        f"{served.place}/objects/..%2f..%2fetc%2fpasswd", f"{served.place}/ask/../../../etc/passwd",
    ):  # fmt: skip
        answer = served.send("GET", path, cookie=visitor.cookie)
        assert answer.status in (303, 307, 404), path
        assert (
            "root:" not in answer.body and secret.decode("latin-1") not in answer.body and "def code" not in answer.body
        )


def test_no_value_becomes_a_header(served: Served) -> None:
    visitor = served.logged_in()
    evil = "x\r\nX-Injected: yes\r\n\r\n<script>"
    answers = [
        visitor.post("look", back=evil), visitor.post("ask", goal="Look", planner=evil, mode="lexicon"),
        visitor.get("objects?q=%0d%0aX-Injected:%20yes&from=%0d%0a1"), visitor.get("left?audience=%0d%0aX-Injected:1"),
        served.post("/login", {"code": evil}), visitor.get("sets/1%0d%0aX-Injected:%20yes"),
    ]  # fmt: skip
    for answer in answers:
        assert "x-injected" not in answer.headers and "<script>" not in answer.body.replace("<script src", "")
    assert answers[0].headers["location"] == f"{served.place}/objects"


def test_a_form_has_a_size_and_a_form(served: Served) -> None:
    visitor = served.logged_in()
    assert visitor.post("ask", goal="x" * MOST_BYTES).status == 413
    assert visitor.post("ask", **{f"f{number}": "" for number in range(600)}).status == 400
    assert visitor.post("ask", goal="x" * 5000, planner="offline", mode="lexicon").status == 400
    body = served.post(f"{served.place}/ask", {"csrf": visitor.csrf}, cookie=visitor.cookie, content_type="text/plain")
    assert body.status == 415
    assert visitor.post("ask", goal="Look", planner="offline", mode="other").status == 400


def test_every_answer_has_the_headers(served: Served) -> None:
    visitor = served.logged_in()
    for answer in (
        served.send("GET", "/login"), served.send("GET", "/static/console.js"), served.send("GET", "/nothing"),
        served.send("GET", "/login", host="evil.example"), served.post(f"{served.place}/ask", {}),
        visitor.get("objects"), visitor.get("graph/data"), visitor.get("ask"), served.send("DELETE", "/login"),
    ):  # fmt: skip
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    policy = HEADERS["content-security-policy"]
    assert "unsafe" not in policy and "default-src 'none'" in policy and "frame-ancestors 'none'" in policy


def test_a_new_link_is_printed_on_the_terminal_alone(served: Served) -> None:
    before = served.links
    for _ in range(3):
        answer = served.post("/login/link", {"new": "1"})
        assert answer.status == 303 and "#" not in answer.headers["location"]
    assert served.links == before + 1  # not for everyone who presses it again and again


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--host", "0.0.0.0"), "lets other machines in"), (("--host", "192.0.2.1"), "--insecure-http"),
        (("--tls-cert", "missing.pem"), "belong together"),
        (("--tls-cert", "missing.pem", "--tls-key", "missing.pem"), "there is no file"),
    ],
)  # fmt: skip
def test_other_machines_are_not_let_in_by_accident(
    cli: Cli, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    ran = cli("console", tmp_path, *arguments)
    assert ran.code == 2 and said in ran.err


def test_without_the_extra_it_says_what_to_install(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("plantwin.surfaces.console")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    ran = cli("console", tmp_path)
    assert ran.code == 2 and "pip install 'plantwin[console]'" in ran.err


def test_ctrl_c_ends_the_console_quietly_while_a_page_follows(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "plantwin", "console", str(tmp_path / "shop"), "--port", str(port), "--json"]
    started = subprocess.Popen(
        [*command, "--state", str(tmp_path / "state")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with started as process, closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        link = json.loads("".join(iter(process.stdout.readline, "}\n")) + "}")["login"]
        for _ in range(100):
            with suppress(ConnectionRefusedError):
                connection.connect()
                break
            time.sleep(0.2)
        headers = {"origin": f"http://127.0.0.1:{port}", "content-type": "application/x-www-form-urlencoded"}
        connection.request("POST", "/login", urlencode({"code": link.partition("#")[2]}), headers)
        entered = connection.getresponse()
        entered.read()
        place, cookie = entered.headers["location"].rpartition("/")[0], entered.headers["set-cookie"]
        connection.request("GET", f"{place}/follow/approvals", headers={"cookie": cookie.partition(";")[0]})
        followed = connection.getresponse()
        assert followed.readline().startswith(b"data: ")
        process.send_signal(signal.SIGINT)
        assert process.wait(30) in (0, -signal.SIGINT, 130)
        assert "Traceback" not in process.stderr.read()
        followed.close()
