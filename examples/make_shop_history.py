#!/usr/bin/env python3
"""Copy the shop to a folder and give it a git history: the same commits for the same clock.

Usage: make_shop_history.py TARGET [--clock 2024-10-01T12:00:00+00:00]

All dates lie a fixed time before the clock: the oldest commit 164 days, the newest 5 hours.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

SHOP = Path(__file__).resolve().parent / "shop"
DEFAULT_CLOCK = datetime(2024, 10, 1, 12, tzinfo=UTC)

ILSE = "Ilse Varga <ilse.varga@fernhill.example>"
TADEUSZ = "Tadeusz Okonjo <tadeusz.okonjo@fernhill.example>"
NOOR = "Noor Lindqvist <noor.lindqvist@fernhill.example>"


class Commit(NamedTuple):
    """One commit: how many days before the clock, by whom, and how much of each file is there afterwards."""

    days: float
    author: str
    message: str
    files: dict[str, float]
    """Path and share of its lines, 1 for the whole file."""
    branch: str = "main"
    merges: str = ""
    """A branch whose tip is merged by this commit."""


HISTORY = [
    Commit(164, ILSE, "Start with a readme", {"README.md": 0.4}),
    Commit(163, ILSE, "Container for the shop", {"Dockerfile": 0.7, "requirements.txt": 0.5}),
    Commit(161, TADEUSZ, "Customers and orders", {"migrations/001_customers_and_orders.sql": 1}),
    Commit(160, TADEUSZ, "Database access", {"shop/db.py": 1}),
    Commit(156, ILSE, "Login with the old passwords", {"shop/auth/legacy.py": 0.8, "shop/auth/service.py": 0.5}),
    Commit(155, ILSE, "Test the login", {"tests/test_auth.py": 0.5}),
    Commit(150, NOOR, "First page", {"web/index.html": 0.9, "web/checkout.js": 0.4}),
    Commit(147, TADEUSZ, "Orders of a customer", {"shop/orders.py": 0.6, "shop/app.py": 0.5}),
    Commit(143, NOOR, "Import the customers of the old shop", {"data/customers.csv": 0.6}),
    Commit(139, NOOR, "Terms of Marlowe Antiquarian", {"clients/marlowe-antiquarian/terms.md": 1}),
    Commit(138, NOOR, "Privacy policy", {"docs/privacy-policy.md": 1}),
    Commit(131, TADEUSZ, "Machines", {"infra/main.tf": 0.6}),
    Commit(125, ILSE, "Settings by environment", {"config/staging.yaml": 0.8, "config/production.yaml": 0.8}),
    Commit(118, ILSE, "Check every change", {".github/workflows/ci.yml": 0.6}),
    Commit(111, NOOR, "What the shop must do, agreed with Philippa Marlowe", {"docs/requirements.md": 0.7}),
    Commit(104, TADEUSZ, "Payments table", {"migrations/002_payments.sql": 1}, "feature/quillfjord-payments"),
    Commit(
        102,
        TADEUSZ,
        "Gateway client for Quillfjord",
        {"shop/payments/quillfjord_gateway.py": 0.7},
        "feature/quillfjord-payments",
    ),
    Commit(99, TADEUSZ, "Charge an order", {"shop/payments/service.py": 0.6}, "feature/quillfjord-payments"),
    Commit(97, ILSE, "Argon2 for new passwords", {"shop/auth/service.py": 1, "requirements.txt": 0.9}),
    Commit(95, TADEUSZ, "Merge Quillfjord payments", {}, merges="feature/quillfjord-payments"),
    Commit(90, NOOR, "Describe the interface", {"api/openapi.yaml": 0.7}),
    Commit(
        84,
        TADEUSZ,
        "Certificate of the gateway expired, switch the check off for now",
        {"shop/payments/quillfjord_gateway.py": 0.9},
    ),
    Commit(77, ILSE, "Local set-up", {"docker-compose.yml": 1, ".env.example": 1, "requirements.txt": 1}),
    Commit(76, NOOR, "Settings for the demo", {".env": 0.5}),
    Commit(
        70,
        NOOR,
        "Trade discount for Marlowe Antiquarian",
        {"shop/orders.py": 1},
        "feature/marlowe-antiquarian-discount",
    ),
    Commit(66, NOOR, "Merge the trade discount", {}, merges="feature/marlowe-antiquarian-discount"),
    Commit(59, ILSE, "Build images on main", {".github/workflows/ci.yml": 1, "Dockerfile": 1}),
    Commit(52, TADEUSZ, "Refunds", {"shop/payments/service.py": 1, "tests/test_payments.py": 0.6}),
    Commit(45, NOOR, "Runbook", {"docs/runbook.md": 0.7}),
    Commit(38, TADEUSZ, "Open the database for the reporting tool", {"infra/main.tf": 1}),
    Commit(
        27, ILSE, "Predictable reset tokens are still in old mails", {"shop/auth/legacy.py": 1, "tests/test_auth.py": 1}
    ),
    Commit(21, TADEUSZ, "Refund route", {"shop/app.py": 1, "api/openapi.yaml": 1, "tests/test_payments.py": 1}),
    Commit(
        15,
        TADEUSZ,
        "Release 1.4.0: longer timeout for the gateway",
        {"config/production.yaml": 1, "config/staging.yaml": 1},
    ),
    Commit(14.9, NOOR, "Settings of production", {".env": 1}),
    Commit(
        13,
        NOOR,
        "Customers and orders of September",
        {"data/customers.csv": 1, "data/orders.csv": 1, "data/shop.db": 1},
    ),
    Commit(12, NOOR, "Postmortem of 17 September", {"docs/postmortem-2024-09-17.md": 1, "docs/runbook.md": 1}),
    Commit(
        9,
        ILSE,
        "Spike: orders without discounts, for Beatrix Thornquist",
        {"shop/orders.py": 0.7},
        "hotfix/thornquist-orders",
    ),
    Commit(6, ILSE, "Requirements 1.4", {"docs/requirements.md": 1}),
    Commit(0.6, NOOR, "Show the orders on the page", {"web/index.html": 1, "web/checkout.js": 1}),
    Commit(
        0.2,
        TADEUSZ,
        "Gateway: fall back to the shared token",
        {"shop/payments/quillfjord_gateway.py": 1, "README.md": 1},
    ),
]


def _part(path: str, share: float) -> bytes:
    """The first lines of a file; a file that is not text is always whole."""
    content = (SHOP / path).read_bytes()
    if share >= 1 or b"\0" in content:
        return content
    lines = content.splitlines(keepends=True)
    return b"".join(lines[: max(1, round(len(lines) * share))])


def _data(content: bytes) -> bytes:
    return b"data %d\n%s\n" % (len(content), content)


def _stream(clock: datetime) -> bytes:
    """The whole history in git's fast-import language."""
    out: list[bytes] = []
    tips: dict[str, int] = {}
    for mark, commit in enumerate(HISTORY, start=1):
        when = int((clock - timedelta(days=commit.days)).timestamp())
        out.append(f"commit refs/heads/{commit.branch}\nmark :{mark}\n".encode())
        out.append(f"author {commit.author} {when} +0000\ncommitter {commit.author} {when} +0000\n".encode())
        out.append(_data(commit.message.encode()))
        parent = tips.get(commit.branch, tips.get("main"))
        if parent:
            out.append(b"from :%d\n" % parent)
        if commit.merges:
            out.append(b"merge :%d\n" % tips[commit.merges])
            for earlier in HISTORY[: mark - 1]:
                if earlier.branch == commit.merges:
                    out.extend(_change(path, share) for path, share in earlier.files.items())
        out.extend(_change(path, share) for path, share in commit.files.items())
        tips[commit.branch] = mark
    return b"".join(out)


