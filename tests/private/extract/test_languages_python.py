"""Outlines of Python: imports, names, calls and features, in the parsed head and in the rest."""

from __future__ import annotations

import pytest

from plantwin.private.extract.languages import outline_code
from plantwin.private.facts import Outline

SERVICE = b'''# Copyright
"""Docs.

import fake_doc
from also_fake import x
"""
from __future__ import annotations
import os, sys as system
import numpy as np
from flask import (
    Flask,  # import not_this
    request as req,
)
from . import sibling
from ..pkg.mod import thing, other as o
from local.tools import *
import stripe, bcrypt
import subprocess, pickle, yaml, logging
from django.db import models
import jwt

logger = logging.getLogger(__name__)
app = Flask(__name__)
MAX_RETRIES = 3
TEXT = "import hidden"

@app.route("/login", methods=["POST"])
@login_required
def login():
    # TODO: import commented
    user = db.session.query(User)
    rows = cursor.execute("SELECT id, name FROM users u JOIN orders o ON o.uid = u.id WHERE x")
    cursor.execute("""
        INSERT INTO audit_log (a) VALUES (1)
    """)
    logger.info(f"user {user} password {password}")
    logger.info("password changed")
    token = jwt.encode({}, os.environ["KEY"])
    bcrypt.checkpw(a, b)
    stripe.Charge.create(amount=1)
    subprocess.run(cmd, shell=True)
    pickle.loads(x); yaml.load(f); yaml.load(f, Loader=yaml.SafeLoader)
    with open("data/input.csv") as f: pass
    with open("out/result.json", "w") as f: pass
    return render_template("login.html", x=1)

class User(models.Model):
    name = models.CharField()
    class Meta:
        pass
    async def save(self):
        from lazy import loader
        try:
            pass
        except ValueError:
            raise

if __name__ == "__main__":
    app.run()
'''


def references(outline: Outline) -> list[tuple[str, str, str]]:
    return [tuple(each) for each in outline.references]


def test_service() -> None:
    outline = outline_code("python", SERVICE, "app/auth.py")
    assert outline.format == "python"
    assert outline.parsed
    assert outline.lines == SERVICE.count(b"\n")
    assert references(outline) == [
        ("python", "os", "imports"),
        ("python", "sys", "imports"),
        ("python", "numpy", "imports"),
        ("python", "flask:Flask", "imports"),
        ("python", "flask:request", "imports"),
        ("python", ".:sibling", "imports"),
        ("python", "..pkg.mod:thing", "imports"),
        ("python", "..pkg.mod:other", "imports"),
        ("python", "local.tools", "imports"),
        ("python", "stripe", "imports"),
        ("python", "bcrypt", "imports"),
        ("python", "subprocess", "imports"),
        ("python", "pickle", "imports"),
        ("python", "yaml", "imports"),
        ("python", "logging", "imports"),
        ("python", "django.db:models", "imports"),
        ("python", "jwt", "imports"),
        ("python", "lazy:loader", "imports"),
        ("table", "users", "reads"),
        ("table", "orders", "reads"),
        ("table", "audit_log", "writes"),
        ("path", "data/input.csv", "reads"),
        ("path", "out/result.json", "writes"),
        ("path", "login.html", "renders"),
    ]
    assert set(outline.names) == {"login", "save", "User", "Meta", "MAX_RETRIES", "TEXT"}
    assert {"stripe.Charge.create", "bcrypt.checkpw", "app.route", "login_required", "jwt.encode"} <= set(outline.calls)
    assert "User" not in outline.calls
    features = outline.features
    assert features["function"] == 2
    assert features["class"] == 2
    assert features["orm_model"] == 1
    assert features["route"] == 1
    assert features["web_import"] == 1
    assert features["payment_call"] == 2
    assert features["sensitive_log"] == 1
    assert features["todo"] == 1
    assert features["insecure_call"] == 3
    assert features["error_handler"] == 1
    assert features["main_guard"] == 1
    assert features["env_read"] == 1


