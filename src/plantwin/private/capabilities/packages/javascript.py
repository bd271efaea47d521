"""JavaScript: package.json and the lock files of npm, yarn and pnpm."""

from __future__ import annotations

import re

from plantwin.private.capabilities.packages.entry import MOST, Listing, Runtime, Wanted
from plantwin.private.capabilities.packages.places import Places
from plantwin.private.extract.formats import json_loader

_GROUPS = (
    ("dependencies", False),
    ("optionalDependencies", False),
    ("devDependencies", True),
)
_GIT = re.compile(r"(?:git(?:\+\w+)?:|git@|github:|gitlab:|bitbucket:|gist:)|^[\w-]+/[\w.-]+(?:#.*)?$")
_YARN = re.compile(r"^(?P<keys>\"?@?[^\s#:][^\n]{0,2000}?):\n(?P<body>(?:[ \t]+[^\n]*\n?)+)", re.MULTILINE)


def _where(wanted: str) -> tuple[str, bool]:
    """Where a package comes from, and whether a commit pins it."""
    if wanted.startswith(("file:", "link:", "portal:", "workspace:", "./", "../", "catalog:", "patch:")):
        return "path", True
    if wanted.startswith("http:"):
        return "http", False
    if _GIT.match(wanted) or wanted.endswith(".git") or ".git#" in wanted:
        return "git", re.search(r"#(?!semver)[0-9a-f]{7,40}$", wanted) is not None
    if wanted.startswith("https:"):
        return "url", False
    return "registry", False


def package_json(label: str, path: str, text: str) -> Listing:
    """package.json."""
    tree, sound = json_loader.load(text, True)
    held = _dict(tree)
    places = Places(text)
    found = []
    for group, dev in _GROUPS:
        for name, wanted in _dict(held.get(group)).items():
            shown = str(wanted)
            alias = re.match(r"npm:(@?[^@]+)@(.*)", shown)
            source, fixed = _where(shown) if alias is None else ("registry", False)
            found.append(
                Wanted(
                    alias[1] if alias else name,
                    alias[2] if alias else shown,
                    places.first(f'"{name}"'),
                    source,
                    fixed,
                    dev,
                    marked=alias is not None,
                )
            )
    node = _dict(held.get("engines")).get("node")
    runtimes = [Runtime("nodejs", str(node), places.first('"node"'))] if node else []
    odd = [
        (places.first(f'"{name}"'), "install_script")
        for name in ("preinstall", "install", "postinstall")
        if re.search(r"\b(?:curl|wget|node -e|eval|base64)\b", str(_dict(held.get("scripts")).get(name, "")))
    ]
    return Listing(
        label,
        path,
        "npm",
        "manifest",
        found[:MOST],
        runtimes,
        sound and isinstance(tree, dict),
        odd,
        library=held.get("private") is not True and ("main" in held or "exports" in held),
        license=str(held.get("license", ""))[:60],
    )


def package_lock(label: str, path: str, text: str) -> Listing:
    """package-lock.json and npm-shrinkwrap.json, all three versions."""
    tree, sound = json_loader.load(text, True)
    held = _dict(tree)
    places = Places(text)
    found: list[Wanted] = []
    for key, body in _dict(held.get("packages")).items():
        each = _dict(body)
        if not key or each.get("link") or "node_modules/" not in key:
            continue
        found.append(_locked(key.rpartition("node_modules/")[2], each, places.after(f'"{key}"')))
        if len(found) >= MOST:
            break
    if not found:
        stack = [("", _dict(held.get("dependencies")))]
        while stack and len(found) < MOST:
            _, packages = stack.pop()
            for name, body in packages.items():
                each = _dict(body)
                found.append(_locked(name, each, places.after(f'"{name}"')))
                if _dict(each.get("dependencies")):
                    stack.append((name, _dict(each["dependencies"])))
    return Listing(label, path, "npm", "lock", found, sound=sound and isinstance(tree, dict))


def _locked(name: str, body: dict[str, object], line: int) -> Wanted:
    resolved = str(body.get("resolved", ""))
    source = "registry"
    if resolved.startswith("git"):
        source = "git"
    elif resolved.startswith("http:"):
        source = "http"
    elif resolved.startswith("file:"):
        source = "path"
    elif resolved and not re.match(r"https://registry\.[\w.-]+/", resolved):
        source = "other"
    hashed = (
        bool(body.get("integrity")) or source in ("git", "path") or bool(body.get("bundled") or body.get("inBundle"))
    )
    license_ = body.get("license")
    return Wanted(
        name,
        str(body.get("version", "")),
        line,
        source,
        True,
        bool(body.get("dev")),
        hashed,
        license_ if isinstance(license_, str) else "",
    )


def yarn_lock(label: str, path: str, text: str) -> Listing:
    """yarn.lock, of either generation."""
    found = []
    line, at = 1, 0
    for match in _YARN.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        first = match["keys"].split(",")[0].strip().strip('"')
        name = first[: first.find("@", 1)] if "@" in first[1:] else first
        if name.startswith("__"):
            continue
        body = match["body"]
        held = re.search(r"^\s+version:?\s+\"?([^\"\n]+)", body, re.MULTILINE)
        resolved = re.search(r"^\s+(?:resolved|resolution):?\s+\"?([^\"\n]+)", body, re.MULTILINE)
        address = resolved[1] if resolved else ""
        source = "http" if address.startswith("http:") else "git" if ".git" in address else "registry"
        if "@workspace:" in address or "@link:" in address:
            source = "path"
        hashed = (
            bool(re.search(r"^\s+(?:integrity|checksum):?\s", body, re.MULTILINE))
            or "#" in address
            or source != "registry"
        )
        found.append(Wanted(name, held[1].strip() if held else "", line, source, True, False, hashed))
        if len(found) >= MOST:
            break
    return Listing(
        label, path, "npm", "lock", found, sound=bool(found) or not text.strip() or text.lstrip().startswith("#")
    )


def pnpm_lock(label: str, path: str, text: str) -> Listing:
    """pnpm-lock.yaml."""
    from plantwin.private.extract.formats import yaml_loader

    documents, sound = yaml_loader.load(text)
    held = _dict(documents[0]) if documents else {}
    places = Places(text)
    found = []
    for key, body in _dict(held.get("packages")).items():
        each = _dict(body)
        bare = str(key).lstrip("/").partition("(")[0]
        name, _, number = bare.rpartition("@") if "@" in bare[1:] else bare.rpartition("/")
        resolution = _dict(each.get("resolution"))
        source = "git" if resolution.get("type") == "git" else "url" if "tarball" in resolution else "registry"
        found.append(
            Wanted(
                name,
                number.partition("_")[0],
                places.after(str(key)),
                source,
                True,
                bool(each.get("dev")),
                "integrity" in resolution,
            )
        )
        if len(found) >= MOST:
            break
    return Listing(label, path, "npm", "lock", found, sound=sound)


def _dict(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}
