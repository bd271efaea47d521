"""Python: requirements, pyproject, Pipfile, setup.cfg, and their lock files."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

from plantwin.private.capabilities.packages.entry import MOST, Listing, Runtime, Wanted
from plantwin.private.capabilities.packages.places import Places
from plantwin.private.extract.formats import json_loader

_NAME = re.compile(r"\s*([A-Za-z0-9][\w.-]{0,99})\s*(?:\[[^\]]{0,200}\])?\s*(.{0,300})")
_DEV_FILE = re.compile(
    r"(?:^|[/._-])(?:dev|tests?|testing|lint|docs?|ci|local|development|examples?|samples?)(?=[/._-])", re.IGNORECASE
)
_COMMIT = re.compile(r"@[0-9a-f]{7,40}(?:[#\s]|$)")


def requirement(text: str, line: int, *, dev: bool = False, hashed: bool | None = None) -> Wanted | None:
    """One requirement as pip writes it."""
    text = text.partition(" #")[0].strip()
    direct = re.match(
        r"(?:([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*@\s*)?((?:git\+|hg\+|svn\+)?(?:https?|ssh|git|file)[+:]\S+)", text
    )
    if direct:
        address = direct[2]
        name = (
            direct[1]
            or (
                re.search(r"egg=([\w.-]+)", address)
                or re.search(r"/([\w.-]+?)(?:\.git)?(?:[@#]|$)", address)
                or [0, "?"]
            )[1]
        )
        if address.startswith(("git+", "hg+", "svn+", "git:", "ssh:")):
            return Wanted(str(name), address, line, "git", _COMMIT.search(address) is not None, dev, hashed)
        source = "path" if address.startswith("file") else "http" if address.startswith("http:") else "url"
        return Wanted(str(name), address, line, source, "#sha256=" in address or bool(hashed), dev, hashed)
    if re.match(r"\.{0,2}/|[A-Za-z]:\\", text) or text.endswith((".whl", ".tar.gz")):
        return Wanted(text.rpartition("/")[2], text, line, "path", True, dev, hashed)
    match = _NAME.match(text)
    if match is None:
        return None
    wanted = match[2].partition(";")[0].strip().strip("()").strip()
    return Wanted(match[1], wanted, line, dev=dev, hashed=hashed, marked=";" in match[2])


def requirements(label: str, path: str, text: str) -> Listing:
    """A list for pip."""
    found: list[Wanted] = []
    odd: list[tuple[int, str]] = []
    dev = _DEV_FILE.search(path) is not None
    joined = ""
    start = 0
    for number, row in enumerate(text.split("\n")[:MOST], start=1):
        row = row[:4000]
        joined, start = (joined + " " + row.strip(), start) if joined else (row.strip(), number)
        if joined.endswith("\\"):
            joined = joined[:-1].rstrip()
            if len(joined) < 20_000:
                continue
        body, joined = joined, ""
        if not body or body.startswith("#"):
            continue
        if body.startswith("-") and not body.startswith(("-e", "--editable")):
            odd += [(start, word) for word in _option(body)]
            continue
        body = re.sub(r"^(?:-e|--editable)[\s=]+", "", body)
        hashed = "--hash=" in body
        each = requirement(body.partition("--hash")[0], start, dev=dev, hashed=hashed)
        if each is not None:
            found.append(each)
    # Hashes are asked for only where a list has some: then all must have one.
    if not any(each.hashed for each in found):
        found = [each._replace(hashed=None) for each in found]
    kind = "lock" if found and all(each.hashed for each in found) else "manifest"
    return Listing(label, path, "pypi", kind, found, remarks=odd)


def _option(body: str) -> Iterator[str]:
    if re.match(r"(?:--extra-index-url)\b", body):
        yield "extra_index"
    if re.match(r"(?:-i|--index-url|--extra-index-url|-f|--find-links)[\s=]+http:", body):
        yield "http_index"
    if body.startswith("--trusted-host"):
        yield "trusted_host"


def pyproject(label: str, path: str, text: str) -> Listing:
    """pyproject.toml: PEP 621, dependency groups, Poetry, PDM, uv, and what the build needs."""
    tree, sound = _toml(text)
    places = Places(text)
    found: list[Wanted] = []
    runtimes: list[Runtime] = []
    project = _dict(tree.get("project"))
    tool = _dict(tree.get("tool"))
    for each in _strings(project.get("dependencies")):
        found += _add(each, places)
    for group in (
        *_dict(project.get("optional-dependencies")).values(),
        *_dict(tree.get("dependency-groups")).values(),
    ):
        for each in _strings(group):
            found += _add(each, places, dev=True)
    for each in _strings(_dict(tree.get("build-system")).get("requires")):
        found += _add(each, places, dev=True)
    asked = project.get("requires-python")
    if isinstance(asked, str):
        runtimes.append(Runtime("python", asked, places.after("requires-python")))
    poetry = _dict(tool.get("poetry"))
    groups = [(poetry.get("dependencies"), False), (poetry.get("dev-dependencies"), True)]
    groups += [(_dict(each).get("dependencies"), name != "main") for name, each in _dict(poetry.get("group")).items()]
    for table, dev in groups:
        for name, wanted in _dict(table).items():
            if name == "python":
                runtimes.append(Runtime("python", str(wanted), places.after("python")))
            else:
                found.append(_table(name, wanted, places, dev))
    licensed = project.get("license") or poetry.get("license")
    licensed = licensed.get("text", "") if isinstance(licensed, dict) else licensed
    return Listing(
        label,
        path,
        "pypi",
        "manifest",
        found[:MOST],
        runtimes,
        sound,
        library="build-system" in tree,
        license=str(licensed or "")[:60],
    )


def _add(text: str, places: Places, *, dev: bool = False) -> list[Wanted]:
    each = requirement(text, places.after(text[:80]), dev=dev)
    return [each] if each is not None else []


def _table(name: str, wanted: object, places: Places, dev: bool) -> Wanted:
    """A dependency of Poetry, a Pipfile or a Cargo.toml: a version, or a table that says where from."""
    line = places.after(name)
    if isinstance(wanted, list):
        wanted = wanted[0] if wanted else ""
    if not isinstance(wanted, dict):
        return Wanted(name, str(wanted), line, dev=dev)
    if "git" in wanted:
        return Wanted(name, str(wanted["git"]), line, "git", bool(wanted.get("rev") or wanted.get("ref")), dev)
    if "path" in wanted or "file" in wanted or "workspace" in wanted:
        return Wanted(name, str(wanted.get("version", "")), line, "path", True, dev)
    if "url" in wanted:
        return Wanted(
            name, str(wanted["url"]), line, "http" if str(wanted["url"]).startswith("http:") else "url", False, dev
        )
    return Wanted(name, str(wanted.get("version", "")), line, dev=dev)


def pipfile(label: str, path: str, text: str) -> Listing:
    """Pipfile."""
    tree, sound = _toml(text)
    places = Places(text)
    found = [_table(name, wanted, places, False) for name, wanted in _dict(tree.get("packages")).items()]
    found += [_table(name, wanted, places, True) for name, wanted in _dict(tree.get("dev-packages")).items()]
    odd = []
    sources = tree.get("source")
    for each in sources if isinstance(sources, list) else []:
        if isinstance(each, dict) and (str(each.get("url")).startswith("http:") or each.get("verify_ssl") is False):
            odd.append((places.after("url"), "http_index"))
    asked = _dict(tree.get("requires")).get("python_version")
    runtimes = [Runtime("python", str(asked), places.after("python_version"))] if asked else []
    return Listing(label, path, "pypi", "manifest", found[:MOST], runtimes, sound, odd)


def pipfile_lock(label: str, path: str, text: str) -> Listing:
    """Pipfile.lock."""
    tree, sound = json_loader.load(text, True)
    places = Places(text)
    found = []
    for group in ("default", "develop"):
        for name, body in _dict(_dict(tree).get(group)).items():
            held = _dict(body)
            source = "git" if "git" in held else "path" if "path" in held else "url" if "file" in held else "registry"
            found.append(
                Wanted(
                    name,
                    str(held.get("version", "")).lstrip("="),
                    places.after(f'"{name}"'),
                    source,
                    bool(held.get("ref")),
                    group == "develop",
                    bool(held.get("hashes")) or source != "registry",
                )
            )
    return Listing(label, path, "pypi", "lock", found[:MOST], sound=sound)


def toml_lock(label: str, path: str, text: str) -> Listing:
    """poetry.lock, uv.lock, pdm.lock."""
    tree, sound = _toml(text)
    places = Places(text)
    packages = tree.get("package")
    files = _dict(_dict(tree.get("metadata")).get("files"))
    found = []
    for body in packages if isinstance(packages, list) else []:
        held = _dict(body)
        name = str(held.get("name", ""))
        where = _dict(held.get("source"))
        source = "registry"
        if where.get("type") == "git" or "git" in where:
            source = "git"
        elif where.get("type") in ("directory", "file") or where.keys() & {"editable", "directory", "path", "virtual"}:
            source = "path"
        elif where.get("type") == "url" or ("url" in where and where.get("type") is None):
            source = "url"
        hashed = (
            bool(held.get("files") or held.get("wheels") or held.get("sdist") or files.get(name))
            or source != "registry"
        )
        dev = held.get("category") == "dev"
        found.append(
            Wanted(name, str(held.get("version", "")), places.after(f'name = "{name}"'), source, True, dev, hashed)
        )
    asked = tree.get("requires-python") or _dict(tree.get("metadata")).get("python-versions")
    runtimes = [Runtime("python", str(asked), places.first("python"))] if asked and asked != "*" else []
    return Listing(label, path, "pypi", "lock", found[:MOST], runtimes, sound)


def setup_cfg(label: str, path: str, text: str) -> Listing:
    """setup.cfg."""
    found: list[Wanted] = []
    runtimes: list[Runtime] = []
    section, key = "", ""
    for number, row in enumerate(text.split("\n")[:MOST], start=1):
        row = row[:1000]
        head = re.match(r"\[([^\]]+)\]", row)
        if head:
            section, key = head[1], ""
            continue
        pair = re.match(r"([\w-]+)\s*=\s*(.*)", row)
        value = row.strip()
        if pair:
            key, value = pair[1], pair[2].strip()
            if section == "options" and key == "python_requires":
                runtimes.append(Runtime("python", value, number))
        wanted = (section == "options" and key in ("install_requires", "setup_requires", "tests_require")) or (
            section == "options.extras_require" and bool(key)
        )
        if wanted and value and not value.startswith("#"):
            each = requirement(value, number, dev=key != "install_requires")
            found += [each] if each is not None else []
    return Listing(label, path, "pypi", "manifest", found, runtimes, library=True)


def _toml(text: str) -> tuple[dict[str, object], bool]:
    try:
        return tomllib.loads(text), True
    except (ValueError, RecursionError):
        return {}, False


def _dict(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _strings(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
