"""JavaScript: package.json and the lock files of npm, yarn and pnpm."""

from __future__ import annotations

import re

from plantwin.private.capabilities.audit_dependencies.manifest import (
    MOST_PACKAGES,
    Lines,
    Manifest,
    Package,
    Runtime,
    load_json,
    mapping,
)

_GROUPS = (("dependencies", False), ("optionalDependencies", False), ("devDependencies", True))
_LOCAL = ("file:", "link:", "portal:", "workspace:", "./", "../", "catalog:", "patch:")
_GIT = re.compile(r"(?:git(?:\+\w+)?:|git@|github:|gitlab:|bitbucket:|gist:)|^[\w-]+/[\w.-]+(?:#.*)?$")
_REGISTRY = re.compile(r"https://registry\.[\w.-]+/")
_DOWNLOADS = re.compile(r"\b(?:curl|wget|node -e|eval|base64)\b")
_YARN = re.compile(r"^(?P<keys>\"?@?[^\s#:][^\n]{0,2000}?):\n(?P<body>(?:[ \t]+[^\n]*\n?)+)", re.MULTILINE)


def _source(wanted: str) -> tuple[str, bool]:
    """Return where a package comes from, and whether a commit pins it."""
    if wanted.startswith(_LOCAL):
        return "path", True
    if wanted.startswith("http:"):
        return "http", False
    if _GIT.match(wanted) or wanted.endswith(".git") or ".git#" in wanted:
        return "git", re.search(r"#(?!semver)[0-9a-f]{7,40}$", wanted) is not None
    return ("url" if wanted.startswith("https:") else "registry"), False


def package_json(path: str, text: str) -> Manifest:
    """Read package.json."""
    tree, parsed = load_json(text)
    lines = Lines(text)
    library = tree.get("private") is not True and ("main" in tree or "exports" in tree)
    license_ = str(tree.get("license", ""))[:60]
    manifest = Manifest(path=path, ecosystem="npm", parsed=parsed, library=library, license=license_)
    for group, dev in _GROUPS:
        for name, given in mapping(tree, group).items():
            package = Package(name=name, version=str(given), line=lines.first(f'"{name}"'), dev=dev)
            if alias := re.match(r"npm:(@?[^@]+)@(.*)", package.version):
                package.name, package.version, package.conditional = alias[1], alias[2], True
            else:
                package.source, package.fixed = _source(package.version)
            manifest.packages.append(package)
    node = mapping(tree, "engines").get("node")
    if node:
        manifest.runtimes.append(Runtime("nodejs", str(node), lines.first('"node"')))
    for name in ("preinstall", "install", "postinstall"):
        if _DOWNLOADS.search(str(mapping(tree, "scripts").get(name, ""))):
            manifest.problems.append((lines.first(f'"{name}"'), "DEP-INSTALL-SCRIPT"))
    return manifest


def package_lock(path: str, text: str) -> Manifest:
    """Read package-lock.json and npm-shrinkwrap.json, all three versions."""
    tree, parsed = load_json(text)
    lines = Lines(text)
    manifest = Manifest(path=path, ecosystem="npm", kind="lock", parsed=parsed)
    for key, given in mapping(tree, "packages").items():
        body = mapping(given)
        if "node_modules/" in key and not body.get("link"):
            manifest.packages.append(_locked(key.rpartition("node_modules/")[2], body, lines.after(f'"{key}"')))
    nested = [mapping(tree, "dependencies")] if not manifest.packages else []
    while nested and len(manifest.packages) < MOST_PACKAGES:
        for name, given in nested.pop().items():
            body = mapping(given)
            manifest.packages.append(_locked(name, body, lines.after(f'"{name}"')))
            nested.append(mapping(body, "dependencies"))
    return manifest


def _locked(name: str, body: dict[str, object], line: int) -> Package:
    resolved = str(body.get("resolved", ""))
    source = "registry"
    if resolved.startswith("git"):
        source = "git"
    elif resolved.startswith("http:"):
        source = "http"
    elif resolved.startswith("file:"):
        source = "path"
    elif resolved and not _REGISTRY.match(resolved):
        source = "other"
    license_ = body.get("license")
    return Package(
        name=name,
        version=str(body.get("version", "")),
        line=line,
        source=source,
        fixed=True,
        dev=bool(body.get("dev")),
        hashed=source in ("git", "path") or any(body.get(key) for key in ("integrity", "bundled", "inBundle")),
        license=license_ if isinstance(license_, str) else "",
    )


def yarn_lock(path: str, text: str) -> Manifest:
    """Read yarn.lock, of either generation."""
    manifest = Manifest(path=path, ecosystem="npm", kind="lock")
    lines = Lines(text)
    for match in _YARN.finditer(text):
        line = lines.at(match.start())
        first = match["keys"].split(",")[0].strip().strip('"')
        name = first[: first.find("@", 1)] if "@" in first[1:] else first
        if name.startswith("__"):
            continue
        body = match["body"]
        version = re.search(r"^\s+version:?\s+\"?([^\"\n]+)", body, re.MULTILINE)
        resolved = re.search(r"^\s+(?:resolved|resolution):?\s+\"?([^\"\n]+)", body, re.MULTILINE)
        address = resolved[1] if resolved else ""
        source = "http" if address.startswith("http:") else "git" if ".git" in address else "registry"
        if "@workspace:" in address or "@link:" in address:
            source = "path"
        checksum = re.search(r"^\s+(?:integrity|checksum):?\s", body, re.MULTILINE)
        manifest.packages.append(
            Package(
                name=name,
                version=version[1].strip() if version else "",
                line=line,
                source=source,
                fixed=True,
                hashed=checksum is not None or "#" in address or source != "registry",
            )
        )
        if len(manifest.packages) >= MOST_PACKAGES:
            break
    manifest.parsed = bool(manifest.packages) or not text.strip() or text.lstrip().startswith("#")
    return manifest


def pnpm_lock(path: str, text: str) -> Manifest:
    """Read pnpm-lock.yaml."""
    from plantwin.private.formats import yaml as yaml_format

    documents, parsed = yaml_format.load(text)
    lines = Lines(text)
    manifest = Manifest(path=path, ecosystem="npm", kind="lock", parsed=parsed)
    for key, given in mapping(documents[0] if documents else None, "packages").items():
        bare = str(key).lstrip("/").partition("(")[0]
        name, _, version = bare.rpartition("@") if "@" in bare[1:] else bare.rpartition("/")
        resolution = mapping(given, "resolution")
        manifest.packages.append(
            Package(
                name=name,
                version=version.partition("_")[0],
                line=lines.after(str(key)),
                source="git" if resolution.get("type") == "git" else "url" if "tarball" in resolution else "registry",
                fixed=True,
                dev=bool(mapping(given).get("dev")),
                hashed="integrity" in resolution,
            )
        )
    return manifest
