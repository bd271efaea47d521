"""What files declare: the sort that a request asks for, and which of it."""

from __future__ import annotations

import re

import pytest
from capability_inputs import Run, given

from plantwin.private.capabilities.engine.job import Input
from plantwin.private.capabilities.list_inventory.asking import asked
from plantwin.private.capabilities.list_inventory.readers import TABLES

SPRING = """@RequestMapping("/owners/{ownerId}")
class PetController {
  @GetMapping("/pets/new")
  String form() { return "form"; }
}
"""
TERRAFORM = """terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 6.0"
    }
  }
}
variable "region" {
  description = "Where it runs"
}
module "nodes" {
  source         = "./nodes"
  instance_types = ["m6i.large"]
}
resource "aws_s3_bucket" "logs" {}
output "name" {
  description = "Its name"
}
"""
COMPOSE = """services:
  web:
    image: nginx:1.27
    depends_on: [db]
  db:
    image: postgres:16
  worker:
    build: ./worker
    depends_on: [db]
"""
PLAYBOOK = """- name: Set up the proxy
  hosts: web
  roles: [common]
  tasks:
    - name: Install nginx
      apt: {name: nginx}
- import_playbook: other.yml
- hosts: db
  tasks: []
"""
WORKFLOW = """on: [push]
jobs:
  test:
    runs-on: ubuntu-latest
    steps: []
"""
DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata: {name: vote}
spec: {template: {spec: {containers: [{image: "vote:1"}]}}}
"""
FILES = (
    given("src/PetController.java", SPRING),
    given("main.tf", TERRAFORM),
    given("examples/main.tf", 'module "x" {\n  source = "../"\n  instance_types = ["t3.small"]\n}\n'),
    given("docker-compose.yml", COMPOSE),
    given("site.yml", PLAYBOOK),
    given(".github/workflows/ci.yml", WORKFLOW),
    given("k8s/vote.yaml", DEPLOYMENT),
    given(
        "package.json",
        '{"scripts": {"start": "node a.js"}, "dependencies": {"react": "^19.0.0", "react-dom": "^19.0.0"}}',
    ),
    given("app/models.py", "class Item(Base, table=True):\n    pass\n\n\nSESSION_TIMEOUT = 30\n"),
    given("app/settings.toml", 'log_level = "debug"\nurl = "postgresql://db/shop"\npassword = "hunter2secret"\n'),
    given("app/api.py", 'from fastapi import FastAPI\napp = FastAPI()\n\n\n@app.get("/carts")\ndef carts(): ...\n'),
    given("app/db.go", 'package db\n\nvar url = "redis://cache:6379"\n'),
    given("openapi.yaml", "openapi: 3.0.0\npaths:\n  /orders:\n    get: {summary: All orders}\n"),
    given("config/recurring.yml", "production:\n  nightly:\n    class: Tidy\n    schedule: every hour\n"),
    given("app/tasks.py", "@shared_task\ndef send_digest(): ...\n\n\nACCESS_TOKEN_EXPIRE_MINUTES = 60 * 24\n"),
    given(
        "app/jobs/clean_up.rb", "class CleanUp < ApplicationJob\n  URL = 'https://api.partner.test-pay.com/v1'\nend\n"
    ),
    given("db/migrate/0012_totals.sql", "ALTER TABLE invoices ADD COLUMN total int;\n"),
    given("db/migrate/0002_first.sql", "ALTER TABLE invoices ADD COLUMN day date;\n"),
    given("locales/de.json", '{"session timeout": "x"}'),
    *(given(f"lib/sprockets/{name}.py", "") for name in "abc"),
    given("Cargo.toml", '[package]\nversion = "4.2.0"\n'),
    given("docs/search.md", "# Search\n\nHow to search.\n"),
    given("orders.csv", "id,amount\n1,2\n"),
    given("logo.png", b"\x89PNG\r\n\x1a\n\0\0\0"),
    given("broken/package.json", "{"),
    given(".ruby-version", "3.4.1\n"),
    given("go.mod", "module shop\n\ngo 1.24\n"),
    given(
        "db/schema.rb", 'create_table "invoices" do |t|\n  t.string "id"\n  t.integer "total"\n  t.index ["id"]\nend\n'
    ),
)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            [("compose.yml", "services:\n  db:\n    image: postgres:17\n")],
            "PostgreSQL (image postgres:17, `compose.yml:3`)",
        ),
        ([("README.md", "# Shop\n\n- Postgres (>= 12)\n")], "PostgreSQL (requires Postgres \\>= 12, `README.md:3`)"),
        (
            [("README.md", "# Shop\n\nNeeds MySQL 8.0 or newer.\n")],
            "MySQL (requires MySQL 8.0 or newer, `README.md:3`)",
        ),
        ([("go.mod", "module a\n\nrequire (\n\tgo.mongodb.org/mongo-driver v1.2.0 // indirect\n)\n")], "No data store"),
    ],
)
def test_a_data_store_is_told_with_its_version(run: Run, files: list[tuple[str, str]], said: str) -> None:
    given_files = [given(name, text) for name, text in files]
    assert said in run("list_inventory", *given_files, request="which database and which version is required?").text


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (
            "which endpoints does the API have?",
            "3 endpoints: GET /orders (`openapi.yaml:4`), GET /carts (`app/api.py:5`), GET",
        ),
        ("is there an endpoint for carts?", "Yes: GET /carts (`app/api.py:5`)."),
        ("is there an endpoint for refunds?", "None of 3 endpoints that are declared here speaks of `refunds`"),
        ("which version of react is used?", "react ^19.0.0 (`package.json:1`)."),
        ("what go version does it need?", "go 1.24 (`go.mod:3`)."),
        ("which ruby version does it need?", "ruby 3.4.1 (`.ruby-version:1`)."),
        ("which provider versions are required?", "1 provider: aws >= 6.0 (`main.tf:4`)."),
        ("list the input variables of the main module", "1 input variable: region: required (`main.tf:10`)."),
        ("which inputs are required?", "1 input variable: region"),
        ("which resources does it create", "1 resource: aws_s3_bucket.logs"),
        ("which outputs are there", "1 output: name"),
        ("which database does it use?", "2 data stores: PostgreSQL ("),
        ("which images are used?", "2 images: nginx:1.27 (`docker-compose.yml:3`), postgres:16"),
        ("what services make up the app", "3 services: web (image nginx:1.27, needs db, `docker-compose.yml:2`), db"),
        ("which deployments are there", "1 Kubernetes object: Deployment vote"),
        ("which playbooks install nginx", "Set up the proxy (`site.yml:1`)."),
        ("which roles are used", "1 role: common"),
        ("does it depend on react?", "Yes: react ^19.0.0 (`package.json:1`)."),
        ("is there an endpoint to delete carts?", "None of 3 endpoints that are declared here speaks of `delete` and"),
        ("what is the default log level version?", "`log_level` is debug"),
        ("which command line options are there?", "No command-line options were found"),
        ("what columns does the invoices table have", "invoices: 2 columns: id, total (`db/schema.rb:1`)."),
        ("which hosts are there", "2 hosts and groups: web"),
        ("which workflows run", "1 pipeline job: test"),
        ("which scripts are there", "1 command: npm run start"),
        ("which tables are in the database", "3 tables: orders.csv: 1 row, 2 columns (`orders.csv:1`), Item"),
        ("which pages are about search", "1 document: Search (`docs/search.md:1`)."),
        ("which classes are there", "3 classes: Item"),
        ("what instance types are used in the examples", "`instance_types` is t3.small in `examples/main.tf:3`"),
        ("what is the session timeout", "`SESSION_TIMEOUT` is 30 in `app/models.py:5`"),
        ("what is the log level", "`log_level` is debug in `app/settings.toml:1`"),
        ("what is the warp factor", "No setting, class or function is called after `warp`, `factor` (29 files read)."),
        ("which schedules are there", "No schedules were found, by the ways of declaring them that are known here"),
        (
            "which background jobs run?",
            "3 background jobs: send_digest (shared_task, `app/tasks.py:2`), nightly (every hour, `config",
        ),
        ("what is the newest migration?", "1 migration: 0012_totals.sql (`db/migrate/0012_totals.sql:1`)."),
        ("which migrations are there", "2 migrations: 0002_first.sql"),
        ("which external services does it call?", "3 data stores and addresses of other systems: PostgreSQL ("),
        ("what does the worker talk to?", "worker (built from ./worker, needs db, `docker-compose.yml:7`)."),
        ("which database does it connect to and where is its connection string?", "2 data stores: PostgreSQL ("),
        ("what version is this?", "1 version of the project: version 4.2.0 (`Cargo.toml:2`)."),
        ("how long is an access token valid?", "`ACCESS_TOKEN_EXPIRE_MINUTES` is 60 * 24 in `app/tasks.py:5`"),
        ("how long does send digest take?", "No setting, class or function is called after `send`, `digest`"),
        ("what kinds of sprockets are there?", "3 entries in `lib/sprockets/`: a.py (`lib/sprockets/a.py`), b.py"),
        ("which node version does it need?", "5 runtimes, none of which is called after `node`"),
        ("which crates of billing are there", "2 packages, none of which is called after `billing`:"),
    ],
)
def test_the_sentence_says_what_was_asked_for(run: Run, request_: str, said: str) -> None:
    result = run("list_inventory", *FILES, request=request_)
    assert result.text.replace("\\", "").startswith(said)
    assert result.outcome["status"] == "done"


VALUES = (
    given("src/token.utils.ts", "export const make = (id) =>\n  jwt.sign({ id }, key, { expiresIn: '60d' });\n"),
    given("test/token.spec.ts", "const token = sign({ expiresIn: '1h' });\n"),
    given("src/limits.h", "#define APP_NESTING_LIMIT 1000\n"),
    given("src/config.py", 'import os\nevery = os.environ.get("POLLING_FREQUENCY", "60")\nhelp = "refresh often"\n'),
    given(".env", "MAIL_SENDER=shop\n"),
    given(
        "variables.tf",
        'variable "public_access" {\n  default = false\n}\n'
        'variable "worker_type" {\n  description = "Size of a worker"\n  default = "t3.small"\n}\n',
    ),
    given("compose.yml", "services:\n  web:\n    environment:\n      MAIL_SENDER: shop\n"),
    given("main.tf", 'resource "aws_eks_cluster" "this" {\n  endpoint_opened = var.public_access\n}\n'),
    given("train.py", "learning_rate = 6e-4  # at most\nbatch_size = 12\n"),
    given("grace.py", "from datetime import timedelta\nOVERDUE_GRACE = timedelta(hours=1)\ntotal_uploads = 0\n"),
    given("limits.py", "RESPONSE_SIZE_LIMIT = 64\n"),
    given("kinds.go", "const (\n\tStorage_LOCAL Storage = 1\n)\n"),
)


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("how long until the jwt expires", "`expiresIn` is 60d in `src/token.utils.ts:2`"),
        ("what is the maximum nesting depth", "`APP_NESTING_LIMIT` is 1000 in `src/limits.h:1`"),
        ("default polling frequency?", "`POLLING_FREQUENCY` is 60 in `src/config.py:2`"),
        ("how often are feeds refreshed by default?", "`POLLING_FREQUENCY` is 60 in `src/config.py:2`"),
        ("what is MAIL_SENDER set to", "`MAIL_SENDER` is shop in `.env:1` and 1 more"),
        ("how many migrations are there", "No migrations were found"),
        ("what is the default size of a worker", "`worker_type` is t3.small in `variables.tf:4` (Size of a worker)"),
        ("what is the default of public_access", "`public_access` is false in `variables.tf:1`"),
        ("what is endpoint_opened set to", "`endpoint_opened` is false by default (var.public_access) in `main.tf:2`"),
        (
            "what learning rate and batch size are used?",
            "`learning_rate` is 6e-4 in `train.py:1` (at most); `batch_size` is 12",
        ),
        ("what is the overdue grace", "`OVERDUE_GRACE` is timedelta(hours=1) in `grace.py:2`"),
        ("how long are uploads kept", "No setting, class or function is called after `uploads`"),
        ("what is storage_local set to", "`Storage_LOCAL` is 1 in `kinds.go:2`"),
    ],
)
def test_a_value_is_told_with_its_place(run: Run, request_: str, said: str) -> None:
    result = run("list_inventory", *VALUES, request=request_)
    assert result.text.replace("\\", "").startswith(said)
    assert result.facts["on_point"] is (not said.startswith("No "))


def test_a_measure_of_something_else_is_no_answer(run: Run) -> None:
    assert not run("list_inventory", *VALUES, request="what is the max upload size").facts["on_point"]


def test_what_no_file_declares_may_be_what_a_folder_holds(run: Run) -> None:
    files = [
        given(f"shop/management/commands/{name}.py", "class Command:\n    pass\n") for name in ("load", "mail", "prune")
    ]
    said = run("list_inventory", *files, request="which management commands exist").text.replace("\\", "")
    assert said.startswith("3 entries in `shop/management/commands/`: load.py (")


def test_options_that_no_document_names_are_told(run: Run) -> None:
    code = 'p.add_argument("--quiet")\np.add_argument("--dry-run")\n'
    question = "is the documentation up to date with the cli options"
    told = run("list_inventory", given("cli.py", code), given("doc/app.1", ".B \\-\\-quiet\n"), request=question).text
    assert told.startswith("1 of 2 command-line options are named in no document: `--dry-run` (`cli.py:2`) (1 document")
    every = run("list_inventory", given("cli.py", code), given("README.md", "--quiet, --dry-run\n"), request=question)
    assert every.text.startswith("All of 2 command-line options are named in documents (1 document searched; what")
    alone = run("list_inventory", given("cli.py", code), request=question).text
    assert alone.startswith("It cannot be told: there is no document beside 2 command-line options.")


def test_without_a_question_the_main_sorts_are_listed(run: Run) -> None:
    text = run("list_inventory", *FILES).text
    assert all(title in text for title in ("Endpoints (3)", "Packages (2)", "Data stores (2)", "Tables (3)"))


def test_secrets_are_not_shown(run: Run) -> None:
    result = run("list_inventory", *FILES, request="what is the password")
    assert "password" in result.text and "hunter2secret" not in f"{result.text}{result.facts}"


def test_a_request_without_words_and_a_job_without_files_are_refused(run: Run) -> None:
    assert run("list_inventory", *FILES, request="what is it?").outcome["status"] == "failed"
    assert run("list_inventory", request="which endpoints?").outcome["status"] == "failed"


def test_what_no_sort_declares_is_looked_for_among_resources(run: Run) -> None:
    text = 'resource "aws_iam_role" "node" {}\nresource "aws_s3_bucket" "logs" {}\n'
    result = run("list_inventory", given("main.tf", text), request="which iam roles does it create?")
    assert "aws_iam_role.node" in result.text and "logs" not in result.text


def test_columns_in_brackets_are_read(run: Run) -> None:
    text = (
        "CREATE TABLE [Orders]\n(  [OrderID] INTEGER,\n   [CustomerID]TEXT,\n   FOREIGN KEY ([CustomerID]) ON x\n);\n"
    )
    result = run("list_inventory", given("create.sql", text), request="which tables are there?")
    assert "Orders: 2 columns: OrderID, CustomerID" in result.text


def test_long_files_are_said_to_be_cut(run: Run) -> None:
    result = run("list_inventory", given("a.py", "x = 1\n" * 200_000), request="which endpoints?")
    assert result.outcome["status"] == "partial" and "only the beginning was read: the first 1 MiB" in result.text


def test_so_many_things_that_some_are_left_out_are_said_to_be_cut(run: Run) -> None:
    result = run(
        "list_inventory", given("a.properties", "".join(f"A{n}=1\n" for n in range(6_000))), request="what settings?"
    )
    assert result.outcome["status"] == "partial" and "truncated" in result.outcome["tags"]
    assert result.text.startswith("5,000 settings: ") and "5,000 things at most" in result.text


def test_the_columns_of_a_table_are_what_its_delimiter_parts(run: Run) -> None:
    result = run("list_inventory", given("a.csv", '"name; first",amount\nx,1\n'), request="which tables are there?")
    assert "1 table: a.csv: 1 row, 2 columns: name; first, amount" in result.text


@pytest.mark.parametrize(
    ("request_", "sorts", "words"),
    [
        ("Which API routes of the shop are there?", ("endpoint",), ("shop",)),
        ("provider versions", ("provider",), ()),
        ("what is the timeout of the mailer", ("setting", "class", "function"), ("timeout", "mailer")),
    ],
)
def test_what_a_request_asks_for(request_: str, sorts: tuple[str, ...], words: tuple[str, ...]) -> None:
    found = asked(request_)
    assert (found.sorts, found.words) == (sorts, words)


@pytest.mark.parametrize("row", TABLES["row"], ids=lambda row: f"{row['sort']}: {row['example'].strip()[:30]}")
def test_each_row_finds_its_example(row: dict[str, str]) -> None:
    match = re.search(row["pattern"], row["example"])
    assert match and row["sort"] in TABLES["sort"] and (match["name"] or match["detail"])


LINKED = (
    given("README.md", "[a](docs/guide.md) [b](docs/gone.md) [c](https://example.org) ![d](x.png)\n`[e](none.md)`\n"),
    given("docs/guide.md", "[up](../README.md) [page](guide) [folder](../docs/)\n"),
)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (LINKED, "Yes: 1 of 5 links to other files lead nowhere: docs/gone.md (`README.md:1`). Links to other hosts"),
        (LINKED[1:], "Yes: 1 of 3 links to other files lead nowhere: ../README.md (`docs/guide.md:1`)."),
        ((given("a.md", "[b](b.md)\n"), given("b.md", "# B\n")), "None of 1 link to other files leads nowhere. Links"),
        ((given("a.md", "[b](https://example.org)\n"),), "There is no link whose target can be looked up here."),
    ],
)
def test_links_that_lead_nowhere(run: Run, files: tuple[Input, ...], said: str) -> None:
    assert run("list_inventory", *files, request="are there broken links?").text.startswith(said)


def test_the_last_release_is_told_with_its_changes(run: Run) -> None:
    changes = given("CHANGELOG.md", "# Unreleased\n- soon\n# 2.1.0\n## Fixed\n- the leak\n# 2.0.0\n- new\n")
    text = run("list_inventory", changes, request="what changed in the last release?").text
    assert text.startswith("1 release: 2.1.0 (`CHANGELOG.md:3`): Fixed: the leak.")


INVENTORY = """[app]
app1.test ansible_host=192.0.2.4
192.0.2.5 # the spare

