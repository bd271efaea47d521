"""A hostile server, a proxy, a redirect: what is sent goes to one origin, and nothing that comes back can hang us."""

from __future__ import annotations

import logging
import socket
import ssl
import subprocess
import threading
import time
import traceback

import pytest
import servers
from servers import Answer, head, raw, receiver
from told import FIRST, configured

from plantwin.cloud import transport
from plantwin.cloud.endpoint import endpoint_of
from plantwin.cloud.transport import MAX_BODY, proxy_for, trusted
from plantwin.errors import InputError, PlannerError

KEY = "sk-canary-2718281828459045"
ECHO = "echo-canary-1618033988749894"
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(transport, "FIRST", 0.01)
    monkeypatch.setenv("TEST_KEY", KEY)


def made(port, **entry):
    entry = {"form": "text", "retries": 0, "seconds": 1.0, "key_env": "TEST_KEY", **entry}
    return configured(url=f"http://127.0.0.1:{port}/v1", **entry)


def gigabyte(connection):
    head(connection)
    connection.sendall(OK + b"Content-Length: 1073741824\r\n\r\n")
    piece = b"data: " + b"x" * 65530
    for _ in range(1 << 14):
        connection.sendall(piece)


def one_line(connection):
    head(connection)
    connection.sendall(OK + b"\r\n")
    while True:
        connection.sendall(b"y" * 65536)


def endless_text(connection):
    head(connection)
    connection.sendall(OK + b"\r\n")
    while True:
        connection.sendall(b'data: {"choices":[{"delta":{"content":"' + b"z" * 900 + b'"}}]}\n\n')


def endless_pings(connection):
    head(connection)
    connection.sendall(OK + b"\r\n")
    while True:
        connection.sendall(b": ping\n\n" * 4096)


def silent(connection):
    head(connection)
    time.sleep(8)


def deaf(connection):
    time.sleep(8)


def drip_body(connection):
    head(connection)
    connection.sendall(OK + b"\r\n")
    while True:
        connection.sendall(b":\n")
        time.sleep(0.05)


