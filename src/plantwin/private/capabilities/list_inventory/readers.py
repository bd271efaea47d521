"""Read what a file declares, by the parsers that audits use."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec

from plantwin.private.capabilities.audit_dependencies import reader_of
from plantwin.private.capabilities.audit_dependencies.manifest import Manifest
from plantwin.private.capabilities.check_api_contract import routes, routes_python
from plantwin.private.capabilities.engine.source import Source
from plantwin.private.capabilities.explain_project.stack import STORES
from plantwin.private.capabilities.infrastructure import ansible, ci_pipelines, compose, kubernetes
from plantwin.private.capabilities.list_inventory.documents import documents, releases
from plantwin.private.capabilities.list_inventory.enumerations import subcommands
from plantwin.private.capabilities.list_inventory.hosts import hosts
from plantwin.private.capabilities.list_inventory.links import Item, links
from plantwin.private.capabilities.list_inventory.models import models
from plantwin.private.capabilities.list_inventory.values import ASIDE, values
from plantwin.private.formats import hcl
from plantwin.private.formats.definitions import outline
from plantwin.private.formats.delimited import delimiter
from plantwin.private.formats.document import MAP, Document, Node, read
from plantwin.private.formats.documents import FORMATS as PAGES
from plantwin.private.formats.lexicon import beside
from plantwin.private.formats.settings import FORMATS, settings
from plantwin.private.formats.source_views import MASKS, views
from plantwin.private.formats.values import tree_of, words
from plantwin.text import plural

TABLES = beside(__file__, "sorts.toml")
_SAMPLED = 40
"""Lines of a table that tell its delimiter."""
_METHODS = frozenset(("get", "post", "put", "patch", "delete", "head", "options"))
_STORE_URL = re.compile(r"(?i)\b(?:jdbc:)?([a-z][a-z0-9]{1,20})(?:\+\w+)?:(?://|mem:|file:)")
_STORE_KEY = re.compile(r"(?i)(?:^|[._-])(?:adapter|dialect|engine|database|db_?type|db_connection|driver(?:class)?)$")
_STORE_SET = re.compile(
    r"(?i)(?<![\w.])[\"']?(?P<key>engine|adapter|dialect|client|db_?client|db_?type|driver)[\"']?\s*(?:=>|[:=])\s*[\"'](?P<store>[\w.+-]{2,60})[\"']"
)
"""`'ENGINE': 'django.db.backends.sqlite3'`, `client: 'pg'`."""
_REQUIRED = re.compile(
    r"(?i)\b(?P<store>postgres(?:ql)?|mysql|mariadb|mongodb|redis|sqlite|elasticsearch|opensearch|cassandra|clickhouse)"
    r"\b[*_`)]*\s*\(?(?:version\s+|v)?(?P<version>(?:>=|≥|&gt;=)\s*v?\d[\d.]*|v?\d[\d.]*(?:\.x)?\s*(?:\+|(?:or|and)\s+(?:newer|later|higher|above|up)\b))"
)
"""`PostgreSQL 12 or later`, `Postgres (>= 12)`: what a document says is needed."""
_BODY = re.compile(r"\n[ \t]*(?:end\b(?![ \t]+\w)|\}?\)|@@?\w|def |class |;)|\n[^\s(]")
"""Where the columns of a table end."""
_MIGRATION = re.compile(
    r"(?:^|/)(?:migrations?|migrate|versions)/(?:[^/]+/)?(?!__)[^/]*\.(?:py|rb|sql|ts|js|php|go|exs|cs|java)$"
)
_LOCALE = re.compile(
    r"(?:^|/)(?:locales?|i18n|lang|langs|languages|translations?|messages)/(?:[\w-]+[./])?(?P<name>[a-z]{2}(?:[_-][A-Za-z]{2,4})?)"
    r"(?:\.(?:json5?|ya?ml|po|php|[jt]s|properties|toml|xml|ftl|arb)$|/)"
)
_ADDRESS = re.compile(r"\b(?:https?|wss?|grpc|smtp)://(?P<host>[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*\.[a-z]{2,})\b")
_NOBODY = re.compile(
    r"(?:^|\.)(?:example\.\w+|w3\.org|schemas?\.\w+\.\w+|json-schema\.org|schema\.org|xmlns\.com|purl\.org|localhost|test|invalid|local)$"
    r"|^(?:www\.)?(?:apache|opensource|gnu|stackoverflow|freedesktop|github|gitlab)\.(?:org|com)$"
    r"|^(?:docs?|wiki|raw|developers?|help)\.|\.(?:readthedocs\.io|wikipedia\.org)$"
)
"""Hosts that are written down and seldom called: namespaces, placeholders, documents."""


class _Row(NamedTuple):
    sort: str
    formats: frozenset[str]
    files: re.Pattern[str]
    pattern: re.Pattern[str]
    of: str
    columns: re.Pattern[str] | None


@cache
def _rows() -> tuple[_Row, ...]:
    return tuple(
        _Row(
            row["sort"], frozenset(row["formats"].split()), re.compile(row.get("files", "")),
            re.compile(row["pattern"]), row.get("of", ""),
            re.compile(row["columns"]) if "columns" in row else None,
        )
        for row in TABLES["row"]
    )  # fmt: skip


def items_of(file: Source, sorts: frozenset[str]) -> Iterator[Item]:
    """Yield what a file declares of some sorts."""
    for wanted, reader in _READERS:
        if wanted & sorts:
            yield from (item for item in reader(file) if item.sort in sorts)
    for row in _rows():
        if row.sort in sorts and file.format in row.formats and row.files.search(file.label):
            yield from _matched(row, file)


def _matched(row: _Row, file: Source) -> Iterator[Item]:
    for match in row.pattern.finditer(file.text):
        groups = match.groupdict("")
        name = (groups["name"] or groups.get("second", "")).strip(" \t\"`[]'")
        own = row.of or (_product(file.label) if row.sort == "runtime" else "")
        line = file.text.count("\n", 0, match.start("name" if match["name"] else 0)) + 1
        detail = groups.get("detail", "").strip()
        if row.columns is not None:
            body = _BODY.split(file.text[match.end() : match.end() + 20_000], maxsplit=1)[0]
            columns = list(dict.fromkeys(row.columns.findall(body)))
            detail = f"{plural(len(columns), 'column')}: {', '.join(columns)}" if columns else ""
        yield Item(row.sort, f"{own} {name}".strip(), detail, file.label, line)


def _product(path: str) -> str:
    """Return what a file such as `.ruby-version` tells the version of."""
    match = re.search(r"(?:^|/)\.(ruby|python|node|nvm|java)(?:-version|rc)$", path)
    return {"nvm": "node"}.get(match[1], match[1]) if match else ""


def _endpoints(file: Source) -> Iterator[Item]:
    python = file.format == "python"
    found = routes_python.read(file.text)[0] if python else routes.read(file.format, file.text, file.name)[0]
    for route in found:
        yield Item("endpoint", route.title, "", file.label, route.line)
    if file.format in ("yaml", "json") and re.search(r"(?m)^[ \t]*+[\"']?(?:openapi|swagger)[\"']?\s*+:", file.text):
        paths = read(file).root.at("paths")
        for path, node in paths.map.items() if paths is not None else ():
            for method in node.map.keys() & _METHODS:
                detail = node.value(method, "summary")
                yield Item("endpoint", f"{method.upper()} {path}", detail, file.label, node.line_of(method))


def manifest_of(file: Source) -> Manifest | None:
    """Return what a file says as a manifest, lock file, Dockerfile or pipeline, if it is one."""
    reader = reader_of(file.name, file.format, file.text)
    return reader(file.name, file.text) if reader is not None else None


def _packages(file: Source) -> Iterator[Item]:
    manifest = manifest_of(file)
    if manifest is None:
        return
    sort = {"image": "image", "workflow": "action"}.get(manifest.kind, "package")
    for package in manifest.packages:
        version = "" if package.managed else package.version
        if sort == "image" and version:
            yield Item(sort, f"{package.name}:{version}", "", file.label, package.line)
        else:
            aside = package.dev or manifest.kind in ("lock", "sums")
            detail = f"{version} (locked)".strip() if manifest.kind in ("lock", "sums") else version
            yield Item(sort, package.name, detail, file.label, package.line, aside)
        indirect = manifest.ecosystem == "go" and package.dev
        if (manifest.kind == "manifest" and not indirect) or sort == "image":
            why = f"image {package.name}:{version}" if sort == "image" and version else f"{sort} {package.name}"
            yield from _stores(f"{package.name}", why, file, package.line, package.dev)
    for runtime in manifest.runtimes:
        aside = manifest.kind in ("workflow", "image")  # what it needs before what it is built and tested with
        yield Item("runtime", runtime.product, runtime.version, file.label, runtime.line, aside)


def _stores(text: str, why: str, file: Source, line: int, aside: bool = False) -> Iterator[Item]:
    words = set(re.split(r"[^a-z0-9]+", text.lower()))
    for key, name in STORES.items():
        if key in words or any(word.startswith(key) and len(key) > 4 for word in words):
            yield Item("store", name, why, file.label, line, aside)


def _configured_stores(file: Source) -> Iterator[Item]:
    if file.format in FORMATS:
        for setting in settings(file.format, file.text)[0]:
            scheme = _STORE_URL.search(setting.value)
            if scheme is not None or _STORE_KEY.search(setting.path):
                told = scheme[1] if scheme is not None else setting.value[:40]
                yield from _stores(told, f"setting {setting.path}", file, setting.line)
    elif file.format in PAGES:
        for number, line in enumerate(file.text.split("\n")[:20_000], start=1):
            for match in _REQUIRED.finditer(line[:400]):
                yield from _stores(match["store"], f"requires {match['store']} {match['version']}", file, number)
    elif file.format in MASKS:
        for number, line in enumerate(file.text.split("\n")[:20_000], start=1):
            for match in _STORE_URL.finditer(line[:400]):
                yield from _stores(match[1], "an address in code", file, number)
            for match in _STORE_SET.finditer(line[:400]):
                yield from _stores(match["store"], f"set in code as {match['key']}", file, number)


def _declared(file: Source) -> Iterator[Item]:
    """Yield what compose files, manifests of a cluster, playbooks and pipelines declare."""
    if file.format != "yaml":
        return
    document = read(file)
    if compose.is_compose(document):
        for name, node in document.root.map["services"].map.items():
            image, build = node.value("image"), node.value("build") or node.value("build", "context")
            needs = node.at("depends_on")
            after = [*needs.map, *(item.text for item in needs.items)] if needs is not None else []
            what = f"image {image}" if image else f"built from {build}" if build else ""
            line = document.root.map["services"].line_of(name)
            yield Item("service", name, ", needs ".join(filter(None, [what, ", ".join(after)])), file.label, line)
    for held in kubernetes.objects(document):
        pod = held.pod
        images = [node.value("image") for node in pod.entries("containers")] if pod is not None else []
        sort = "service" if held.kind == "Service" else "workload"
        yield Item(sort, f"{held.kind} {held.name}", ", ".join(filter(None, images)), file.label, held.node.line)
    if ansible.is_ansible(document):
        yield from _plays(document)
    if ci_pipelines.is_workflow(document):
        jobs = document.root.at("jobs")
        trigger = document.root.at("on") or document.root.at("true")
        when = ", ".join([*trigger.map, *(item.text for item in trigger.items)]) or trigger.text if trigger else ""
        for name, job in jobs.map.items() if jobs is not None else ():
            title = job.value("name") or name
            yield Item("job", title, f"on {when}" if when else "", file.label, job.line)


_TASKS = ("pre_tasks", "tasks", "post_tasks")
_MANAGERS = words("apt yum dnf package pip apk pacman zypper gem npm homebrew dnf5 snap")
"""Modules of Ansible that install packages."""


def _installed(task: Node) -> Iterator[str]:
    """Yield the packages that a task installs, by what its module is told."""
    for module, node in task.map.items():
        if module.rpartition(".")[2] not in _MANAGERS:
            continue
        inline = re.search(r"\b(?:name|pkg)=[\"']?([^\s\"']+)", node.text)
        stated = [inline[1]] if inline else [node.value(key) for key in ("name", "pkg")]
        several = [item.text for key in ("name", "pkg") for item in node.entries(key)]
        looped = [item.text for key in ("loop", "with_items") for item in task.entries(key)]
        yield from (name for name in (*stated, *several, *looped) if name and "{{" not in name)


def _plays(document: Document) -> Iterator[Item]:
    for play in document.root.items:
        hosts = play.value("hosts") or ", ".join(item.text for item in play.entries("hosts"))
        tasks = [task.value("name") for key in _TASKS for task in play.entries(key)]
        roles = [role.text or role.value("role") or role.value("name") for role in play.entries("roles")]
        if not hosts and not play.value("import_playbook"):
            continue
        did = [f"on {hosts}"] if hosts else [f"imports {play.value('import_playbook')}"]
        did += [f"roles {', '.join(roles)}"] if roles else []
        did += [f"{len(tasks)} tasks: {'; '.join(filter(None, tasks[:6]))}"] if tasks else []
        packages = dict.fromkeys(name for key in _TASKS for task in play.entries(key) for name in _installed(task))
        did += [f"installs {', '.join(packages)}"] if packages else []
        name = play.value("name") or document.name
        yield Item("play", name, ", ".join(did), document.source.label, play.line)
        yield from (Item("role", role, "", document.source.label, play.line) for role in roles if role)
        if hosts:
            yield Item("host", hosts, "hosts of a play", document.source.label, play.line, aside=True)


_BLOCKS = {"resource": "resource", "data": "data source", "variable": "input", "output": "output", "module": "module"}


def _terraform(file: Source) -> Iterator[Item]:
    if file.format != "hcl":
        return
    document = Document(file, "hcl")
    for block in hcl.blocks(document).blocks:
        if block.type == "terraform":
            for inner in block.all("required_providers"):
                for name, node in inner.attributes.items():
                    version = node.value("version") if node.kind == MAP else node.text
                    yield Item("provider", name, version, file.label, node.line)
        sort = _BLOCKS.get(block.type)
        if sort is None or not block.labels:
            continue
        name = block.address if sort == "resource" else ".".join(block.labels)
        detail = ""
        if sort == "module":
            parts = [found.text for key in ("source", "version") if (found := block.get(key)) is not None]
            detail = " ".join(parts)
        elif sort in ("input", "output"):
            about = block.get("description")
            stated = _default(block) if sort == "input" else ""
            detail = ": ".join(filter(None, [stated, about.text if about is not None else ""]))
        yield Item(sort, name, detail, file.label, block.line)
        if sort == "input" and detail.startswith("default "):  # `what is the default of X`
            value, _, said = detail.partition(": ")
            yield Item("setting", name, value.removeprefix("default "), file.label, block.line, about=said)


def _default(block: hcl.Block) -> str:
    """Say whether an input variable has to be given, or what it is otherwise."""
    node = block.get("default")
    if node is None:
        return "required"
    held = [*node.map, *(item.text or "…" for item in node.items)]
    inside = f"{', '.join(held[:6])}{' …' if len(held) > 6 else ''}"
    match node.kind:
        case "map":
            return f"default {{{inside}}}"
        case "list":
            return f"default [{inside}]"
        case kind:
            return f"default {node.text or (kind if kind == 'null' else 'empty')}"


def _scripts(file: Source) -> Iterator[Item]:
    """Yield the scripts of a package.json, and the versions of Node and its package manager that it asks for."""
    if file.label.rpartition("/")[2] != "package.json":
        return
    try:
        found = tree_of(msgspec.json.decode(file.text))
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return
    manager, _, pinned = str(found.get("packageManager", "")).partition("@")
    engines = {name: str(version) for name, version in tree_of(found.get("engines")).items()}
    stated = [
        ("command", name, f"npm run {name}", str(command)) for name, command in tree_of(found.get("scripts")).items()
    ]
    stated += [("runtime", name, name, version) for name, version in engines.items()]
    stated += [("runtime", "packageManager", manager, pinned.partition("+")[0])] if pinned else []
    for sort, key, name, detail in stated:
        line = file.text.count("\n", 0, max(0, file.text.find(f'"{key}"'))) + 1
        yield Item(sort, name, detail, file.label, line)


CHANGES = 6
"""Statements of a migration that are told."""
_CHANGES = re.compile(
    r"(?i)\b(?:create|alter|drop|rename)\s+(?:unique\s+)?(?:table|index|view|type|column)\s+(?:if\s+(?:not\s+)?exists\s+)?[\w.\"`]+"
    r"(?:\s+(?:add|drop|rename|alter)\s+(?:column\s+)?[\w.\"`]+)?"
    r"|\b(?:CreateModel|DeleteModel|AddField|RemoveField|AlterField|RenameField|AddIndex|RemoveIndex|AddConstraint)\("
    r"\s*(?:model_name\s*=\s*)?[\"']\w+[\"'](?:,\s*name\s*=\s*[\"']\w+[\"'])?"
    r"|\b(?:create_table|drop_table|add_column|remove_column|rename_column|add_index)\b\(?\s*[:\"']\w+(?:[\"']?,\s*[:\"']\w+)?"
)


def _migrations(file: Source) -> Iterator[Item]:
    """Yield the file as a migration, by its place and its numbered name."""
    match = _MIGRATION.search(file.label)
    if match is not None:
        folder, _, name = file.label.rpartition("/")
        name = f"{folder.rpartition('/')[2]}/{name}" if name.startswith("migration.") else name
        changes = dict.fromkeys(" ".join(match[0].split()).replace('"', "") for match in _CHANGES.finditer(file.text))
        yield Item("migration", name, "; ".join(list(changes)[:CHANGES]), file.label, 1)


def _addresses(file: Source) -> Iterator[Item]:
    """Yield the hosts that code and settings have addresses of; documents link anywhere."""
    if file.rehearsal or ASIDE.search(file.label) or not (file.format in MASKS or file.format in FORMATS):
        return
    text = file.text
    if file.format in MASKS:
        text = views(file.format, file.data).full.decode("utf-8", "replace")
    seen: set[str] = set()
    for match in _ADDRESS.finditer(text):
        if match["host"] not in seen and not _NOBODY.search(match["host"]):
            seen.add(match["host"])
            line = text.count("\n", 0, match.start()) + 1
            yield Item("address", match["host"], "", file.label, line)


def _locales(file: Source) -> Iterator[Item]:
    """Yield the language that a file of translations is for, by where it lies."""
    if (match := _LOCALE.search(file.label)) is not None:
        yield Item("locale", match["name"], "", file.label, 1)


def _definitions(file: Source) -> Iterator[Item]:
    if file.format in MASKS:
        for definition in outline(file.format, file.text).definitions:
            sort = "class" if definition.kind in ("class", "interface", "struct", "enum", "trait") else "function"
            yield Item(sort, definition.name, definition.doc[:120], file.label, definition.line)


def _delimited(file: Source) -> Iterator[Item]:
    if file.format in ("csv", "tsv"):
        lines = file.text.split("\n", _SAMPLED)[:_SAMPLED]
        header = next(csv.reader(lines, delimiter=delimiter(lines)), [])
        columns = f"{plural(len(header), 'column')}: {', '.join(column.strip() for column in header)}"
        rows = f"{'over ' if file.truncated else ''}{plural(max(0, file.lines - 1), 'row')}"
        yield Item("table", file.label, f"{rows}, {columns}", file.label, 1)


_READERS: tuple[tuple[frozenset[str], Callable[[Source], Iterator[Item]]], ...] = tuple(
    (frozenset(sorts.split()), reader)
    for sorts, reader in (
        ("endpoint", _endpoints), ("package image action store runtime", _packages), ("store", _configured_stores),
        ("service workload play role host job", _declared),
        ("resource input output module provider setting", _terraform),
        ("command runtime", _scripts), ("setting", values), ("class function", _definitions),
        ("document", documents), ("table", _delimited), ("link", links), ("host", hosts), ("table", models),
        ("release", releases), ("migration", _migrations), ("address", _addresses), ("locale", _locales),
        ("command", subcommands),
    )
)  # fmt: skip


def sort_of(name: str) -> Any:
    """Return the row of a sort."""
    return TABLES["sort"][name]