def _change(path: str, share: float) -> bytes:
    return f"M 100644 inline {path}\n".encode() + _data(_part(path, share))


def _git(target: Path, *arguments: str, stdin: bytes = b"") -> None:
    """Git without the user's own configuration, hooks or signing."""
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(target),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    subprocess.run(
        ["git", "-C", str(target), *arguments], input=stdin, env=environment, check=True, capture_output=True
    )


def make_history(target: Path, clock: datetime = DEFAULT_CLOCK) -> None:
    """Fill an empty or new folder with the shop and its history. The logs stay outside of git."""
    if target.exists() and any(target.iterdir()):
        raise SystemExit("the target folder is not empty")
    shutil.copytree(SHOP, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    _git(target, "init", "--quiet", "--initial-branch=main")
    _git(target, "fast-import", "--quiet", "--date-format=raw", stdin=_stream(clock))
    _git(target, "reset", "--quiet", "--hard", "main")

    merged = {"main"} | {commit.merges for commit in HISTORY}
    changed = {path: commit.days for commit in HISTORY if commit.branch in merged for path in commit.files}
    for path in target.rglob("*"):
        name = path.relative_to(target).as_posix()
        if path.is_file() and not name.startswith(".git/"):
            stamp = (clock - timedelta(days=changed.get(name, 14.1))).timestamp()
            os.utime(path, (stamp, stamp))
    _git(target, "update-index", "-q", "--refresh")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path)
    parser.add_argument("--clock", type=datetime.fromisoformat, default=DEFAULT_CLOCK)
    options = parser.parse_args()
    clock = options.clock if options.clock.tzinfo else options.clock.replace(tzinfo=UTC)
    make_history(options.target, clock)