def drip_head(connection):
    head(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\nX-A: ")
    while True:
        connection.sendall(b"a")
        time.sleep(0.05)


def huge_headers(connection):
    head(connection)
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        connection.sendall(b"X-A: " + b"a" * 4000 + b"\r\n")


def endless_interim(connection):
    head(connection)
    while True:
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" * 100)


def no_http(connection):
    head(connection)
    connection.sendall(ECHO.encode() + b"\r\n\r\n")


def hang_up(connection):
    head(connection)


def half(connection):
    head(connection)
    connection.sendall(OK + b"Content-Length: 1000\r\n\r\ndata: {")


def bomb(connection):
    import gzip

    head(connection)
    data = gzip.compress(b"data: " + b"0" * (4 << 20), 1)
    connection.sendall(OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(data) + data)


def asks_for_files(connection):
    request = head(connection)
    assert b"passwd" not in request
    text = r"{\"tool\": \"read_file\", \"path\": \"/etc/passwd\"}"
    event = '{"choices":[{"delta":{"content":"' + text + '"},"finish_reason":"stop"}]}'
    connection.sendall(OK + b"\r\ndata: " + event.encode() + b"\n\n")


HOSTILE = {
    gigabyte: "too large",
    one_line: "too large",
    endless_text: "too long",
    endless_pings: "too large|in time",
    silent: "did not finish in time",
    deaf: "did not finish in time",
    drip_body: "did not finish in time",
    drip_head: "did not finish in time",
    huge_headers: "broke off",
    endless_interim: "in time|broke off",
    no_http: "not HTTP",
    hang_up: "broke off",
    half: "broke off",
    bomb: "compressed",
}


@pytest.mark.parametrize("serve", HOSTILE, ids=lambda each: each.__name__)
def test_a_hostile_server_is_cut_off_in_time(serve, caplog):
    caplog.set_level(logging.DEBUG)
    with raw(serve) as port:
        planner = made(port)
        before = time.monotonic()
        with pytest.raises(PlannerError, match=HOSTILE[serve]) as refused:
            planner.plan(FIRST)
        assert time.monotonic() - before < 6
    said = "".join(traceback.format_exception(refused.value)) + caplog.text
    for canary in (KEY, ECHO, "artifact_aaaaaaaa", "x" * 50):
        assert canary not in said


def test_an_answer_that_asks_for_files_is_only_text():
    with raw(asks_for_files) as port:
        answer = made(port).plan(FIRST)
    from plantwin.cloud.answer import decode_plan
    from plantwin.errors import AnswerError

    with pytest.raises(AnswerError):
        decode_plan(answer)


def test_a_long_silence_is_cut_before_the_whole_time_is_over():
    with raw(silent) as port, pytest.raises(PlannerError, match="fell silent"):
        made(port, read_seconds=0.2, seconds=5.0).plan(FIRST)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_errors_and_carry_nothing_elsewhere(status):
    with receiver(lambda got, number: servers.openai()) as other:
        moved = Answer(status=status, headers={"Location": f"{other.url}/v1/chat/completions"})
        redirects = pytest.raises(PlannerError, match=f"answered {status}: it redirects")
        with receiver(lambda got, number: moved) as server, redirects:
            made(server.server.server_address[1]).plan(FIRST)
        assert len(server.received) == 1
        assert other.received == []


def test_nobody_there_is_said_after_a_few_tries():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    planner = made(port, retries=2)
    with pytest.raises(PlannerError, match="cannot be reached"):
        planner.plan(FIRST)
    assert len(planner.witnessed) == 3


def test_loopback_never_goes_through_a_proxy(monkeypatch):
    with receiver(lambda got, number: Answer(status=502)) as proxy, receiver(lambda *_: servers.openai()) as server:
        for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        made(server.server.server_address[1]).plan(FIRST)
        made(server.server.server_address[1], proxy=proxy.url).plan(FIRST)
        assert proxy.received == []
        assert len(server.received) == 2


# https: a server with a certificate of our own, and a proxy that tunnels


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    key, cert = folder / "key.pem", folder / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=planner.test", "-addext", "subjectAltName=DNS:planner.test",
         "-addext", "keyUsage=critical,digitalSignature,keyCertSign", "-keyout", key, "-out", cert],
        check=True, capture_output=True,
    )  # fmt: skip
    return key, cert


@pytest.fixture
def secure(certificate):
    """A planner's server behind TLS."""
    with receiver(lambda got, number: servers.openai()) as server:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate[1], certificate[0])
        server.server.socket = context.wrap_socket(server.server.socket, server_side=True)
        yield server


@pytest.fixture
def tunnel(secure):
    """A proxy that connects every name to that server, and keeps what it sees."""
    seen: list[bytes] = []

    def pump(source, target):
        try:
            while data := source.recv(65536):
                seen.append(data)
                target.sendall(data)
        except OSError:
            pass
        finally:
            target.close()

    def serve(connection):
        seen.append(head(connection))
        connection.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
        with socket.create_connection(("127.0.0.1", secure.server.server_address[1])) as other:
            threading.Thread(target=pump, args=(connection, other), daemon=True).start()
            pump(other, connection)

    with raw(serve) as port:
        yield f"http://127.0.0.1:{port}", seen


def far(certificate, **entry):
    entry = {"form": "text", "retries": 0, "seconds": 5.0, "key_env": "TEST_KEY", **entry}
    return configured(url="https://planner.test/v1", ca=str(certificate[1]), **entry)


