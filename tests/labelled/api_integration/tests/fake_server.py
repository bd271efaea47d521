"""A courier that lives in a thread: answers, delays and fails on demand. For tests only."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class FakeCourier(BaseHTTPRequestHandler):
    failures = 0
    booked: list[dict] = []

    def do_POST(self) -> None:
        if type(self).failures > 0:
            type(self).failures -= 1
            self.send_response(502)
            self.end_headers()
            return
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.booked.append(body)
        self.send_response(201)
        self.end_headers()
        self.wfile.write(json.dumps({"id": f"pk_{len(self.booked)}"}).encode())

    def log_message(self, *args) -> None:
        pass


@contextmanager
def fake_courier(failures: int = 0):
    FakeCourier.failures, FakeCourier.booked = failures, []
    server = ThreadingHTTPServer(("127.0.0.1", 0), FakeCourier)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
