"""Servers for the planners' tests: a recording one that speaks HTTP, and a raw one that does as it likes."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PLAN = {"steps": [{"id": "s1", "capability": "summarize", "inputs": []}]}


@dataclass
class Received:
    """One request, as it came in."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def tree(self):
        return json.loads(self.body)


@dataclass
class Answer:
    """What is answered: a status, headers, and the body in pieces."""

    body: list[bytes] = field(default_factory=list)
    status: int = 200
    media: str = "text/event-stream"
    headers: dict[str, str] = field(default_factory=dict)


class Receiver:
    """Records every request; answers as `answer` says, which is given the request and its number from 0."""

    def __init__(self, answer: Callable[[Received, int], Answer]) -> None:
        self.received: list[Received] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                got = Received(self.command, self.path, headers, body)
                outer.received.append(got)
                answered = answer(got, len(outer.received) - 1)
                self.send_response(answered.status)
                self.send_header("Content-Type", answered.media)
                for name, value in answered.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                with suppress(OSError):
                    for piece in answered.body:
                        self.wfile.write(piece)
                        self.wfile.flush()

            def do_GET(self) -> None:
                self.do_POST()

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(5)


@contextmanager
def receiver(answer: Callable[[Received, int], Answer]):
    """A recording server on loopback."""
    made = Receiver(answer)
    try:
        yield made
    finally:
        made.close()


@contextmanager
def raw(serve: Callable[[socket.socket], None]):
    """A server that hands every connection, its request's head read, to a function; yields its port."""
    listening = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()
    threads: list[threading.Thread] = []

    def work(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.settimeout(10)
            serve(connection)

    def accept() -> None:
        while not over.is_set():
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            thread = threading.Thread(target=work, args=(connection,), daemon=True)
            threads.append(thread)
            thread.start()

    accepting = threading.Thread(target=accept, daemon=True)
    accepting.start()
    try:
        yield listening.getsockname()[1]
    finally:
        over.set()
        with suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        accepting.join(5)


def head(connection: socket.socket) -> bytes:
    """A request, head and body."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return data
        data += piece
    start, _, body = data.partition(b"\r\n\r\n")
    length = next((int(x.split(b":")[1]) for x in start.lower().split(b"\r\n") if x.startswith(b"content-length")), 0)
    while len(body) < length:
        body += connection.recv(65536)
    return start + b"\r\n\r\n" + body


def sse(*events: object) -> list[bytes]:
    """Server-sent events, one piece each."""
    return [b"data: " + json.dumps(each).encode() + b"\n\n" for each in events]


def openai(text: str = json.dumps(PLAN), *, pieces: int = 3, finish: str | None = "stop", usage=(100, 20)) -> Answer:
    """A streamed chat completion."""
    size = max(1, -(-len(text) // pieces))
    chunks = [text[at : at + size] for at in range(0, len(text), size)]
    events: list[object] = [{"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]}]
    events += [{"choices": [{"index": 0, "delta": {"content": each}, "finish_reason": None}]} for each in chunks]
    if finish:
        events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    events.append({"choices": [], "usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1]}})
    return Answer([*sse(*events), *([b"data: [DONE]\n\n"] if finish else [])])


def anthropic(text: str = json.dumps(PLAN), *, stop: str | None = "end_turn", tool: bool = False) -> Answer:
    """A streamed message, as Anthropic's documentation describes it."""
    start = {"type": "message", "role": "assistant", "content": [], "stop_reason": None}
    block = {"type": "tool_use", "id": "toolu_1", "name": "plan", "input": {}} if tool else {"type": "text", "text": ""}
    key, kind = ("partial_json", "input_json_delta") if tool else ("text", "text_delta")
    events: list[dict] = [
        {"type": "message_start", "message": {**start, "usage": {"input_tokens": 40, "output_tokens": 1}}},
        {"type": "ping"},
        {"type": "content_block_start", "index": 0, "content_block": block},
        *(
            {"type": "content_block_delta", "index": 0, "delta": {"type": kind, key: each}}
            for each in (text[:9], text[9:])
        ),
        {"type": "content_block_stop", "index": 0},
    ]
    if stop:
        events.append({"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 17}})
        events.append({"type": "message_stop"})
    pieces = [f"event: {each['type']}\n".encode() + sse(each)[0] for each in events]
    return Answer(pieces)


def gemini(text: str = json.dumps(PLAN), *, finish: str | None = "STOP") -> Answer:
    """Streamed parts of an answer, as Google's documentation describes them."""
    usage = {"promptTokenCount": 30, "candidatesTokenCount": 12, "thoughtsTokenCount": 5}
    parts = [[{"text": "thinking about it", "thought": True}], [{"text": text[:9]}], [{"text": text[9:]}]]
    events = [{"candidates": [{"content": {"role": "model", "parts": each}, "index": 0}]} for each in parts]
    if finish:
        events[-1]["candidates"][0]["finishReason"] = finish
    return Answer(sse(*events[:-1], {**events[-1], "usageMetadata": usage}))


def ollama(text: str = json.dumps(PLAN), *, reason: str | None = "stop") -> Answer:
    """Lines of JSON, as Ollama's documentation describes them."""
    rows: list[dict] = [
        {"model": "tiny", "message": {"role": "assistant", "content": each}, "done": False}
        for each in (text[:9], text[9:])
    ]
    if reason:
        last = {"role": "assistant", "content": ""}
        rows.append({"message": last, "done": True, "done_reason": reason, "prompt_eval_count": 26, "eval_count": 8})
    return Answer([json.dumps(each).encode() + b"\n" for each in rows], media="application/x-ndjson")
