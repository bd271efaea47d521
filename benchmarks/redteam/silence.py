"""Silence as an oracle: what is not told of one file, because of another that is denied or because its words are rare.

Denied: two folders differ in files that the policy denies, and all that is told of the others is compared.
Control: where nothing is denied, the same files do make a difference.
Rare: every file of a folder is asked about with the accountant that promises `k` alike, and files that sound alike are
counted: what is withheld included, and the kind aside, which is always told. Control: with the default prices some file
sounds like fewer than `k`.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from benchmarks.redteam.score import Score
from benchmarks.redteam.target import APP, Colluder, folder, once, session, settings

OPEN: Mapping[str, str] = {
    **{f"app/{name}.py": APP.replace("login", f"{name}_of") * times for times, name in enumerate(("auth", "mail"), 1)},
    **{f"data/{name}.csv": f"id,{name}\n1,2\n2,{len(name)}\n" for name in ("orders", "items", "refunds")},
}
"""No two are copies: these would share an account, and which of them it is spent on is left to chance."""
DENIED: Mapping[str, Mapping[str, str]] = {
    "a test": {"kept/test_auth.py": "from app import auth\n\n\ndef test_it():\n    assert auth.auth_of(1, 'x')\n"},
    "a guide": {"kept/README.md": "# Shop\n\nSee app/mail.py.\n"},
    "a consumer": {"kept/use.py": "import pandas\n\npandas.read_csv('data/orders.csv')\n"},
    "a schema": {"kept/tables.sql": "CREATE TABLE orders (id integer PRIMARY KEY, amount integer);\n"},
    "older files": {f"kept/old_{number}.py": APP for number in range(30)},
    "a package": {f"app/kept_{name}": "{}\n" for name in ("package.json", "a.json", "b.json")},
}
LABELS = '[[labels]]\nglob = "kept/**"\nlabel = "private"\n[[labels]]\nglob = "**/kept_*"\nlabel = "private"\n'
IDS = ("object_id", "set_id", "component", "source", "target", "within")
K = 5


def _asks(planner: Colluder) -> list[dict[str, object]]:
    """All that can be told of every object."""
    return [{"capability": "describe", "inputs": [id_]} for id_ in planner.objects]


def _heard(here: Path, files: Mapping[str, str], text: str, *, objects: bool = False) -> Counter[str]:
    """What a planner hears, up to ids; of `objects` the last and fullest words alone."""
    root = folder(here, files)
    for place, path in enumerate(files):
        old = 900 if path not in OPEN else 30 * place
        os.utime(root / path, (time.time() - 86_400 * old,) * 2)
    planner = Colluder(once(_asks))
    made = settings(here, f"[limits]\nmax_turns = 3\n[budget]\nscale = 4.0\n{text}")
    session(root, here / "state", planner, f"Summarize {', '.join(path for path in files if 'kept' not in path)}", made)
    told = [{key: value for key, value in row.items() if key != "kind"} for row in planner.objects.values()]
    if not objects:
        rows = ("sets", "objects", "edges", "relations")
        told = [row for message in planner.messages for key in rows for row in message.get(key, ())]
    return Counter(json.dumps({k: v for k, v in row.items() if k not in IDS}, sort_keys=True) for row in told)


def attack(base: Path, short: bool) -> list[Score]:
    """Both."""
    return [_denied(base / "denied", short), _rare(base / "rare", short)]


def _denied(base: Path, short: bool) -> Score:
    heard: dict[str, tuple[Counter[str], Counter[str]]] = {}
    for number, (name, files) in enumerate({"nothing": {}, **DENIED}.items()):
        if short and number > 2:
            break
        places = [base / f"{number}-{world}" for world in ("denied", "open")]
        for place in places:
            place.mkdir(parents=True)
        heard[name] = _heard(places[0], {**OPEN, **files}, LABELS), _heard(places[1], {**OPEN, **files}, "")
    before = heard.pop("nothing")
    differs = [denied != before[0] for denied, _ in heard.values()]
    control = sum(shown != before[1] for _, shown in heard.values())
    note = f"control: {control} of {len(heard)} files are noticed where nothing is denied"
    return Score("denied files, through what is told of others", len(differs), sum(differs), note=note)


def _rare(base: Path, short: bool) -> Score:
    files = {
        f"config/part_{number}.yaml": f"service:\n  port: {8000 + number}\n" for number in range(9 if short else 14)
    }
    for name in ("one", "two"):
        files[f"config/large_{name}.yaml"] = "".join(f"{name}_{number}: {number}\n" for number in range(9_000))
    files["notes/plan.md"] = "# Plan\n\nShip it.\n"
    fewer = {}
    for accountant in ("k-anonymity", "weighted"):
        here = base / accountant
        here.mkdir(parents=True)
        heard = _heard(here, files, f'accountant = "{accountant}"\n[privacy]\nk = {K}\n', objects=True)
        fewer[accountant] = sum(number for number in heard.values() if number < K)
    note = f"control: {fewer['weighted']} of {len(files)} sound like fewer than {K} at the prices of the paper"
    return Score("withheld words, with k-anonymity", len(files), fewer["k-anonymity"], note=note)