def test_rest_of_a_long_file() -> None:
    """Behind what is parsed, line rules find the same, and still nothing in strings."""
    filler = b"\n".join(b"value_%d = %d" % (number, number) for number in range(400))
    source = (
        b"import pandas as pd\nimport torch.nn as nn\nimport torch\n"
        + filler
        + b'''
def train():
    df = pd.read_csv("data/train.csv")
    model.fit(df)
    """
import faked
def fake(): pass
    """
    loss.backward()
from late.module import (
    alpha,  # not beta2
    beta as gamma,
)
@pytest.fixture
class Net(nn.Module):
    pass
LIMIT = 3
'''
    )
    outline = outline_code("python", source, "train.py")
    assert references(outline) == [
        ("python", "pandas", "imports"),
        ("python", "torch.nn", "imports"),
        ("python", "torch", "imports"),
        ("python", "late.module:alpha", "imports"),
        ("python", "late.module:beta", "imports"),
        ("path", "data/train.csv", "reads"),
    ]
    assert set(outline.names) == {"train", "Net", "LIMIT"}
    assert outline.features["train_call"] == 2
    assert outline.features["model_layer"] == 1
    assert outline.features["dataframe_call"] == 1
    assert outline.features["fixture"] == 1


def test_imports_far_behind() -> None:
    source = b"import first\n" + b"x = compute(1)\n" * 1200 + b"import far\n"
    assert ("python", "far", "imports") in references(outline_code("python", source, "x.py"))


def test_long_docstring_across_the_parsed_part() -> None:
    source = b'import a\n\ndef f():\n    """\n' + b"import fake%d\n" * 400 + b'    """\n    import b\n'
    source = source.replace(b"%d", b"")
    outline = outline_code("python", source, "x.py")
    assert [target for _, target, _ in references(outline)] == ["a", "b"]
    assert outline.names == ["f"]


def test_long_docstring_across_the_part_read_in_full() -> None:
    source = b"import a\n" + b"x = 1\n" * 1900 + b"TEXT = '''\n" + b"import fake\n" * 200 + b"'''\nimport b\n"
    outline = outline_code("python", source, "x.py")
    assert [target for _, target, _ in references(outline)] == ["a", "b"]


@pytest.mark.parametrize(
    ("source", "feature"),
    [
        (b"import pytest\n\ndef test_a():\n    assert 1\n", "test_function"),
        (b"from unittest import TestCase\n\nclass A(TestCase):\n    def setUp(self):\n        pass\n", "fixture"),
        (b"import argparse\np = argparse.ArgumentParser()\n", "cli_args"),
        (b"from alembic import op\n\ndef upgrade():\n    op.add_column('t', c)\n", "migration_op"),
        (b"from airflow import DAG\nwith DAG('x') as d:\n    pass\n", "dag"),
        (b"from prefect import flow\n\n@flow\ndef f():\n    pass\n", "dag"),
        (b"import hashlib\nhashlib.md5(x)\n", "weak_crypto"),
        (b"import requests\nrequests.get(u, verify=False)\n", "insecure_call"),
        (b"import requests\nrequests.get(u)\n", "http_call"),
        (b"from celery import shared_task\n\n@shared_task\ndef f():\n    pass\n", "scheduled"),
        (b"from sklearn.linear_model import Ridge\nRidge().fit(x, y)\n", "train_call"),
        (b"import prometheus_client\nprometheus_client.Counter('a', 'b')\n", "metric_call"),
        (b"from abc import ABC\n\nclass A(ABC):\n    pass\n", "abstract"),
        (b"from fastapi import APIRouter\nrouter = APIRouter()\n\n@router.get('/x')\ndef f():\n    pass\n", "route"),
        (b"import threading\nthreading.Thread(target=f)\n", "concurrency"),
        (b"from datetime import timedelta\nx = timedelta(days=1)\n", "date_logic"),
        (b"import great_expectations as gx\n", "data_check"),
        (b"url = 'https://example.com/x'\n", "host_literal"),
        (b"path = '/etc/service/config'\n", "path_literal"),
        (b"# Code generated by a tool. DO NOT EDIT.\nx = 1\n", "generated_marker"),
        (b"<<<<<<< ours\nx = 1\n=======\nx = 2\n>>>>>>> theirs\n", "merge_conflict"),
        (b"if False:\n    f()\n", "dead_code"),
    ],
)
def test_feature(source: bytes, feature: str) -> None:
    assert outline_code("python", source, "x.py").features.get(feature, 0) >= 1


