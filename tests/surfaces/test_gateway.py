"""The gateway with the clients that people have: what they are answered, and what arrives at the provider."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import anthropic
import httpx2 as httpx
import openai
import pytest
import uvicorn
from command_line import Cli

from plantwin.config.settings import load_settings
from plantwin.surfaces import gateway
from plantwin.surfaces.gateway import Folder, application
from plantwin.surfaces.http import with_token

sys.path.insert(0, str(Path(__file__).parents[1] / "cloud"))
import servers

TOKEN = "t" * 32
GOAL = "Where is personal data in this project?"
PASTED = "Zanzibar Quokka 4711"
"""What a client adds to a conversation: parts of files, earlier answers."""
PRIVATE = ("Tr0ub4dor", "9f8b7c6d5e4f", "person3@example.org", "store.py", "people.csv", *PASTED.split())


class Gateway(NamedTuple):
    url: str
    upstream: servers.Receiver
    folder: Folder
    openai: openai.OpenAI
    anthropic: anthropic.Anthropic


def planned(request: servers.Received, number: int) -> servers.Answer:
    """The provider's model: one step over all that it was shown, then the end."""
    shown = " ".join(message["content"] for message in request.tree["messages"] if message["role"] == "user")
    sets = sorted(set(re.findall(r'"set_id":"(set_[a-z2-7]{8})"', shown)))
    steps = [{"id": "s1", "capability": "find_personal_data", "inputs": sets}]
    return servers.openai(json.dumps({"done": True} if b'\\"results\\"' in request.body else {"steps": steps}))


@pytest.fixture
def served(tree: Path, tmp_path: Path) -> Iterator[Callable[..., Gateway]]:
    """Start a gateway whose upstream answers as is told."""
    ends: list[Callable[[], None]] = []

    def start(answer: Callable[[servers.Received, int], servers.Answer] = planned) -> Gateway:
        upstream = servers.Receiver(answer)
        chosen = tmp_path / "settings.toml"
        chosen.write_text(f'[planners.work]\nurl = "{upstream.url}/v1"\nmodel = "tiny"\naudience = "provider"\n')
        folder = Folder(tree, load_settings(chosen), tmp_path / "state", "work", patience=0.1)
        config = uvicorn.Config(with_token(application(folder), TOKEN), port=0, log_level="critical", ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]

        url = f"http://127.0.0.1:{port}"
        clients = (
            openai.OpenAI(base_url=f"{url}/v1", api_key=TOKEN, max_retries=0),
            anthropic.Anthropic(base_url=url, api_key=TOKEN, max_retries=0),
        )

        def end() -> None:
            for client in clients:  # their connections stay open until then, whoever else collects them
                client.close()
            server.should_exit = True
            thread.join(20)
            upstream.close()

        ends.append(end)
        return Gateway(url, upstream, folder, *clients)

    yield start
    for end in ends:
        end()


def asked_openai(made: Gateway, goal: Any, **more: Any) -> str:
    answer = made.openai.chat.completions.create(model="m", messages=[{"role": "user", "content": goal}], **more)
    if not more.get("stream"):
        assert answer.choices[0].finish_reason == "stop"
        return str(answer.choices[0].message.content)
    *chunks, last = answer
    assert last.usage is None or (not last.choices and last.usage.total_tokens == 0)
    assert (last.usage is not None) is ("stream_options" in more)
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks)


def asked_anthropic(made: Gateway, goal: Any, *, stream: bool = False) -> str:
    request = {"model": "m", "max_tokens": 100, "messages": [{"role": "user", "content": goal}]}
    if not stream:
        return str(made.anthropic.messages.create(**request).content[0].text)
    with made.anthropic.messages.stream(**request) as events:
        return "".join(events.text_stream)


@pytest.mark.parametrize("ask", [asked_openai, asked_anthropic])
def test_clients_of_both_protocols_get_the_answer_with_real_names(served: Any, ask: Callable[..., str]) -> None:
    made = served()
    for answer in (ask(made, GOAL), ask(made, [{"type": "text", "text": GOAL}], stream=True)):
        assert "kinds of personal data in" in answer.splitlines()[0] and "data/people.csv" in answer
        assert "Told: to work: " in answer and "Report: " in answer


def test_a_stream_ends_with_its_usage_where_that_is_asked_for(served: Any) -> None:
    assert "data/people.csv" in asked_openai(served(), GOAL, stream=True, stream_options={"include_usage": True})


def test_a_command_line_client_gets_it(served: Any, tmp_path: Path) -> None:
    made = served()
    (tmp_path / "llm").mkdir()
    row = f"- model_id: twin\n  model_name: twin\n  api_base: {made.url}/v1\n  api_key_name: twin\n"
    (tmp_path / "llm" / "extra-openai-models.yaml").write_text(row)
    environment = {**os.environ, "LLM_USER_PATH": str(tmp_path / "llm"), "LLM_LOAD_PLUGINS": ""}
    command = [sys.executable, "-m", "llm", "-m", "twin", "--key", TOKEN, GOAL]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0 and "data/people.csv" in ran.stdout, ran.stderr


