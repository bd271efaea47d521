"""Python: requirements, pyproject, Pipfile, setup.cfg, and their lock files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plantwin.private.capabilities.audit_dependencies.manifest import (
    MOST_PACKAGES,
    Lines,
    Manifest,
    Package,
    Runtime,
    load_json,
    load_toml,
    mapping,
    mappings,
    numbered,
    strings,
    table_package,
)

_NAME = re.compile(r"\s*([A-Za-z0-9][\w.-]{0,99})\s*(?:\[[^\]]{0,200}\])?\s*(.{0,300})")
_DIRECT = re.compile(
    r"(?:([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*@\s*)?((?:git\+|hg\+|svn\+)?(?:https?|ssh|git|file)[+:]\S+)"
)
_DEV_FILE = re.compile(
    r"(?:^|[/._-])(?:dev|tests?|testing|lint|docs?|ci|local|development|examples?|samples?)(?=[/._-])", re.IGNORECASE
)
_COMMIT = re.compile(r"@[0-9a-f]{7,40}(?:[#\s]|$)")
_HTTP_INDEX = re.compile(r"(?:-i|--index-url|--extra-index-url|-f|--find-links)[\s=]+http:")


def requirement(text: str, line: int, *, dev: bool = False, hashed: bool | None = None) -> Package | None:
    """Read one requirement as pip writes it."""
    text = text.partition(" #")[0].strip()
    if direct := _DIRECT.match(text):
        return _direct(direct[1] or "", direct[2], line, dev, hashed)
    if re.match(r"\.{0,2}/|[A-Za-z]:\\", text) or text.endswith((".whl", ".tar.gz")):
        name = text.rpartition("/")[2]
        return Package(name=name, version=text, line=line, source="path", fixed=True, dev=dev, hashed=hashed)
    match = _NAME.match(text)
    if match is None:
        return None
    version, condition, _ = match[2].partition(";")
    version = version.strip().strip("()").strip()
    return Package(name=match[1], version=version, line=line, dev=dev, hashed=hashed, conditional=bool(condition))


def _direct(name: str, address: str, line: int, dev: bool, hashed: bool | None) -> Package:
    """Read a requirement that names an address."""
    in_address = re.search(r"egg=([\w.-]+)", address) or re.search(r"/([\w.-]+?)(?:\.git)?(?:[@#]|$)", address)
    name = name or (in_address[1] if in_address else "?")
    if address.startswith(("git+", "hg+", "svn+", "git:", "ssh:")):
        source, fixed = "git", _COMMIT.search(address) is not None
    else:
        source = "path" if address.startswith("file") else "http" if address.startswith("http:") else "url"
        fixed = "#sha256=" in address or bool(hashed)
    return Package(name=name, version=address, line=line, source=source, fixed=fixed, dev=dev, hashed=hashed)


def requirements(path: str, text: str) -> Manifest:
    """Read a list for pip."""
    manifest = Manifest(path=path, ecosystem="pypi")
    dev = _DEV_FILE.search(path) is not None
    for number, body in _joined_lines(text):
        if body.startswith("-") and not body.startswith(("-e", "--editable")):
            manifest.problems += [(number, rule) for rule in _option_problems(body)]
            continue
        body, hashes, _ = re.sub(r"^(?:-e|--editable)[\s=]+", "", body).partition("--hash")
        package = requirement(body, number, dev=dev, hashed=bool(hashes))
        if package is not None:
            manifest.packages.append(package)
    if not any(package.hashed for package in manifest.packages):
        # Hashes are asked for only where a list has some: then all must have one.
        for package in manifest.packages:
            package.hashed = None
    elif all(package.hashed for package in manifest.packages):
        manifest.kind = "lock"
    return manifest


def _joined_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield lines with their continuations, without comments."""
    joined, start = "", 0
    for number, row in numbered(text, 4000):
        if not joined:
            start = number
        joined = f"{joined} {row.strip()}".strip()
        if joined.endswith("\\") and len(joined) < 20_000:
            joined = joined[:-1].rstrip()
            continue
        if joined and not joined.startswith("#"):
            yield start, joined
        joined = ""


def _option_problems(option: str) -> Iterator[str]:
    if re.match(r"--extra-index-url\b", option):
        yield "DEP-EXTRA-INDEX"
    if _HTTP_INDEX.match(option):
        yield "DEP-HTTP-INDEX"
    if option.startswith("--trusted-host"):
        yield "DEP-TRUSTED-HOST"