@pytest.mark.parametrize("chosen", ["configuration", "https_proxy", "ALL_PROXY"])
def test_a_proxy_tunnels_and_sees_nothing(certificate, secure, tunnel, monkeypatch, chosen):
    url, seen = tunnel
    if chosen != "configuration":
        monkeypatch.setenv(chosen, url)
    planner = far(certificate, **({"proxy": url} if chosen == "configuration" else {}))
    assert planner.locality == "remote"
    assert planner.audience == "planner.test"
    planner.plan(FIRST)
    assert secure.received[0].body == planner.witnessed[0][0]
    through = b"".join(seen)
    assert through.startswith(b"CONNECT planner.test:443 HTTP/1.1\r\n")
    for canary in (KEY, "artifact_aaaaaaaa", "registration", "chat/completions"):
        assert canary.encode() not in through


def test_a_certificate_that_is_not_trusted_stops_everything(certificate, secure, tunnel):
    url, _ = tunnel
    planner = far(certificate, proxy=url)
    planner._transport._line = type(planner._transport._line)(proxy=url, ca=None)
    with pytest.raises(PlannerError, match="certificate is not trusted"):
        planner.plan(FIRST)
    planner = configured(url="https://other.test/v1", ca=str(certificate[1]), proxy=url, retries=0)
    with pytest.raises(PlannerError, match="certificate is not trusted"):
        planner.plan(FIRST)
    assert secure.received == []


def test_a_server_without_tls_gets_nothing():
    with receiver(lambda got, number: servers.openai()) as plain:
        planner = configured(url=f"https://127.0.0.1:{plain.server.server_address[1]}/v1", retries=0, form="text")
        with pytest.raises(PlannerError, match="no encrypted connection"):
            planner.plan(FIRST)
        assert plain.received == []


def test_a_proxy_that_refuses_is_named(certificate):
    with receiver(lambda got, number: servers.openai()) as refusing:
        with pytest.raises(PlannerError, match="proxy refused"):
            far(certificate, proxy=refusing.url).plan(FIRST)
        assert all(b"artifact" not in each.body for each in refusing.received)


def test_proxies_are_used_only_where_they_see_nothing(monkeypatch):
    monkeypatch.setenv("https_proxy", "http://user:secret@127.0.0.1:9")
    assert proxy_for(endpoint_of("https://planner.test"), None) is not None
    assert proxy_for(endpoint_of("https://planner.test"), "none") is None
    assert proxy_for(endpoint_of("http://planner.test", plain_http=True), None) is None
    assert proxy_for(endpoint_of("https://127.0.0.1"), "http://127.0.0.1:9") is None
    monkeypatch.setenv("no_proxy", "planner.test")
    assert proxy_for(endpoint_of("https://planner.test"), None) is None
    for bad in ("ftp://x:1", "http://", "http://x", "http://x:y", "socks5://x:1"):
        with pytest.raises(InputError, match="proxy"):
            proxy_for(endpoint_of("https://planner.test"), bad)
    with pytest.raises(InputError, match="put it into https_proxy") as refused:
        proxy_for(endpoint_of("https://planner.test"), "http://me:secret@127.0.0.1:9")
    assert "secret" not in str(refused.value)


def test_verification_is_always_on(tmp_path, monkeypatch):
    context = trusted(None)
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
    with pytest.raises(InputError, match="PEM"):
        trusted(str(tmp_path / "none.pem"))
    # A Python without certificates of the system's own falls back to those of certifi.
    paths = ssl.get_default_verify_paths()
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: paths._replace(cafile=None, capath=None))
    assert trusted(None).get_ca_certs()


def test_a_name_that_is_local_and_leads_away_gets_nothing(monkeypatch):
    """The name was on this machine when it was looked at, and is not when it is called."""
    from plantwin.cloud import transport

    with receiver(lambda got, number: servers.openai()) as server:
        planner = made(server.server.server_address[1])
        monkeypatch.setattr(transport, "loopback", lambda address: False)
        with pytest.raises(PlannerError, match="leads away from this machine"):
            planner.plan(FIRST)
        assert server.received == []


def test_the_answer_has_a_largest_size():
    assert MAX_BODY <= 16 << 20