def test_the_provider_gets_what_the_ledger_holds_and_no_text_of_the_request(served: Any, cli: Cli) -> None:
    made = served()
    conversation = [
        {"role": "system", "content": f"The user works on {PASTED}, in src/store.py."},
        {"role": "user", "content": f"Here is data/people.csv: {PASTED} person3@example.org"},
        {"role": "assistant", "content": f"It has {PASTED}."},
        {"role": "user", "content": f"{GOAL} Mind {PASTED}."},
    ]
    tools = [{"type": "function", "function": {"name": "Zanzibar", "parameters": {"type": "object"}}}]
    made.openai.chat.completions.create(model="m", messages=conversation, tools=tools)
    bodies = [request.body.decode() for request in made.upstream.received]
    assert len(bodies) == 2 and not [word for word in PRIVATE for body in bodies if word in body]
    shown = cli("audit", "show", "--state", made.folder.state, "--json")
    recorded = {each["data"] for each in _records(shown.json) if each.get("data", "").endswith('"version":2}')}
    sent = [line for message in json.loads(bodies[-1])["messages"] if message["role"] == "user"
            for line in message["content"].splitlines()]  # fmt: skip
    assert recorded and recorded == {line for line in sent if line.startswith('{"')}


def _records(value: Any) -> list[dict[str, Any]]:
    found = [value] if isinstance(value, dict) else []
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        found += _records(each)
    return found


REFUSED = {
    "nothing to do": ({"messages": []}, 400, "has to be the user's"),
    "the last word is not the user's": ({"messages": [{"role": "assistant", "content": "x"}]}, 400, "the user's"),
    "an image": ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, 400, "more than text"),
    "a file's length": ({"messages": [{"role": "user", "content": "x" * 5_000}]}, 400, "5,000 characters"),
    "several answers": ({"messages": [{"role": "user", "content": "x"}], "n": 2}, 400, "`n` is not supported"),
    "no text": ({"messages": [{"role": "user", "content": 7}]}, 400, "no text"),
    "no object": ([1], 400, "has to be the user's"),
}


def test_what_cannot_be_done_is_refused_in_the_protocol_s_own_shape(served: Any) -> None:
    made = served()
    with httpx.Client(base_url=made.url, headers={"x-api-key": TOKEN}) as client:
        for case, (body, status, said) in REFUSED.items():
            for path in ("/v1/chat/completions", "/v1/messages"):
                answer = client.post(path, json=body)
                assert answer.status_code == status and said in answer.json()["error"]["message"], case
        assert client.post("/v1/messages", content=b"{" * 5_000).status_code == 400
        assert client.post("/v1/messages", content=b"x" * (gateway.MOST_BYTES + 1)).status_code == 413
        assert "answers /v1/chat" in client.post("/v1/embeddings", json={}).json()["error"]["message"]
        assert client.get("/v1/models").json()["data"][0]["id"] == "plantwin"
        assert client.get("/v1/models", headers={"Host": "evil.example"}).status_code == 400
        assert client.get("/v1/models", headers={"x-api-key": "no"}).status_code == 401
    assert made.upstream.received == []


def test_a_provider_that_fails_is_the_client_s_error_also_midway(served: Any) -> None:
    made = served(lambda *_: servers.Answer([b"out of order"], 400, "text/plain"))
    for stream in (False, True):
        with pytest.raises(openai.APIError, match=r"planner|answer"):
            asked_openai(made, GOAL, stream=stream)
        with pytest.raises(anthropic.APIError, match=r"planner|answer"):
            asked_anthropic(made, GOAL, stream=stream)


def test_what_the_policy_keeps_from_everybody_is_refused(served: Any, tmp_path: Path) -> None:
    made = served()
    (tmp_path / "strict.toml").write_text('[policy]\nname = "local-only"\n' + (tmp_path / "settings.toml").read_text())
    folder = made.folder._replace(settings=load_settings(tmp_path / "strict.toml"))
    with pytest.raises(gateway.Refused) as refusal:
        gateway.answered(folder, GOAL)
    assert refusal.value.status == 403 and made.upstream.received == []


def test_a_client_that_waits_hears_that_it_is_worked_on(served: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway, "ALIVE", 0.05)
    made = served()
    with httpx.Client(base_url=made.url, headers={"x-api-key": TOKEN}, timeout=60) as client:
        body = {"messages": [{"role": "user", "content": GOAL}], "stream": True}
        assert ": working" in client.post("/v1/chat/completions", json=body).text
        assert "event: ping" in client.post("/v1/messages", json=body).text


def test_more_goals_than_can_be_worked_on_wait_for_themselves(served: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    hold = threading.Event()
    monkeypatch.setattr(gateway, "MOST_AT_ONCE", 1)
    made = served(lambda request, number: (hold.wait(20), planned(request, number))[1])
    first = threading.Thread(target=asked_openai, args=(made, GOAL))
    first.start()
    while not made.upstream.received:
        time.sleep(0.01)
    with pytest.raises(openai.RateLimitError, match="being worked on"):
        asked_openai(made, GOAL)
    hold.set()
    first.join(30)


@pytest.mark.parametrize("command", [["gateway", "--upstream", "offline"], ["mcp", "--http"]])
def test_where_a_server_is_and_its_token_are_said_as_json(tree: Path, tmp_path: Path, command: list[str]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    name, *options = command
    line = [sys.executable, "-m", "plantwin", name, tree, *options, "--port", str(port), "--state", tmp_path / "state"]
    with subprocess.Popen([*line, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout
        text = ""
        while not text.endswith("}\n"):
            line_read = child.stdout.readline()
            assert line_read, "it serves"
            text += line_read
        said = json.loads(text)
        headers = {"Authorization": f"Bearer {said['token']}"}
        for _ in range(300):
            try:
                found = httpx.get(f"{said['url']}/models", headers=headers)
                break
            except httpx.ConnectError:
                time.sleep(0.1)
        child.terminate()
        child.communicate()
    assert said["command"] == name and found.status_code == (200 if name == "gateway" else 404)