[all_of_it:children]
app

[app:vars]
ansible_user=deploy
"""
INVENTORY_YAML = """all:
  hosts:
    gate: {ansible_host: 192.0.2.9}
  children:
    db:
      hosts:
        db1:
"""
MODELS = """class Base(SQLModel):
    name: str

class Owner(Base, table=True):
    kept: ClassVar[int] = 1
    id: int = Field(
        primary_key=True,
    )
    pets: list["Pet"] = Relationship(back_populates="owner")

class Pet(Declarative):
    __tablename__ = "pets"
    id = Column(Integer)

class Kept(models.Model):
    day = models.DateField()
    class Meta:
        abstract = True

class Visit(Kept):
    owner = models.ForeignKey(Owner)
    friends = models.ManyToManyField(Owner)
"""
MODULES = (
    given("main.tf", 'resource "aws_vpc" "main" {}\nresource "helm_release" "scaler" {}\n'),
    given("modules/scaler/main.tf", 'resource "aws_sqs_queue" "q" {}\nresource "null_resource" "n" {}\n'),
    given("examples/scaler/main.tf", 'resource "aws_vpc" "example" {}\n'),
    given("variables.tf", 'variable "size" {\n  default = null\n}\nvariable "size_max" {\n  default = [1, 2]\n}\n'),
    given(
        "modules/scaler/inputs.tf", 'variable "labels" {\n  default = {}\n}\nvariable "mode" {\n  default = "on"\n}\n'
    ),
)
NODE = '{"engines": {"node": ">=20", "vscode": "^1"}, "packageManager": "yarn@4.1.0+sha512.00"}'
PRISMA = """model Slot {
  id Int @id
  end DateTime
  kind Kind
  ownerId Int
  owner Owner @relation(fields: [ownerId])
  seats Seat[]
}
"""
VERSIONS = (given(".ruby-version", "3.4.1\n"), given("Gemfile", 'gem "rails", "8.0"\ngem "ruby-prof", "1.7"\n'))
PLAYS = (
    given("a.yml", "- hosts: a\n  roles: [acme.nginx]\n"),
    given("b.yml", "- hosts: b\n  tasks:\n    - apt: {name: [nginx, curl]}\n"),
    given("c.yml", "- hosts: c\n  tasks:\n    - yum: name={{ item }} state=present\n      with_items: [nginx]\n"),
    given("d.yml", "- hosts: d\n  tasks:\n    - name: Reload nginx\n      service: name=nginx state=reloaded\n"),
)


@pytest.mark.parametrize(
    ("files", "request_", "rows"),
    [
        (
            (given("hosts.ini", INVENTORY), given("inventories/live/hosts.yml", INVENTORY_YAML), PLAYS[0]),
            "list all hosts in the inventories with their ip addresses",
            [
                ("app1.test", "192.0.2.4, group app"), ("192.0.2.5", "group app"), ("[all_of_it]", "group of app"),
                ("gate", "192.0.2.9, group all"), ("db1", "group db"),
            ],
        ),
        (
            (given("app/models.py", MODELS),),
            "which tables are there and which columns do they have",
            [("Owner", "2 columns: name, id"), ("pets", "1 column: id"), ("Visit", "2 columns: day, owner")],
        ),
        (MODULES, "which aws resources does the scaler module create", [("aws_sqs_queue.q", "")]),
        (MODULES, "which resources does the module scaler create", [("aws_sqs_queue.q", ""), ("null_resource.n", "")]),
        (MODULES, "default value of the variable size", [("size", "default null")]),
        (MODULES, "default value of the variable size_max", [("size_max", "default [1, 2]")]),
        (MODULES, "inputs of the scaler module", [("labels", "default {}"), ("mode", "default on")]),
        (VERSIONS, "what ruby and rails version", [("ruby", "3.4.1"), ("rails", "8.0")]),
        (
            (given("package.json", NODE), given("yarn.lock", '"@types/node@^20":\n  version "20.1.0"\n')),
            "what node and yarn version is needed",
            [("node", ">=20"), ("yarn", "4.1.0")],
        ),
        (
            (given("schema.prisma", PRISMA),),
            "which columns does the Slot table have",
            [("Slot", "4 columns: id, end, kind, ownerId")],
        ),
        (VERSIONS, "which ruby version does the shop and its cart need", [("ruby", "3.4.1")]),
        (
            PLAYS,
            "which playbooks instal nginx",
            [
                ("a.yml", "on a, roles acme.nginx"), ("b.yml", "on b, installs nginx, curl"),
                ("c.yml", "on c, installs nginx"),
            ],
        ),
        (
            (given("a.py", 'app = FastAPI()\n@app.get("/login")\ndef a(): ...\n@app.get("/v1/u")\ndef b(): ...\n'),),
            "list all api endpoints",
            [("GET /v1/u", ""), ("GET /login", "")],
        ),
    ],
)  # fmt: skip
def test_what_is_listed(run: Run, files: tuple[Input, ...], request_: str, rows: list[tuple[str, str]]) -> None:
    items = run("list_inventory", *files, request=request_).facts["items"]
    assert [(item["name"], item["detail"]) for item in items] == rows  # type: ignore[attr-defined]


def test_defaults_of_secret_inputs_are_hidden_and_long_lists_are_whole(run: Run) -> None:
    text = "".join(f'variable "size_{number}" {{}}\n' for number in range(120))
    secret = given("b.tf", 'variable "db_password" {\n  default = "hunter2secret"\n}\n')
    result = run("list_inventory", given("a.tf", text), secret, request="which input variables are there?")
    assert "hunter2secret" not in f"{result.text}{result.facts}" and "`size_119`" in result.text


NEXT = [
    ("src/app/api/teams/[id]/route.ts", "export async function GET(request) {\n  const { auth } = read(request);\n}\n"
     "\nexport const POST = async request => {\n  return json(await request.json());\n};\n"),
    ("src/app/(open)/p/[...slug]/route.js",
     "async function handler() {\n  return skipAuth();\n}\nexport { handler as GET };\n"),
    ("pages/api/users/index.ts", "export default function handler(req, res) {\n  if (req.method === 'PUT') {\n"
     "    save(req);\n  }\n  return requireAuth(req);\n}\n"),
    ("pages/api/ping.js", "export default (req, res) => {\n  res.json({});\n};\n"),
    ("src/app/page.tsx", "export default function Page() {\n  return null;\n}\n"),
    ("src/routes/feed/+server.ts",
     "export const GET = async ({ locals }) => {\n  if (!locals.session) {\n    fail();\n  }\n};\n"),
]  # fmt: skip
DJANGO = [
    ("shop/urls.py", "from django.urls import path\n\nurlpatterns = [path('a/', views.a), path('b/', views.b)]\n")
]
ELSEWHERE = [("src/api/orders.ts", "export const list = wire('orders', () => 1);\n")]


@pytest.mark.parametrize(
    ("files", "request_", "said"),
    [
        (NEXT, "which endpoints are there?", "6 endpoints: "),
        (NEXT, "is there an endpoint for users?", "Yes: PUT /api/users (`pages/api/users/index.ts:1`)."),
        (NEXT, "is there an endpoint for teams?", "Yes: GET /api/teams/{id} (`src/app/api/teams/[id]/route"),
        (NEXT, "which api routes don't check auth", "3 of 6 endpoints have no authentication in the handler"),
        (NEXT, "are there unauthenticated endpoints?", "3 of 6 endpoints have no authentication in the handler"),
        (DJANGO, "which routes have no authentication", "It cannot be told: the handlers of 2 endpoints are"),
        (ELSEWHERE, "which endpoints are there?", "How endpoints are declared here is not known"),
    ],
)  # fmt: skip
def test_endpoints_that_frameworks_route_by_files(
    run: Run, files: list[tuple[str, str]], request_: str, said: str
) -> None:
    text = run("list_inventory", *(given(name, text) for name, text in files), request=request_).text
    assert text.startswith(said), text


def test_the_last_migrations_are_the_newest_with_what_they_change(run: Run) -> None:
    files = [
        given(f"prisma/migrations/{number:02}_step/migration.sql", f'ALTER TABLE "user" ADD COLUMN "c{number}" INT;\n')
        for number in range(1, 13)
    ]
    text = run("list_inventory", *files, request="what changed in the schema in the last migrations").text
    assert text.startswith("3 migrations: 12\\_step/migration.sql (`prisma/migrations/12_step/migration.sql:1`), 11")
    assert "ALTER TABLE user ADD COLUMN c12" in text and "c9" not in text


OFFERED = (
    given(
        "server.env.example",
        "# Name of the first admin.\n# APP_ADMIN_NAME=root\n\n# Password of the admin.\n# APP_ADMIN_PASS=changed\n"
        "\n# Where plain HTTP is served.\nAPP_PORT=80\n\n# Cost of hashing.\n# APP_STRENGTH=10\n",
    ),
    given(
        "src/settings.py",
        "# Off closes sign-up.\nALLOW_SIGNUP = True\nTHUMB_SIZES = {\n    'small': 64,\n}\n",
    ),
    given("src/users.py", "def check_admin_user(user):\n    return user.admin\n"),
    given("package.json", '{"dependencies": {"port-finder": "^1.0.0"}}'),
    given("web/locales/en.json", '{"a": "b"}'),
    given("web/locales/pt-BR.json", '{"a": "c"}'),
    given("db.py", "DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3'}}\n"),
    given("urls.py", "router.register(r'pins', PinViewSet)\nregistry.register('x', Y)\n"),
)


@pytest.mark.parametrize(
    ("request_", "said", "on_point"),
    [
        ("what is the admin password", "`APP_ADMIN_PASS` is changed (in a comment) in `server.env.example:5` (", True),
        ("which image does the admin user see", "No images were found", False),
        ("which languages are supported", "2 languages: en (`web/locales/en.json:1`), pt-BR", True),
        ("which database is used", "1 data store: SQLite (set in code as ENGINE, `db.py:1`)", True),
        ("which endpoints are there for pins", "2 endpoints: ANY /pins (`urls.py:1`), ANY /pins/{id}", True),
    ],
)  # fmt: skip
def test_what_templates_comments_and_frameworks_declare(run: Run, request_: str, said: str, on_point: bool) -> None:
    result = run("list_inventory", *OFFERED, request=request_)
    assert result.text.replace("\\", "").startswith(said), result.text
    assert result.facts["on_point"] is on_point


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("how do I change the port", "`APP_PORT` is 80 in `server.env.example:8` (Where plain HTTP is served.)."),
        ("how do I turn off signup", "`ALLOW_SIGNUP` is True in `src/settings.py:2` (Off closes sign-up.)."),
        ("which thumb sizes are made for uploads", "`THUMB_SIZES` is { 'small': 64, } in `src/settings.py:3`."),
    ],
)  # fmt: skip
def test_a_setting_that_answers_comes_before_passages(run: Run, request_: str, said: str) -> None:
    result = run("find_code", *OFFERED, request=request_)
    assert result.text.replace("\\", "").startswith(said), result.text
    assert result.facts["objects"][0] == re.findall(r"in `([^:`]+)", said)[0]


@pytest.mark.parametrize("request_", ["where is the admin checked", "how do users get invited"])
def test_no_setting_is_told_where_none_is_called_so(run: Run, request_: str) -> None:
    assert " is " not in run("find_code", *OFFERED, request=request_).text.split("\n")[0]


SHELLS = """use clap::{Parser, ValueEnum};
#[derive(Debug, Parser)]
#[clap(about)]
pub enum Cmd {
    Add(Add),
    /// Look one up, by its name
    Query(Query),
}
#[derive(ValueEnum)]
pub enum InitShell {
    Bash,
    #[clap(alias = "ksh")]
    Posix,
    Zsh,
}
"""
KINDS = (
    given("src/cmd.rs", SHELLS),
    given("src/status.py", "class Status(str, Enum):\n    OPEN = 'open'\n    DONE = 'done'\n\n\nx = 1\n"),
    given("src/kinds.ts", "export type Theme = 'dark' | 'light';\n"),
)


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("which shells are supported", "3 in `InitShell` (`src/cmd.rs:10`): Bash, Posix, Zsh."),
        ("which statuses are there", "2 in `Status` (`src/status.py:1`): OPEN, DONE."),
        ("which themes are available", "2 in `Theme` (`src/kinds.ts:1`): dark, light."),
    ],
)
def test_the_members_of_a_type_answer_which_are_supported(run: Run, request_: str, said: str) -> None:
    assert run("find_code", *KINDS, request=request_).text.startswith(said)


def test_the_commands_of_a_program_are_listed(run: Run) -> None:
    text = run("list_inventory", *KINDS, request="which commands are there").text
    assert text.startswith("2 commands: add (`src/cmd.rs:4`), query (`src/cmd.rs:4`).")


def test_columns_end_with_their_table(run: Run) -> None:
    code = 'k.createTable("links", t => {\n  t\n    .uuid("id");\n  t.string("url");\n});\n'
    code += 'k.createTable("users", t => {\n  t.string("mail");\n});\n'
    text = run("list_inventory", given("m.js", code), request="which columns does the links table have").text
    assert text.startswith("links: 2 columns: id, url (`m.js:1`).")


def test_what_a_template_calls_required_comes_first(run: Run) -> None:
    files = (
        given(".env.example", "# Required - signs sessions\nKEY=\n\n# Optional - not required\nNAME=\n"),
        given("a.js", "process.env.KEY; process.env.NAME;\n"),
    )
    asked = run("list_environment_variables", *files, request="which environment variables are mandatory?").text
    assert asked.startswith("Marked as required: `KEY` (`.env.example:2`).")
    assert not run("list_environment_variables", *files, request="which are there?").text.startswith("Marked")


def test_a_secret_in_a_comment_is_masked(run: Run) -> None:
    key = "ghp_" + "aB3dE5fG7hI9jK1mN3pQ5rS7tU9vW1xY3zA5"
    file = given("settings.py", f"# The upload limit; token {key}\nUPLOAD_LIMIT = 5\n")
    for capability in ("list_inventory", "find_code"):
        text = run(capability, file, request="what is the upload limit").text
        assert "UPLOAD" in text and key not in text


SERVICES = """services:
  web:
    image: nginx:latest
    restart: always
    volumes: ["/var/run/docker.sock:/var/run/docker.sock:ro"]
    security_opt: ["no-new-privileges:true"]
  db:
    image: postgres:16
    privileged: true
    mem_limit: 2g
