"""What tests of the console share: a server in this process, a browser, and requests that no browser would send."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import uvicorn

from plantwin.config.settings import load_settings
from plantwin.surfaces.console.access import Access
from plantwin.surfaces.console.application import application
from plantwin.surfaces.console.folder import Folder

sys.path.insert(0, str(Path(__file__).parents[2] / "cloud"))
import servers

SHOP = Path(__file__).parents[3] / "examples" / "shop"
HOSTILE = "<img src=x onerror=document.title='pwned'>.py"
"""The name of a file that is HTML."""
PAGES = ("ask", "left", "objects", "sets", "graph", "runs", "approvals", "policy", "health")


class Answer(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: str


class Served:
    """A console on loopback, over a copy of the example shop."""

    def __init__(self, folder: Path, upstream: servers.Receiver) -> None:
        self.root, self.state, self.config = folder / "shop", folder / "state", folder / "config.toml"
        self.policy = folder / "own.cedar"
        shutil.copytree(SHOP, self.root)
        (self.root / HOSTILE).write_text("def harmless():\n    return 1\n")
        shutil.copy(Path(load_settings.__code__.co_filename).parent / "policies" / "default.cedar", self.policy)
        self.policy.chmod(0o600)
        self.config.write_text(
            f'[policy]\nfile = "{self.policy}"\n'
            f'[planners.work]\nurl = "{upstream.url}/v1"\nmodel = "tiny"\naudience = "provider"\n'
        )
        self.config.chmod(0o600)
        self.access = Access()
        self.links = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.hosts = frozenset({f"127.0.0.1:{self.port}", f"localhost:{self.port}"})
        self.folder = Folder(self.root, settings=load_settings(self.config), state=self.state, config=str(self.config))
        app = application(self.folder, self.access, self.hosts, self._tell)
        config = uvicorn.Config(app, log_level="critical", ws="none", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],))
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)

    def _tell(self) -> None:
        self.links += 1

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join(20)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def place(self) -> str:
        return self.access.place

    def url(self, page: str) -> str:
        return f"{self.origin}{self.place}/{page}"

    def send(self, method: str, path: str, body: str = "", **headers: str) -> Answer:
        """One request, byte for byte as it is said here; a header that is empty is left out."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in {"host": f"127.0.0.1:{self.port}", "content-length": str(len(body)), **given}.items():
                if value:
                    connection.putheader(name, value)
            connection.endheaders(body.encode())
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read().decode("utf-8", "replace"))
        finally:
            connection.close()

    def post(self, path: str, form: dict[str, str], **headers: str) -> Answer:
        """A form as a page of the console would send it, but for what is said otherwise."""
        usual = {"origin": self.origin, "content_type": "application/x-www-form-urlencoded"}
        return self.send("POST", path, urlencode(form), **{**usual, **headers})

    def logged_in(self) -> Visitor:
        """A session without a browser."""
        answer = self.post("/login", {"code": self.access.code()})
        assert answer.status == 303
        cookie = answer.headers["set-cookie"].partition(";")[0]
        page = self.send("GET", f"{self.place}/ask", cookie=cookie).body
        return Visitor(self, cookie, re.findall(r'name="csrf" value="([\w-]+)"', page)[0])


class Visitor(NamedTuple):
    served: Served
    cookie: str
    csrf: str

    def get(self, page: str) -> Answer:
        return self.served.send("GET", f"{self.served.place}/{page}", cookie=self.cookie)

    def post(self, page: str, **form: str) -> Answer:
        return self.served.post(f"{self.served.place}/{page}", {"csrf": self.csrf, **form}, cookie=self.cookie)


Plan = Callable[[list[str]], dict[str, Any]]


class Upstream:
    """The provider: its model answers with the plan that a test wants; then it is done."""

    def __init__(self) -> None:
        self.plan: Plan = lambda sets: {"steps": [{"id": "s1", "capability": "secret_scan", "inputs": sets}]}
        self.receiver = servers.Receiver(self._answer)

    def _answer(self, request: servers.Received, number: int) -> servers.Answer:
        if request.method == "GET":
            return servers.Answer([b'{"data": []}'], media="application/json")
        shown = " ".join(message["content"] for message in request.tree["messages"] if message["role"] == "user")
        sets = sorted(set(re.findall(r'"set_id":"(set_[a-z2-7]{8})"', shown)))
        over = b'\\"results\\"' in request.body
        return servers.openai(json.dumps({"done": True} if over else self.plan(sets)))


@contextmanager
def console(folder: Path) -> Iterator[tuple[Served, Upstream]]:
    upstream = Upstream()
    served = Served(folder, upstream.receiver)
    try:
        yield served, upstream
    finally:
        served.close()
        upstream.receiver.close()
