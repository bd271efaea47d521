"""Go, Rust, Ruby, PHP, Java: manifests and lock files."""

from __future__ import annotations

import re

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
    table_package,
)

_GO = re.compile(r"\s{0,8}(?:require\s{1,4})?([\w.~/-]{3,200})\s{1,4}(v[\w.+-]{1,100})(.{0,200})")
_GO_REPLACE = re.compile(
    r"\s{0,8}(?:replace\s{1,4})?(\S{1,200})(?:\s{1,4}v\S{1,60})?\s{1,4}=>\s{1,4}(\S{1,200})(?:\s+(v\S+))?"
)
_GEM = re.compile(r"\s{0,20}gem\s{0,4}\(?\s{0,4}[\"']([\w./-]{1,100})[\"'](.{0,500})")
_GEM_LOCKED = re.compile(r"    ([\w.-]{1,100}) \((\d[^()\n]{0,60})\)$")
_GRADLE = re.compile(
    r"\b(implementation|api|compile|compileOnly|runtimeOnly|testImplementation|testCompile|androidTestImplementation"
    r"|annotationProcessor|kapt|classpath)\b\s*+\(?\s*+[\"']([\w.-]++):([\w.-]++)(?::([^\"'@:]++))?[^\"']*+[\"']"
)
_GRADLE_HTTP = re.compile(r"url\s*+=?\s*+\(?\s*+(?:uri\()?[\"']http:|allowInsecureProtocol = true")
_GRADLE_JAVA = re.compile(
    r"(?:sourceCompatibility|JavaLanguageVersion\.of\()\s*+=?\s*+[\"'(]?(?:JavaVersion\.VERSION_)?(?:1[._])?(\d+)"
)
_POM_JAVA = ("maven.compiler.release", "java.version", "maven.compiler.source", "maven.compiler.target")
_POM_HTTP = re.compile(r"<repository>(?:(?!</repository>).){0,600}<url>http:", re.DOTALL)


def go_mod(path: str, text: str) -> Manifest:
    """Read go.mod."""
    manifest = Manifest(path=path, ecosystem="go")
    block = ""
    for number, row in numbered(text):
        opened = re.match(r"(require|replace|exclude|retract)\s*\(", row)
        if opened or row.strip() == ")":
            block = opened[1] if opened else ""
            continue
        word = block or row.split(" ", 1)[0].strip()
        if word == "go":
            manifest.runtimes.append(Runtime("go", row[3:].strip(), number))
        elif word == "replace" and (match := _GO_REPLACE.match(row)):
            source = "path" if match[2].startswith((".", "/")) else "other"
            manifest.packages.append(
                Package(name=match[1], version=match[3] or "", line=number, source=source, fixed=True)
            )
        elif word == "require" and (match := _GO.match(row)):
            indirect = "// indirect" in match[3]
            manifest.packages.append(Package(name=match[1], version=match[2], line=number, dev=indirect))
    return manifest


def go_sum(path: str, text: str) -> Manifest:
    """Read go.sum."""
    manifest = Manifest(path=path, ecosystem="go", kind="sums")
    for number, row in numbered(text, 400):
        parts = row.split()
        if len(parts) == 3 and not parts[1].endswith("/go.mod"):
            hashed = parts[2].startswith("h1:")
            manifest.packages.append(Package(name=parts[0], version=parts[1], line=number, hashed=hashed))
    return manifest


def cargo_toml(path: str, text: str) -> Manifest:
    """Read Cargo.toml."""
    tree, parsed = load_toml(text)
    lines = Lines(text)
    license_ = str(mapping(tree, "package").get("license", ""))[:60]
    manifest = Manifest(path=path, ecosystem="cargo", parsed=parsed, library="lib" in tree, license=license_)
    for table, dev in (
        (mapping(tree, "dependencies"), False),
        (mapping(tree, "workspace", "dependencies"), False),
        (mapping(tree, "build-dependencies"), True),
        (mapping(tree, "dev-dependencies"), True),
    ):
        manifest.packages += [table_package(name, given, lines, dev=dev) for name, given in table.items()]
    return manifest


