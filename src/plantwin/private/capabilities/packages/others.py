"""Go, Rust, Ruby, PHP, Java: manifests and lock files."""

from __future__ import annotations

import re
import tomllib

from plantwin.private.capabilities.packages.entry import MOST, Listing, Runtime, Wanted
from plantwin.private.capabilities.packages.places import Places
from plantwin.private.capabilities.packages.python import _dict, _table
from plantwin.private.extract.formats import json_loader

_GO = re.compile(r"\s{0,8}(?:require\s{1,4})?([\w.~/-]{3,200})\s{1,4}(v[\w.+-]{1,100})(.{0,200})")
_REPLACE = re.compile(
    r"\s{0,8}(?:replace\s{1,4})?(\S{1,200})(?:\s{1,4}v\S{1,60})?\s{1,4}=>\s{1,4}(\S{1,200})(?:\s+(v\S+))?"
)
_GEM = re.compile(r"\s{0,20}gem\s{0,4}\(?\s{0,4}[\"']([\w./-]{1,100})[\"'](.{0,500})")
_GEM_LOCKED = re.compile(r"    ([\w.-]{1,100}) \((\d[^()\n]{0,60})\)$")
_GRADLE = re.compile(
    r"\b(implementation|api|compile|compileOnly|runtimeOnly|testImplementation|testCompile|androidTestImplementation"
    r"|annotationProcessor|kapt|classpath)\b\s*\(?\s*[\"']([\w.-]+):([\w.-]+)(?::([^\"'@:]+))?[^\"']*[\"']"
)


def go_mod(label: str, path: str, text: str) -> Listing:
    """go.mod."""
    found: list[Wanted] = []
    runtimes: list[Runtime] = []
    block = ""
    for number, row in enumerate(text.split("\n")[:MOST], start=1):
        row = row[:1000]
        opened = re.match(r"(require|replace|exclude|retract)\s*\(", row)
        if opened:
            block = opened[1]
            continue
        if row.strip() == ")":
            block = ""
            continue
        word = block or row.split(" ", 1)[0].strip()
        if word == "go":
            runtimes.append(Runtime("go", row[3:].strip(), number))
        elif word == "replace":
            match = _REPLACE.match(row)
            if match:
                local = match[2].startswith((".", "/"))
                found.append(Wanted(match[1], match[3] or "", number, "path" if local else "other", True))
        elif word == "require" and (match := _GO.match(row)):
            found.append(Wanted(match[1], match[2], number, dev="// indirect" in match[3]))
    return Listing(label, path, "go", "manifest", found, runtimes)


def go_sum(label: str, path: str, text: str) -> Listing:
    """go.sum."""
    found = []
    for number, row in enumerate(text.split("\n")[:MOST], start=1):
        parts = row[:400].split()
        if len(parts) == 3 and not parts[1].endswith("/go.mod"):
            found.append(Wanted(parts[0], parts[1], number, hashed=parts[2].startswith("h1:")))
    return Listing(label, path, "go", "sums", found)


def cargo_toml(label: str, path: str, text: str) -> Listing:
    """Cargo.toml."""
    try:
        tree: dict[str, object] = tomllib.loads(text)
        sound = True
    except (ValueError, RecursionError):
        tree, sound = {}, False
    places = Places(text)
    found = []
    workspace = _dict(tree.get("workspace"))
    for table, dev in (
        (tree.get("dependencies"), False), (workspace.get("dependencies"), False),
        (tree.get("build-dependencies"), True), (tree.get("dev-dependencies"), True),
    ):  # fmt: skip
        found += [_table(name, wanted, places, dev) for name, wanted in _dict(table).items()]
    package = _dict(tree.get("package"))
    return Listing(
        label,
        path,
        "cargo",
        "manifest",
        found[:MOST],
        sound=sound,
        library="lib" in tree,
        license=str(package.get("license", ""))[:60],
    )


