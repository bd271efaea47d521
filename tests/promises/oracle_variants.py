"""Variants of a file of each kind: every bit of a number switches something that a capability looks for."""

from __future__ import annotations

from plantwin.private.capabilities.engine.job import Link, Neighbour, Surroundings
from plantwin.private.facts import Change, Changes
from plantwin.vocabulary import Kind, SemanticClass

KINDS = tuple(Kind)
LEAVES = {kind: list(SemanticClass) for kind in Kind}
for _kind, _first in (
    (Kind.CODE_FILE, ("authentication_module", "database_migration", "sql_query", "page_template", "api_handler")),
    (Kind.LOG_STREAM, ("application_log",)),
    (Kind.STRUCTURED_RECORD, ("person_records", "experiment_metrics")),
    (Kind.CONFIG, ("environment_config", "deploy_manifest", "dependency_manifest", "api_contract")),
    (Kind.SECRET_CONTAINER, ("credentials_file",)),
    (Kind.DOCUMENT, ("requirements_spec",)),
):
    LEAVES[_kind] = [SemanticClass(each) for each in _first] + LEAVES[_kind]

_CODE = (
    "import hashlib\n\n\ndef check(word):\n    return hashlib.md5(word.encode()).hexdigest()\n",
    "import os\n\n\ndef call(word):\n    os.system('ls ' + word)\n",
    'def find(db, name):\n    return db.execute("SELECT * FROM people WHERE name = \'" + name + "\'")\n',
    "def forget():\n    try:\n        work()\n    except Exception:\n        pass\n",
)
_LOG = (
    "2026-03-01T10:00:05Z ERROR worker payment failed: timeout\n" * 3,
    "2026-03-01T10:00:09Z WARN auth failed login for user 7 from 10.0.0.9\n" * 12,
    'Traceback (most recent call last):\n  File "app/main.py", line 3, in run\nValueError: bad\n',
    "2026-03-01T10:03:00Z INFO server started\n2026-03-01T10:04:00Z INFO server started\n",
)
_ROWS = (
    "1,ann@example.com,34\n1,ann@example.com,34\n",
    "9,,\n",
    "10,not an address,-5\n",
    "11,bo@example.com,999999\n",
)
_KEYS = ("DEBUG=true\n", "DATABASE_PASSWORD=Tr0ub4dor&3xyz\n", "PORT=99999\n", "HOST=0.0.0.0\n")
_TEXT = (
    "The service must answer within 200 ms.\n",
    "Invoices shall be kept for 10 years.\n",
    "Users may not share passwords.\n",
    "To do: decide on the retention period before 2027-01-01.\n",
)
_PARTS = {
    Kind.CODE_FILE: (".py", "def start():\n    return 1\n\n\n", _CODE),
    Kind.LOG_STREAM: (".log", "2026-03-01T10:00:00Z INFO server listening\n" * 4, _LOG),
    Kind.STRUCTURED_RECORD: (".csv", "id,email,age\n2,cy@example.com,41\n3,di@example.com,28\n", _ROWS),
    Kind.CONFIG: (".env", "NAME=shop\nLEVEL=info\n", _KEYS),
    Kind.SECRET_CONTAINER: (".env", "NAME=shop\n", _KEYS),
    Kind.DOCUMENT: (".md", "# Shop\n\nWhat the shop does.\n\n", _TEXT),
}


_BUCKET = 'resource "aws_s3_bucket" "b%d" {\n  bucket = "b%d"\n  acl    = "public-read"\n}\n'
_OPEN = """resource "aws_security_group" "open" {
  ingress {
    from_port   = 22
    to_port     = 22
    protocol    = "tcp"
    cidr_blocks = ["0.0.0.0/0"]
  }
}
"""
_PATH = "  /p%d:\n    get:\n      responses:\n        '200':\n          description: ok\n"
_CONTRACT = "openapi: 3.0.0\ninfo:\n  title: Shop\n  version: '1'\npaths:\n" + _PATH % 9

SPECIAL = {
    "audit_dependencies": (
        Kind.CONFIG, SemanticClass.DEPENDENCY_MANIFEST, "/requirements.txt", "flask==3.0.0\n",
        ("requests\n", "reqeusts==2.0\n", "git+https://example.com/a.git\n", "numpy>=1\n"),
    ),
    "audit_infrastructure": (
        Kind.CONFIG, SemanticClass.INFRA_STORAGE, "/main.tf", 'variable "x" {\n  type = string\n}\n',
        (_BUCKET % (1, 1), _OPEN, _BUCKET % (2, 2), _BUCKET % (3, 3)),
    ),
    "check_accessibility": (
        Kind.CODE_FILE, SemanticClass.PAGE_TEMPLATE, "/page.html", "<html lang='en'><title>Shop</title><h1>Shop</h1>\n",
        ("<img src='a.png'>\n", "<input type='text'>\n", "<a href='/x'></a>\n", "<h4>Deep</h4>\n"),
    ),
    "check_api_contract": (
        Kind.CONFIG, SemanticClass.API_CONTRACT, "/openapi.yaml", _CONTRACT, tuple(_PATH % each for each in range(4)),
    ),
    "list_licenses": (
        Kind.CONFIG, SemanticClass.DEPENDENCY_MANIFEST, "/requirements.txt", "",
        ("flask==3.0.0\n", "requests==2.0\n", "numpy>=1\n", "rich\n"),
    ),
    "review_migrations": (
        Kind.CODE_FILE, SemanticClass.DATABASE_MIGRATION, "/0001_first.sql", "CREATE TABLE a (id int PRIMARY KEY);\n",
        ("DROP TABLE b;\n", "ALTER TABLE a ADD COLUMN c int NOT NULL;\n", "TRUNCATE d;\n", "DELETE FROM a;\n"),
    ),
}  # fmt: skip
"""Where the usual content of a kind gives a capability nothing to do."""


def content(kind: Kind, number: int, capability: str = "") -> tuple[str, str]:
    """The ending of its name, and the text with a part for every bit that is set."""
    ending, base, parts = SPECIAL[capability][2:] if capability in SPECIAL else _PARTS[kind]
    joint = "" if capability in SPECIAL else "\n"
    return ending, base + joint.join(part for bit, part in enumerate(parts) if number >> bit & 1)


def around(names: list[str], kind: Kind, leaf: SemanticClass, number: int) -> Surroundings:
    """What lies around the first of these: every bit of the number is a relation."""
    objects = tuple(
        Neighbour(
            name,
            kind.value,
            leaf.value,
            role="production",
            sketch=bytes(64),
            provides=(f"m{place}",),
            format="python" if name.endswith(".py") else "",
        )
        for place, name in enumerate(names)
    )
    links = (
        Link(1, "depends_on", "imports", 0), Link(2, "depends_on", "tests", 0),
        Link(0, "depends_on", "imports", 1), Link(0, "similar_to", "copy", 2),
    )  # fmt: skip
    changed = tuple(Change(name, 1 + number, added=number) for place, name in enumerate(names) if number >> place & 1)
    return Surroundings(
        objects=objects,
        links=tuple(each for bit, each in enumerate(links) if number >> bit & 1),
        changes=Changes(since="a while ago", commits=(("c0ffee", 1_700_000_000, "Jo Doe", "a change"),), files=changed),
    )