def cargo_lock(path: str, text: str) -> Manifest:
    """Read Cargo.lock."""
    tree, parsed = load_toml(text)
    lines = Lines(text)
    manifest = Manifest(path=path, ecosystem="cargo", kind="lock", parsed=parsed)
    for body in mappings(tree.get("package"))[:MOST_PACKAGES]:
        name, stated = str(body.get("name", "")), str(body.get("source", ""))
        source = "git" if stated.startswith("git+") else "registry" if stated else "path"
        manifest.packages.append(
            Package(
                name=name,
                version=str(body.get("version", "")),
                line=lines.after(f'name = "{name}"'),
                source=source,
                fixed=True,
                hashed=bool(body.get("checksum")) or source != "registry",
            )
        )
    return manifest


def gemfile(path: str, text: str) -> Manifest:
    """Read Gemfile."""
    manifest = Manifest(path=path, ecosystem="rubygems")
    in_dev_group = False
    for number, row in numbered(text):
        if re.match(r"\s*group\b.*:(?:development|test)", row) and row.rstrip().endswith("do"):
            in_dev_group = True
        elif row.strip() == "end":
            in_dev_group = False
        if ruby := re.match(r"\s*ruby\s+[\"']([^\"']+)", row):
            manifest.runtimes.append(Runtime("ruby", ruby[1], number))
        if re.match(r"\s*+source\s*+\(?\s*+[\"']http:", row):
            manifest.problems.append((number, "DEP-HTTP-INDEX"))
        if match := _GEM.match(row):
            versions = re.findall(r"[\"']\s*((?:[~><=]+\s*)?\d[\w.]*)[\"']", match[2])
            package = Package(name=match[1], version=", ".join(versions), line=number)
            if re.search(r"\b(?:git|github|gist):|:git\s*=>", match[2]):
                package.source, package.fixed = "git", re.search(r"\bref(?::|\s*=>)", match[2]) is not None
            elif re.search(r"\bpath(?::|\s*=>)", match[2]):
                package.source, package.fixed = "path", True
            inline = re.search(r"group(?:s)?(?::|\s*=>)\s*\[?\s*:(?:test|development)", match[2])
            package.dev = in_dev_group or inline is not None
            manifest.packages.append(package)
    return manifest


def gemfile_lock(path: str, text: str) -> Manifest:
    """Read Gemfile.lock."""
    manifest = Manifest(path=path, ecosystem="rubygems", kind="lock")
    sources = {"GEM": "registry", "GIT": "git", "PATH": "path"}
    section = ""
    for number, row in numbered(text, 200):
        if row and row[0] != " ":
            section = row.strip()
        if section == "GEM" and row.strip().startswith("remote: http:"):
            manifest.problems.append((number, "DEP-HTTP-INDEX"))
        match = _GEM_LOCKED.match(row)
        if match and section in sources:
            version = match[2].split("-")[0]
            manifest.packages.append(
                Package(name=match[1], version=version, line=number, source=sources[section], fixed=True)
            )
    return manifest


def composer_json(path: str, text: str) -> Manifest:
    """Read composer.json."""
    tree, parsed = load_json(text)
    lines = Lines(text)
    license_ = str(tree.get("license", ""))[:60]
    manifest = Manifest(path=path, ecosystem="packagist", parsed=parsed, license=license_)
    for group, dev in (("require", False), ("require-dev", True)):
        for name, given in mapping(tree, group).items():
            line = lines.first(f'"{name}"')
            if name == "php":
                manifest.runtimes.append(Runtime("php", str(given), line))
            elif "/" in name:
                manifest.packages.append(Package(name=name, version=str(given), line=line, dev=dev))
    repositories = tree.get("repositories")
    listed = mappings(repositories) or [mapping(given) for given in mapping(repositories).values()]
    if any(str(repository.get("url", "")).startswith("http:") for repository in listed):
        manifest.problems.append((lines.first("http:"), "DEP-HTTP-INDEX"))
    if mapping(tree, "config").get("secure-http") is False:
        manifest.problems.append((lines.first("secure-http"), "DEP-HTTP-INDEX"))
    return manifest