def cargo_lock(label: str, path: str, text: str) -> Listing:
    """Cargo.lock."""
    try:
        tree: dict[str, object] = tomllib.loads(text)
        sound = True
    except (ValueError, RecursionError):
        tree, sound = {}, False
    places = Places(text)
    found = []
    packages = tree.get("package")
    for body in packages if isinstance(packages, list) else []:
        held = _dict(body)
        name, where = str(held.get("name", "")), str(held.get("source", ""))
        source = "git" if where.startswith("git+") else "path" if not where else "registry"
        hashed = bool(held.get("checksum")) or source != "registry"
        found.append(
            Wanted(name, str(held.get("version", "")), places.after(f'name = "{name}"'), source, True, False, hashed)
        )
    return Listing(label, path, "cargo", "lock", found[:MOST], sound=sound)


def gemfile(label: str, path: str, text: str) -> Listing:
    """Gemfile."""
    found: list[Wanted] = []
    runtimes: list[Runtime] = []
    odd: list[tuple[int, str]] = []
    dev = 0
    for number, row in enumerate(text.split("\n")[:MOST], start=1):
        row = row[:1000]
        if re.match(r"\s*group\b.*:(?:development|test)", row) and row.rstrip().endswith("do"):
            dev = number
        elif row.strip() == "end":
            dev = 0
        ruby = re.match(r"\s*ruby\s+[\"']([^\"']+)", row)
        if ruby:
            runtimes.append(Runtime("ruby", ruby[1], number))
        if re.match(r"\s*source\s*\(?\s*[\"']http:", row):
            odd.append((number, "http_index"))
        match = _GEM.match(row)
        if not match:
            continue
        versions = re.findall(r"[\"']\s*((?:[~><=]+\s*)?\d[\w.]*)[\"']", match[2])
        source, fixed = "registry", False
        if re.search(r"\b(?:git|github|gist):|:git\s*=>", match[2]):
            source, fixed = "git", re.search(r"\bref(?::|\s*=>)", match[2]) is not None
        elif re.search(r"\bpath(?::|\s*=>)", match[2]):
            source, fixed = "path", True
        inline = re.search(r"group(?:s)?(?::|\s*=>)\s*\[?\s*:(?:test|development)", match[2])
        found.append(Wanted(match[1], ", ".join(versions), number, source, fixed, bool(dev or inline)))
    return Listing(label, path, "rubygems", "manifest", found, runtimes, remarks=odd)


def gemfile_lock(label: str, path: str, text: str) -> Listing:
    """Gemfile.lock."""
    found: list[Wanted] = []
    odd: list[tuple[int, str]] = []
    section = ""
    for number, row in enumerate(text.split("\n")[:MOST], start=1):
        if row and row[0] != " ":
            section = row.strip()
        if section == "GEM" and row.strip().startswith("remote: http:"):
            odd.append((number, "http_index"))
        match = _GEM_LOCKED.match(row[:200])
        if match and section in ("GEM", "GIT", "PATH"):
            source = {"GIT": "git", "PATH": "path"}.get(section, "registry")
            found.append(Wanted(match[1], match[2].split("-")[0], number, source, True))
    return Listing(label, path, "rubygems", "lock", found, remarks=odd)


def composer_json(label: str, path: str, text: str) -> Listing:
    """composer.json."""
    tree, sound = json_loader.load(text, True)
    held = _dict(tree)
    places = Places(text)
    found = []
    runtimes = []
    for group, dev in (("require", False), ("require-dev", True)):
        for name, wanted in _dict(held.get(group)).items():
            if name == "php":
                runtimes.append(Runtime("php", str(wanted), places.first('"php"')))
            elif "/" in name:
                found.append(Wanted(name, str(wanted), places.first(f'"{name}"'), dev=dev))
    odd = []
    repositories = held.get("repositories")
    for each in repositories if isinstance(repositories, list) else _dict(repositories).values():
        if isinstance(each, dict) and str(each.get("url", "")).startswith("http:"):
            odd.append((places.first("http:"), "http_index"))
    if _dict(held.get("config")).get("secure-http") is False:
        odd.append((places.first("secure-http"), "http_index"))
    return Listing(
        label,
        path,
        "packagist",
        "manifest",
        found[:MOST],
        runtimes,
        sound and isinstance(tree, dict),
        odd,
        license=str(held.get("license", ""))[:60],
    )