@pytest.mark.parametrize(
    ("source", "feature"),
    [
        (b"shirt.fit(x)\n", "train_call"),  # no machine learning package
        (b"d.get('x')\n", "route"),
        (b"text = 'stripe.Charge.create()'\n", "payment_call"),
        (b"# bcrypt.checkpw(a, b)\n", "auth_call"),
        (b'"""jwt.encode(x)"""\n', "auth_call"),
        (b"yaml.load(f, Loader=yaml.SafeLoader)\n", "insecure_call"),
        (b"logger.info('the password was changed')\n", "sensitive_log"),
        (b"x = 'TODO later'\n", "todo"),
        (b"x = 1\n" * 400 + b"# generated by hand\n", "generated_marker"),
    ],
)
def test_no_feature(source: bytes, feature: str) -> None:
    assert feature not in outline_code("python", source, "x.py").features


def test_reexports_of_a_package() -> None:
    outline = outline_code("python", b"from .a import b, c\nfrom .d import *\n", "pkg/__init__.py")
    assert outline.features["reexport"] == 3
    assert references(outline) == [
        ("python", ".a:b", "imports"),
        ("python", ".a:c", "imports"),
        ("python", ".d", "imports"),
    ]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (b"from .import a", [".:a"]),
        (b"from . import (a,\n  b)", [".:a", ".:b"]),
        (b"from ...x.y import z", ["...x.y:z"]),
        (b"import a.b.c as d", ["a.b.c"]),
        (b"from importer import a", ["importer:a"]),
        (b"from a import b; import c", ["a:b", "c"]),
        (b"from a import \\\n    b", ["a:b"]),
        (b"from typing import Any, Callable", ["typing"]),
    ],
)
def test_import_statements(statement: bytes, expected: list[str]) -> None:
    assert [each.target for each in outline_code("python", statement + b"\n", "x.py").references] == expected
    behind = b"x = call(1)\n" * 300 + statement + b"\n"
    if b";" not in statement:
        assert [each.target for each in outline_code("python", behind, "x.py").references] == expected


def test_a_cut_table_is_still_code() -> None:
    source = b"TABLE = {\n" + b"    'key': ('value', 1),\n" * 1_000 + b"}\n"
    assert outline_code("python", source, "x.py").parsed


def test_bounds() -> None:
    source = b"".join(b"import m%d\ndef f%d():\n    g%d()\n" % (n, n, n) for n in range(300))
    outline = outline_code("python", source, "x.py")
    assert len(outline.references) == 80
    assert len(outline.names) == 200
    assert len(outline.calls) == 200


def test_broken_code_is_not_parsed() -> None:
    outline = outline_code("python", b"]]] ((( $$ ?? !! def def ::\n" * 30, "x.py")
    assert not outline.parsed


def test_encodings() -> None:
    assert references(outline_code("python", b"\xef\xbb\xbfimport a\n", "x.py")) == [("python", "a", "imports")]
    outline = outline_code("python", b"import a\n\xff\xfe = 1\ndef caf\xc3\xa9(): pass\n", "x.py")
    assert references(outline) == [("python", "a", "imports")]
    assert "café" in outline.names


def test_private_repr() -> None:
    outline = outline_code("python", SERVICE, "x.py")
    assert "stripe" not in repr(outline)
    assert "stripe" not in repr(outline.references)
