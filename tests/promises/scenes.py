"""Small private folders and whole sessions over them, with a scripted planner that keeps every byte it is sent."""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path

from plantwin.cloud.scripted import Scripted
from plantwin.config.settings import Settings, load_settings
from plantwin.run import Run
from plantwin.session import run
from plantwin.workspace import Workspace

CANARY = "zanzibarquokka"
GOAL = "Review the authentication module for security issues and compare it with the payment module"

AUTH = f'''"""Signs users in for {CANARY}."""

import hashlib
import logging

from flask import request, session

log = logging.getLogger("{CANARY}.auth")


def login(email, password):
    user = find_user(email)
    if user.password_hash != hashlib.md5(password.encode()).hexdigest():
        log.warning("failed login for %s with %s", email, password)
        raise PermissionError("wrong password")
    session["user_id"] = user.id
    return issue_token(user)


def authenticate(token):
    return verify_token(token, "{CANARY}-secret")


def logout():
    session.clear()
'''
PAYMENT = f'''"""Charges cards for {CANARY}."""

from decimal import Decimal

import requests


def charge(order, card):
    payload = {{"amount": str(Decimal(order.total)), "card": card.token, "merchant": "{CANARY}"}}
    response = requests.post("https://pay.{CANARY}.internal/charge", json=payload, timeout=10)
    response.raise_for_status()
    return response.json()["payment_id"]


def refund(payment_id, amount):
    return requests.post("https://pay.{CANARY}.internal/refund", json={{"id": payment_id}}, timeout=10)
'''


def folder(base: Path) -> Path:
    """A folder with code, settings, credentials, people and a document."""
    root = base / CANARY
    for name, text in {
        "shop/auth/service.py": AUTH,
        "shop/payments/service.py": PAYMENT,
        ".env": f"DATABASE_URL=postgres://{CANARY}:hunter22hunter@db.{CANARY}.internal/shop\nDEBUG=true\n",
        f"data/{CANARY}.csv": "name,email\nJo Doe,jo@example.com\nAl Poe,al@example.com\n" * 8,
        "docs/README.md": f"# {CANARY}\n\nHow to run the shop.\n\n## Start\n\n    make run\n",
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@contextmanager
def workspace(root: Path, state: Path, **options):
    """A workspace on a folder, closed afterwards."""
    made = Workspace(root, state=state, jobs=1, **options)
    try:
        yield made
    finally:
        made.close()


def settings(base: Path, text: str) -> Settings:
    """Settings from a file with this text."""
    path = base / "config.toml"
    path.write_text(text)
    return load_settings(path)


def session(root: Path, state: Path, answers, goal: str = GOAL, **options) -> tuple[Run, Scripted]:
    """One session from beginning to end, and the planner with everything it received."""
    planner = Scripted(answers)
    planner.sends = True  # it stands for one that does: budgets refuse
    with workspace(root, state, **options) as made:
        return run(goal, made, planner), planner


def step(capability: str, *inputs: str, id_: str = "s1", **fields):
    """One step of a scripted plan."""
    return {"id": id_, "capability": capability, "inputs": list(inputs), **fields}


def outcomes(planner: Scripted) -> list[list[dict]]:
    """Outcomes as the planner heard them, by turn."""
    messages = [json.loads(each) for each in planner.received]
    return [[step["outcome"] for step in each["steps"]] for each in messages if each["message"] == "results"]
