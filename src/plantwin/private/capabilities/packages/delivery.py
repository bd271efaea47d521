"""Images that containers are built from, actions that workflows use, and files that name a runtime."""

from __future__ import annotations

import re

from plantwin.private.capabilities.packages.entry import MOST, Listing, Runtime, Wanted

_FROM = re.compile(r"\s{0,20}FROM\s+(?:--platform=\S+\s+)?(\S{1,300})(?:\s+AS\s+(\S+))?", re.IGNORECASE)
_COPY = re.compile(r"\s{0,20}COPY\s+.{0,200}?--from=(\S{1,200})", re.IGNORECASE)
_IMAGE = re.compile(r"\s{0,40}-?\s{0,4}image:\s*[\"']?([^\s\"'#]{1,300})")
_USES = re.compile(r"\s{0,40}-?\s{0,8}uses:\s*[\"']?([^\s\"'#]{1,300})")
_SET_UP = re.compile(r"\s{0,40}(python|node|ruby|go|java|php|dotnet)-version:\s*(.{1,200})")
_PRODUCTS = {"node": "nodejs", "golang": "go", "openjdk": "java", "eclipse-temurin": "java", "amazoncorretto": "java",
             "postgres": "postgresql", "mongo": "mongodb", "adoptopenjdk": "java"}  # fmt: skip
_KNOWN = frozenset(
    (
        "python",
        "node",
        "ruby",
        "golang",
        "php",
        "openjdk",
        "eclipse-temurin",
        "amazoncorretto",
        "debian",
        "ubuntu",
        "alpine",
        "centos",
        "postgres",
        "mysql",
        "redis",
        "mongo",
        "mariadb",
        "nginx",
        "adoptopenjdk",
    )
)


def _image(text: str, line: int) -> tuple[Wanted, list[Runtime]]:
    bare, _, digest = text.partition("@")
    name, colon, tag = bare.rpartition(":") if ":" in bare.rsplit("/", 1)[-1] else (bare, "", "")
    wanted = Wanted(name or bare, tag, line, "registry", bool(digest), False, bool(digest))
    product = (name or bare).rsplit("/", 1)[-1]
    runtimes = (
        [Runtime(_PRODUCTS.get(product, product), tag, line)]
        if colon and product in _KNOWN and tag[:1].isdigit()
        else []
    )
    based = re.search(r"-(stretch|jessie|buster|bullseye|bookworm|alpine3\.\d+)", tag)
    if based:
        word = based[1]
        runtimes.append(Runtime("alpine" if word.startswith("alpine") else "debian", word.removeprefix("alpine"), line))
    if product in ("debian", "ubuntu") and tag[:1].isalpha() and tag not in ("latest", "stable", "slim", "rolling"):
        runtimes.append(Runtime(product, tag.partition("-")[0], line))
    return wanted, runtimes


def dockerfile(label: str, path: str, text: str) -> Listing:
    """Dockerfile: the images of FROM, apart from earlier stages; arguments with a default are filled in."""
    found: list[Wanted] = []
    runtimes: list[Runtime] = []
    stages: set[str] = {"scratch"}
    arguments = dict(re.findall(r"(?im)^\s*ARG\s+(\w{1,80})=[\"']?([^\s\"']{1,200})", text[: 1 << 20]))
    for number, row in enumerate(text.split("\n")[:MOST], start=1):
        match = _FROM.match(row[:600])
        copied = _COPY.match(row[:600]) if match is None else None
        if match is None and copied is None:
            continue
        shown = (match or copied)[1]  # type: ignore[index]
        for _ in range(3):
            shown = re.sub(
                r"\$\{?(\w+)(?::-([^}]*))?\}?", lambda each: arguments.get(each[1], each[2] or each[0]), shown
            )
        if match is not None and match[2]:
            stages.add(match[2].lower())
        if shown.lower() in stages or shown.isdigit() or "$" in shown:
            continue
        each, asked = _image(shown, number)
        found.append(each)
        runtimes += asked
    return Listing(label, path, "images", "image", found, runtimes)


def compose(label: str, path: str, text: str) -> Listing:
    """Images that a compose file or a manifest of a cluster names."""
    found: list[Wanted] = []
    runtimes: list[Runtime] = []
    for number, row in enumerate(text.split("\n")[:MOST], start=1):
        match = _IMAGE.match(row[:600])
        if match and "$" not in match[1] and "{" not in match[1]:
            each, asked = _image(match[1], number)
            found.append(each)
            runtimes += asked
    return Listing(label, path, "images", "image", found, runtimes)


def workflow(label: str, path: str, text: str) -> Listing:
    """Actions and runtimes of a workflow."""
    found: list[Wanted] = []
    runtimes: list[Runtime] = []
    for number, row in enumerate(text.split("\n")[:MOST], start=1):
        match = _USES.match(row[:600])
        if match:
            shown = match[1]
            if shown.startswith("docker://"):
                found.append(_image(shown.removeprefix("docker://"), number)[0])
            elif not shown.startswith("."):
                name, _, ref = shown.partition("@")
                sha = re.fullmatch(r"[0-9a-f]{40}", ref) is not None
                found.append(Wanted("/".join(name.split("/")[:2]), ref, number, "registry", sha, False, sha))
            continue
        asked = _SET_UP.match(row[:400])
        if asked and "$" not in asked[2]:
            for held in re.findall(r"\d[\w.]*", asked[2].partition("#")[0]):
                runtimes.append(Runtime({"node": "nodejs"}.get(asked[1], asked[1]), held, number))
        runs = re.match(r"\s{0,40}runs-on:\s*[\"']?ubuntu-(\d\d\.\d\d)", row[:200])
        if runs:
            runtimes.append(Runtime("ubuntu", runs[1], number))
    return Listing(label, path, "actions", "workflow", found, runtimes)


def version_file(label: str, path: str, text: str) -> Listing:
    """.python-version, .nvmrc, .ruby-version, .tool-versions, runtime.txt."""
    base = path.rpartition("/")[2]
    runtimes = []
    for number, row in enumerate(text.split("\n")[:200], start=1):
        words = row[:200].strip().split()
        if not words or words[0].startswith("#"):
            continue
        if base == ".tool-versions":
            product, held = words[0], words[-1]
        elif base == "runtime.txt":
            product, _, held = words[0].partition("-")
        else:
            product = {
                ".python-version": "python",
                ".nvmrc": "nodejs",
                ".node-version": "nodejs",
                ".ruby-version": "ruby",
                ".java-version": "java",
            }.get(base, "")
            held = words[0].removeprefix("ruby-")
        product = {"golang": "go", "node": "nodejs"}.get(product, product)
        if product and held.lstrip("v")[:1].isdigit():
            runtimes.append(Runtime(product, held.lstrip("v"), number))
    return Listing(label, path, "runtimes", "manifest", [], runtimes)
