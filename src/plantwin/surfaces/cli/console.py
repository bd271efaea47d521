"""`plantwin console`: a folder, its sessions and what planners were told, in a browser."""

from __future__ import annotations

import argparse
import sys
from ipaddress import ip_address
from pathlib import Path

from plantwin.errors import InputError
from plantwin.surfaces.cli.arguments import add_folder, add_json, settings_of, state_of
from plantwin.surfaces.cli.output import note, write_json

EXAMPLE = "plantwin console ~/projects/shop"
SENDS = (
    "Nothing is sent but by requests that you start on its pages: the envelopes that a page shows first, after you\n"
    "agree, within each object's budget. The pages themselves hold real names: they are served to this machine alone."
)
MISSING = "a server is not installed: pip install 'plantwin[console]'"


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command accepts."""
    add_folder(parser)
    parser.add_argument("--port", type=int, default=8600, help="the port (default: 8600)")
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="the address (default: loopback)")
    parser.add_argument(
        "--name", action="append", default=[], metavar="NAME", help="a host name that browsers call it by (repeatable)"
    )
    parser.add_argument("--tls-cert", metavar="FILE", help="a certificate chain in PEM: serve HTTPS")
    parser.add_argument("--tls-key", metavar="FILE", help="its private key in PEM")
    parser.add_argument(
        "--insecure-http",
        action="store_true",
        help="serve other machines without TLS: whoever is on the way can read everything",
    )
    add_json(parser, "print the address and the login link as one JSON document")


def run(options: argparse.Namespace) -> int:
    """Serve until interrupted."""
    try:
        from plantwin.surfaces.console.access import Access
        from plantwin.surfaces.console.application import application
        from plantwin.surfaces.console.folder import Folder
        from plantwin.surfaces.http import run_server
    except ModuleNotFoundError as error:
        raise InputError(MISSING) from error
    root = Path(options.root).expanduser()
    if not root.exists():
        raise InputError("there is no such folder: name one that exists")
    secure = need_private(options)
    hosts = names_of(options)
    base = f"{'https' if secure else 'http'}://{hosts[0]}"
    access = Access(secure=secure)

    def link() -> str:
        # After #, so that no server, log or preview of a link ever sees the code.
        return f"{base}/login#{access.code()}"

    def tell() -> None:
        note(f"To log in, open {link()} (once, within 5 minutes)")

    folder = Folder(
        root,
        settings=settings_of(options),
        state=state_of(options).folder,
        config=options.config,
        ignore=not options.no_ignore,
        jobs=options.jobs,
    )
    if options.json:
        write_json("console", {"url": base, "login": link()})
        sys.stdout.flush()
    else:
        note(f"Serving {base}; Ctrl-C ends it.")
        tell()
    app = application(folder, access, frozenset(hosts), tell)
    run_server(
        app, options.host, options.port, cert=options.tls_cert, key=options.tls_key, grace=2, stopping=app.state.stop
    )
    return 0


def need_private(options: argparse.Namespace) -> bool:
    """Return whether TLS is spoken; refuse to serve other machines without, unless that is asked for."""
    if bool(options.tls_cert) != bool(options.tls_key):
        raise InputError("--tls-cert and --tls-key belong together: give both")
    for path in filter(None, (options.tls_cert, options.tls_key)):
        if not Path(path).is_file():
            raise InputError(f"there is no file '{path}'")
    if not (loopback(options.host) or options.tls_cert or options.insecure_http):
        raise InputError(
            f"--host {options.host} lets other machines in: give --tls-cert and --tls-key, or --insecure-http"
        )
    return bool(options.tls_cert)


def loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def names_of(options: argparse.Namespace) -> list[str]:
    """Hosts with their port as browsers send them, the one for the login link first."""
    import socket

    names = [*options.name]
    if loopback(options.host):
        names += [options.host, "127.0.0.1", "localhost"]
    else:
        anywhere = options.host in ("0.0.0.0", "::")  # noqa: S104 - compared, not bound
        names += [socket.gethostname(), "localhost"] if anywhere else [options.host]
    usual = options.port == (443 if options.tls_cert else 80)
    port = "" if usual else f":{options.port}"
    found = [f"[{name}]" if ":" in name else name for name in names]
    return [f"{name.lower()}{port}" for name in dict.fromkeys(found)]