def composer_lock(path: str, text: str) -> Manifest:
    """Read composer.lock."""
    tree, parsed = load_json(text)
    lines = Lines(text)
    manifest = Manifest(path=path, ecosystem="packagist", kind="lock", parsed=parsed)
    for group, dev in (("packages", False), ("packages-dev", True)):
        for body in mappings(tree.get(group))[:MOST_PACKAGES]:
            name = str(body.get("name", ""))
            licenses = body.get("license")
            license_ = ", ".join(map(str, licenses))[:60] if isinstance(licenses, list) else ""
            version, line = str(body.get("version", "")), lines.after(f'"{name}"')
            manifest.packages.append(Package(name=name, version=version, line=line, dev=dev, license=license_))
    return manifest


def pom(path: str, text: str) -> Manifest:
    """Read pom.xml, by tags: a document type or an entity is never expanded."""
    manifest = Manifest(path=path, ecosystem="maven")
    lines = Lines(text)
    properties = dict(re.findall(r"<([\w.-]{1,80})>([^<>\n]{1,80})</\1>", text[: 1 << 20]))
    for match in re.finditer(r"<(dependency|parent|plugin)>(.{1,4000}?)</\1>", text, re.DOTALL):
        line = lines.at(match.start())
        body = re.sub(r"<exclusions>.*?</exclusions>", "", match[2], flags=re.DOTALL)
        parts = {key: value.strip() for key, value in re.findall(r"<(\w+)>([^<]*)</\1>", body)[::-1]}
        version = re.sub(r"\$\{([\w.-]+)\}", lambda name: properties.get(name[1], name[0]), parts.get("version", ""))
        if parts.get("artifactId"):
            group = parts.get("groupId") or ("org.apache.maven.plugins" if match[1] == "plugin" else "")
            name = f"{group}:{parts['artifactId']}"
            test = parts.get("scope") == "test"
            manifest.packages.append(Package(name=name, version=version or "(managed)", line=line, dev=test))
        if len(manifest.packages) >= MOST_PACKAGES:
            break
    java = next((key for key in _POM_JAVA if properties.get(key, "")[:1].isdigit()), "")
    if java:
        manifest.runtimes.append(Runtime("java", properties[java].removeprefix("1."), lines.first(java)))
    for match in list(_POM_HTTP.finditer(text))[:20]:
        manifest.problems.append((text.count("\n", 0, match.start()) + 1, "DEP-HTTP-INDEX"))
    return manifest


def gradle(path: str, text: str) -> Manifest:
    """Read build.gradle and build.gradle.kts."""
    manifest = Manifest(path=path, ecosystem="maven")
    values = dict(re.findall(r"(?:ext\.|val |def )?\b(\w{2,60})\s*=\s*[\"'](\d[\w.-]{0,40})[\"']", text[: 1 << 20]))
    for number, row in numbered(text):
        if row.lstrip().startswith("//"):
            continue
        if _GRADLE_HTTP.search(row):
            manifest.problems.append((number, "DEP-HTTP-INDEX"))
        for match in _GRADLE.finditer(row):
            version = re.sub(r"\$\{?(\w+)\}?", lambda name: values.get(name[1], name[0]), match[4] or "(managed)")
            name, test = f"{match[2]}:{match[3]}", "est" in match[1]
            manifest.packages.append(Package(name=name, version=version, line=number, dev=test))
    if java := _GRADLE_JAVA.search(text):
        manifest.runtimes.append(Runtime("java", java[1], text.count("\n", 0, java.start()) + 1))
    return manifest