"""
BUCKETS = """resource "aws_s3_bucket" "logs" {
  versioning { enabled = true }
}
resource "aws_s3_bucket" "plain" {}
resource "aws_s3_bucket" "apart" {}
resource "aws_s3_bucket_versioning" "apart" {
  bucket = aws_s3_bucket.apart.id
}
resource "google_compute_instance" "builder" {
  machine_type = "n1-standard-1"
}
"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("which services have no restart policy", "1 of 2 services set no `restart` in 1 file: `db`"),
        ("any container running privileged?", "Yes: 1 of 2 container set `privileged` in 1 file: `db`"),
        ("which services mount the docker socket", "1 of 2 services set `docker`, `socket` in 1 file: `web`"),
        ("how many containers use the latest tag", "1 of 2 containers set `latest`"),
        ("which services have no healthcheck", "None of 2 services sets `healthcheck` in 1 file"),
        ("which buckets have no versioning", "1 of 3 buckets set no `versioning` in 1 file: `aws_s3_bucket.plain`"),
        ("do all buckets have versioning", "No: 1 of 3 buckets set no `versioning`"),
        ("how many s3 buckets", "3 s3 buckets in 1 file"),
        ("what machine type does the builder use", "`machine_type` of `google_compute_instance.builder` is n1"),
        ("what is the mem limit of db", "`mem_limit` of `db` is 2g"),
    ],
)
def test_declared_things_are_told_by_what_they_set(run: Run, question: str, said: str):
    result = run("list_inventory", given("compose.yaml", SERVICES), given("main.tf", BUCKETS), request=question)
    assert result.text.startswith(said)
    assert result.facts["held"]
