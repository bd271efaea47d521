"""Images that containers are built from, actions that workflows use, and files that name a runtime."""

from __future__ import annotations

import re

from plantwin.private.capabilities.audit_dependencies.manifest import Manifest, Package, Runtime, numbered
from plantwin.private.formats.values import words

_FROM = re.compile(r"\s{0,20}FROM\s+(?:--platform=\S+\s+)?(\S{1,300})(?:\s+AS\s+(\S+))?", re.IGNORECASE)
_COPY = re.compile(r"\s{0,20}COPY\s+.{0,200}?--from=(\S{1,200})", re.IGNORECASE)
_IMAGE = re.compile(r"\s{0,40}-?\s{0,4}image:\s*[\"']?([^\s\"'#]{1,300})")
_USES = re.compile(r"\s{0,40}-?\s{0,8}uses:\s*[\"']?([^\s\"'#]{1,300})")
_SET_UP = re.compile(r"\s{0,40}(python|node|ruby|go|java|php|dotnet)-version:\s*(.{1,200})")
_RUNS_ON = re.compile(r"\s{0,40}runs-on:\s*[\"']?ubuntu-(\d\d\.\d\d)")
_BASE = re.compile(r"-(?:alpine(3\.\d+)|(stretch|jessie|buster|bullseye|bookworm))")
_PRODUCTS = {
    "node": "nodejs",
    "golang": "go",
    "openjdk": "java",
    "eclipse-temurin": "java",
    "amazoncorretto": "java",
    "adoptopenjdk": "java",
    "postgres": "postgresql",
    "mongo": "mongodb",
}
"""Images and tools that are called otherwise than the product."""
_RUNTIME_IMAGES = words("python ruby php debian ubuntu alpine centos mysql redis mariadb nginx") | _PRODUCTS.keys()
_VERSION_FILES = {
    ".python-version": "python",
    ".nvmrc": "nodejs",
    ".node-version": "nodejs",
    ".ruby-version": "ruby",
    ".java-version": "java",
}


def _add_image(manifest: Manifest, text: str, line: int) -> None:
    """Add an image and the runtimes that its tag names."""
    bare, _, digest = text.partition("@")
    name, tag = bare.rsplit(":", 1) if ":" in bare.rsplit("/", 1)[-1] else (bare, "")
    pinned = bool(digest)
    manifest.packages.append(Package(name=name, version=tag, line=line, fixed=pinned, hashed=pinned))
    image = name.rsplit("/", 1)[-1]
    if image in _RUNTIME_IMAGES and tag[:1].isdigit():
        manifest.runtimes.append(Runtime(_PRODUCTS.get(image, image), tag, line))
    if base := _BASE.search(tag):
        manifest.runtimes.append(Runtime("alpine" if base[1] else "debian", base[1] or base[2], line))
    if image in ("debian", "ubuntu") and tag[:1].isalpha() and tag not in ("latest", "stable", "slim", "rolling"):
        manifest.runtimes.append(Runtime(image, tag.partition("-")[0], line))


def dockerfile(path: str, text: str) -> Manifest:
    """Read the images of FROM, apart from earlier stages; arguments with a default are filled in."""
    manifest = Manifest(path=path, ecosystem="images", kind="image")
    stages = {"scratch"}
    arguments = dict(re.findall(r"(?im)^\s*ARG\s+(\w{1,80})=[\"']?([^\s\"']{1,200})", text[: 1 << 20]))

    def filled(variable: re.Match[str]) -> str:
        return str(arguments.get(variable[1], variable[2] or variable[0]))

    for number, row in numbered(text, 600):
        match = _FROM.match(row) or _COPY.match(row)
        if match is None:
            continue
        image = match[1]
        for _ in range(3):
            image = re.sub(r"\$\{?(\w+)(?::-([^}]*))?\}?", filled, image)
        if match.re is _FROM and match[2]:
            stages.add(match[2].lower())
        if image.lower() not in stages and not image.isdigit() and "$" not in image:
            _add_image(manifest, image, number)
    return manifest


def compose(path: str, text: str) -> Manifest:
    """Read the images that a compose file or a manifest of a cluster names."""
    manifest = Manifest(path=path, ecosystem="images", kind="image")
    for number, row in numbered(text, 600):
        match = _IMAGE.match(row)
        if match and "$" not in match[1] and "{" not in match[1]:
            _add_image(manifest, match[1], number)
    return manifest


def workflow(path: str, text: str) -> Manifest:
    """Read the actions and runtimes of a workflow."""
    manifest = Manifest(path=path, ecosystem="actions", kind="workflow")
    for number, row in numbered(text, 600):
        if match := _USES.match(row):
            name, _, ref = match[1].partition("@")
            if name.startswith("docker://"):
                image = Manifest(path=path, ecosystem="images")
                _add_image(image, match[1].removeprefix("docker://"), number)
                manifest.packages += image.packages
            elif not name.startswith("."):
                if "/.github/workflows/" not in name:
                    name = "/".join(name.split("/")[:2])
                commit = re.fullmatch(r"[0-9a-f]{40}", ref) is not None
                manifest.packages.append(Package(name=name, version=ref, line=number, fixed=commit, hashed=commit))
        elif (match := _SET_UP.match(row)) and "$" not in match[2]:
            product = _PRODUCTS.get(match[1], match[1])
            versions = re.findall(r"\d[\w.]*", match[2].partition("#")[0])
            manifest.runtimes += [Runtime(product, version, number) for version in versions]
        elif match := _RUNS_ON.match(row):
            manifest.runtimes.append(Runtime("ubuntu", match[1], number))
    return manifest


def version_file(path: str, text: str) -> Manifest:
    """Read .python-version, .nvmrc, .ruby-version, .tool-versions, runtime.txt."""
    manifest = Manifest(path=path, ecosystem="runtimes")
    file = path.rpartition("/")[2]
    for number, row in list(numbered(text, 200))[:200]:
        parts = row.strip().split()
        if not parts or parts[0].startswith("#"):
            continue
        if file == ".tool-versions":
            product, version = parts[0], parts[-1]
        elif file == "runtime.txt":
            product, _, version = parts[0].partition("-")
        else:
            product, version = _VERSION_FILES.get(file, ""), parts[0].removeprefix("ruby-")
        version = version.lstrip("v")
        if product and version[:1].isdigit():
            manifest.runtimes.append(Runtime(_PRODUCTS.get(product, product), version, number))
    return manifest