def pyproject(path: str, text: str) -> Manifest:
    """Read pyproject.toml: PEP 621, dependency groups, Poetry, PDM, uv, and what the build needs."""
    tree, parsed = load_toml(text)
    lines = Lines(text)
    project, poetry = mapping(tree, "project"), mapping(tree, "tool", "poetry")
    manifest = Manifest(path=path, ecosystem="pypi", parsed=parsed, library="build-system" in tree)
    groups: list[tuple[object, bool]] = [(project.get("dependencies"), False)]
    groups += [(group, True) for group in mapping(project, "optional-dependencies").values()]
    groups += [(group, True) for group in mapping(tree, "dependency-groups").values()]
    groups.append((mapping(tree, "build-system").get("requires"), True))
    for group, dev in groups:
        for given in strings(group):
            package = requirement(given, lines.after(given[:80]), dev=dev)
            manifest.packages += [package] if package is not None else []
    wanted = project.get("requires-python")
    if isinstance(wanted, str):
        manifest.runtimes.append(Runtime("python", wanted, lines.after("requires-python")))
    tables = [(mapping(poetry, "dependencies"), False), (mapping(poetry, "dev-dependencies"), True)]
    for name, poetry_group in mapping(poetry, "group").items():
        tables.append((mapping(poetry_group, "dependencies"), name != "main"))
    for table, dev in tables:
        for name, stated in table.items():
            if name == "python":
                manifest.runtimes.append(Runtime("python", str(stated), lines.after("python")))
            else:
                manifest.packages.append(table_package(name, stated, lines, dev=dev))
    license_ = project.get("license") or poetry.get("license") or ""
    manifest.license = str(license_.get("text", "") if isinstance(license_, dict) else license_)[:60]
    return manifest


def pipfile(path: str, text: str) -> Manifest:
    """Read Pipfile."""
    tree, parsed = load_toml(text)
    lines = Lines(text)
    manifest = Manifest(path=path, ecosystem="pypi", parsed=parsed)
    for key, dev in (("packages", False), ("dev-packages", True)):
        for name, given in mapping(tree, key).items():
            manifest.packages.append(table_package(name, given, lines, dev=dev))
    for source in mappings(tree.get("source")):
        if str(source.get("url")).startswith("http:") or source.get("verify_ssl") is False:
            manifest.problems.append((lines.after("url"), "DEP-HTTP-INDEX"))
    wanted = mapping(tree, "requires").get("python_version")
    if wanted:
        manifest.runtimes.append(Runtime("python", str(wanted), lines.after("python_version")))
    return manifest


def pipfile_lock(path: str, text: str) -> Manifest:
    """Read Pipfile.lock."""
    tree, parsed = load_json(text)
    lines = Lines(text)
    manifest = Manifest(path=path, ecosystem="pypi", kind="lock", parsed=parsed)
    for group in ("default", "develop"):
        for name, given in mapping(tree, group).items():
            body = mapping(given)
            source = "git" if "git" in body else "path" if "path" in body else "url" if "file" in body else "registry"
            manifest.packages.append(
                Package(
                    name=name,
                    version=str(body.get("version", "")).lstrip("="),
                    line=lines.after(f'"{name}"'),
                    source=source,
                    fixed=bool(body.get("ref")),
                    dev=group == "develop",
                    hashed=bool(body.get("hashes")) or source != "registry",
                )
            )
    return manifest


def toml_lock(path: str, text: str) -> Manifest:
    """Read poetry.lock, uv.lock, pdm.lock."""
    tree, parsed = load_toml(text)
    lines = Lines(text)
    manifest = Manifest(path=path, ecosystem="pypi", kind="lock", parsed=parsed)
    files = mapping(tree, "metadata", "files")
    for body in mappings(tree.get("package"))[:MOST_PACKAGES]:
        name = str(body.get("name", ""))
        source = _lock_source(mapping(body, "source"))
        hashes = any(body.get(key) for key in ("files", "wheels", "sdist")) or bool(files.get(name))
        manifest.packages.append(
            Package(
                name=name,
                version=str(body.get("version", "")),
                line=lines.after(f'name = "{name}"'),
                source=source,
                fixed=True,
                dev=body.get("category") == "dev",
                hashed=hashes or source != "registry",
            )
        )
    wanted = tree.get("requires-python") or mapping(tree, "metadata").get("python-versions")
    if wanted and wanted != "*":
        manifest.runtimes.append(Runtime("python", str(wanted), lines.first("python")))
    return manifest


def _lock_source(source: dict[str, object]) -> str:
    type_ = source.get("type")
    if type_ == "git" or "git" in source:
        return "git"
    if type_ in ("directory", "file") or source.keys() & {"editable", "directory", "path", "virtual"}:
        return "path"
    return "url" if type_ == "url" or ("url" in source and type_ is None) else "registry"


def setup_cfg(path: str, text: str) -> Manifest:
    """Read setup.cfg."""
    manifest = Manifest(path=path, ecosystem="pypi", library=True)
    section, key = "", ""
    for number, row in numbered(text):
        head = re.match(r"\[([^\]]+)\]", row)
        if head:
            section, key = head[1], ""
            continue
        value = row.strip()
        if pair := re.match(r"([\w-]+)\s*=\s*(.*)", row):
            key, value = pair[1], pair[2].strip()
            if section == "options" and key == "python_requires":
                manifest.runtimes.append(Runtime("python", value, number))
        listed = (section == "options" and key in ("install_requires", "setup_requires", "tests_require")) or (
            section == "options.extras_require" and key
        )
        if listed and value and not value.startswith("#"):
            package = requirement(value, number, dev=key != "install_requires")
            manifest.packages += [package] if package is not None else []
    return manifest