def composer_lock(label: str, path: str, text: str) -> Listing:
    """composer.lock."""
    tree, sound = json_loader.load(text, True)
    held = _dict(tree)
    places = Places(text)
    found = []
    for group, dev in (("packages", False), ("packages-dev", True)):
        bodies = held.get(group)
        for body in bodies if isinstance(bodies, list) else []:
            each = _dict(body)
            name = str(each.get("name", ""))
            licenses = each.get("license")
            license_ = ", ".join(map(str, licenses)) if isinstance(licenses, list) else ""
            found.append(
                Wanted(name, str(each.get("version", "")), places.after(f'"{name}"'), dev=dev, license=license_[:60])
            )
    return Listing(label, path, "packagist", "lock", found[:MOST], sound=sound)


def pom(label: str, path: str, text: str) -> Listing:
    """pom.xml, by tags: a document type or an entity is never expanded."""
    properties = dict(re.findall(r"<([\w.-]{1,80})>([^<>\n]{1,80})</\1>", text[: 1 << 20]))
    found = []
    line, at = 1, 0
    for match in re.finditer(r"<(dependency|parent|plugin)>(.{1,4000}?)</\1>", text, re.DOTALL):
        line += text.count("\n", at, match.start())
        at = match.start()
        body = re.sub(r"<exclusions>.*?</exclusions>", "", match[2], flags=re.DOTALL)
        parts = {
            key: (hit[1].strip() if (hit := re.search(rf"<{key}>([^<]*)</{key}>", body)) else "")
            for key in ("groupId", "artifactId", "version", "scope")
        }
        held = re.sub(r"\$\{([\w.-]+)\}", lambda each: properties.get(each[1], each[0]), parts["version"])
        if parts["artifactId"]:
            group = parts["groupId"] or ("org.apache.maven.plugins" if match[1] == "plugin" else "")
            # Without a version it comes from a parent or a bill of materials.
            found.append(
                Wanted(f"{group}:{parts['artifactId']}", held or "(managed)", line, dev=parts["scope"] == "test")
            )
        if len(found) >= MOST:
            break
    runtimes = []
    for key in ("maven.compiler.release", "java.version", "maven.compiler.source", "maven.compiler.target"):
        if key in properties and properties[key][:1].isdigit():
            runtimes.append(
                Runtime("java", properties[key].removeprefix("1."), text.count("\n", 0, text.find(key)) + 1)
            )
            break
    odd = [
        (text.count("\n", 0, each.start()) + 1, "http_index")
        for each in re.finditer(r"<repository>(?:(?!</repository>).){0,600}<url>http:", text, re.DOTALL)
    ]
    return Listing(label, path, "maven", "manifest", found, runtimes, remarks=odd[:20])


def gradle(label: str, path: str, text: str) -> Listing:
    """build.gradle and build.gradle.kts."""
    found: list[Wanted] = []
    odd: list[tuple[int, str]] = []
    values = dict(re.findall(r"(?:ext\.|val |def )?\b(\w{2,60})\s*=\s*[\"'](\d[\w.-]{0,40})[\"']", text[: 1 << 20]))
    for number, row in enumerate(text.split("\n")[:MOST], start=1):
        row = row[:1000]
        if row.lstrip().startswith("//"):
            continue
        if re.search(r"url\s*=?\s*\(?\s*(?:uri\()?[\"']http:", row) or "allowInsecureProtocol = true" in row:
            odd.append((number, "http_index"))
        for match in _GRADLE.finditer(row):
            held = re.sub(r"\$\{?(\w+)\}?", lambda each: values.get(each[1], each[0]), match[4] or "(managed)")
            found.append(Wanted(f"{match[2]}:{match[3]}", held, number, dev="est" in match[1]))
    runtimes = []
    java = re.search(
        r"(?:sourceCompatibility|JavaLanguageVersion\.of\()\s*=?\s*[\"'(]?(?:JavaVersion\.VERSION_)?(?:1[._])?(\d+)",
        text,
    )
    if java:
        runtimes.append(Runtime("java", java[1], text.count("\n", 0, java.start()) + 1))
    return Listing(label, path, "maven", "manifest", found, runtimes, remarks=odd)
