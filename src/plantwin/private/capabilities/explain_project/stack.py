"""What a project is built from and how it is run, from manifests, build files, compose files and pipelines."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from plantwin.private.capabilities.audit_dependencies import reader_of
from plantwin.private.capabilities.engine.job import Neighbour
from plantwin.private.capabilities.engine.source import Source
from plantwin.private.capabilities.infrastructure import compose
from plantwin.private.capabilities.list_licenses import LICENSE_FILE, license_of
from plantwin.private.facts import Private, private
from plantwin.private.formats.document import read
from plantwin.private.formats.documents import Passage, is_prose, passages, sentences
from plantwin.private.formats.lexicon import beside
from plantwin.private.formats.values import Tree, strings, tree_of, words

README = re.compile(r"(?:^|/)readme[^/]*$", re.IGNORECASE)
_PATTERNS = beside(__file__, "readme.toml")
_RUN, _NOT_ABOUT, _ABOUT, _NOISE, _INSTRUCTION, _SHELL = (
    re.compile(_PATTERNS[name]) for name in ("run", "not_about", "about", "noise", "instruction", "shell")
)
_STEPS = re.compile(
    r"(?i)(?:(?:then|now|next|and)[, ]+)?(?:run|execute|type|enter)[: ]+(?P<command>.+?)"
    r"(?: --? .*| –.*|,.*| to .*|[.:]?)$"
)
_LANGUAGES = words("bash sh shell console shell-session zsh text terminal powershell cmd bat") | {""}
_UNFINISHED = re.compile(r"(?i)\b(?:to|with|by|is|are|of|for|as|from|in|these|includes?|following|this):$")
"""What a list goes on with."""
_NAMES = ("readme.md", "readme.rst", "readme", "readme.txt", "readme.adoc")
SENTENCES = 4


@private
class Readme(NamedTuple):
    """What the first README says."""

    name: str
    title: str
    about: tuple[str, ...]
    sections: tuple[str, ...]
    commands: tuple[tuple[str, str], ...]
    """Sections with the commands that they show."""


def readme_of(texts: Sequence[Source]) -> Readme | None:
    """Return what the README nearest to the top says."""
    found = sorted((each for each in texts if README.search(each.label)), key=_nearest)
    return read_readme(found[0]) if found else None


def _nearest(each: Source) -> tuple[int, bool, int, str]:
    plain = each.label.rpartition("/")[2].lower()
    folder = each.label.rpartition("/")[0]
    depth = 1 if folder in (".github", "docs", "doc") else each.label.count("/") * 2
    return (
        depth,
        plain not in _NAMES,
        len(plain),
        each.label,
    )


def read_readme(file: Source) -> Readme:
    """Read one README."""
    found = passages(file.format if file.format in ("markdown", "rst", "asciidoc", "html") else "text", file.text)
    heads = [passage for passage in found if passage.title]
    named = [head.title for head in heads if not _NOT_ABOUT.match(head.title) and (head is heads[0] or head.level == 1)]
    title = named[0] if named else ""
    sections = [passage.title for passage in found if passage.title and passage.title != title]
    return Readme(file.label, title[:120], tuple(about(found)), tuple(sections), tuple(_commands(found)))


def names_it(title: str) -> bool:
    """Tell whether a heading names what a document is of, and not a part of it."""
    return not _NOT_ABOUT.match(title)


def about(found: Sequence[Passage], most: int = SENTENCES) -> list[str]:
    """Return the sentences that say what a document is of: its opening, else a section that is called so."""
    told = [(passage, list(_said(passage))) for passage in found]
    telling = [(passage, said) for passage, said in told if said and not _NOT_ABOUT.match(passage.title)]
    opening = telling[:1] if telling and telling[0][0] in found[:3] else []
    named = [(passage, said) for passage, said in telling if _ABOUT.search(passage.title)]
    heading = next((passage.title for passage in found if passage.title), "")
    chosen = [_ended(heading)] if len(heading.split()) > 8 and is_prose(heading) else []
    for _, said in [*opening, *named[:1], *telling[:1]]:
        chosen += [sentence for sentence in said if sentence not in chosen]
        if len(chosen) >= 2:
            break
    return chosen[:most]


def _said(passage: Passage) -> Iterator[str]:
    """Yield the sentences of a section that tell something; of one that is called so, its list where it has no more."""
    spoken = 0
    for paragraph in passage.paragraphs[:8]:
        for sentence in sentences(paragraph):
            if (
                is_prose(sentence)
                and len(sentence) >= 18
                and not _NOISE.search(sentence)
                and not _INSTRUCTION.match(sentence)
                and not _UNFINISHED.search(sentence)
            ):
                spoken += 1
                yield _ended(sentence)
    if not spoken and _ABOUT.search(passage.title):
        yield from (_ended(item) for item in passage.items[:SENTENCES] if is_prose(item) and not _NOISE.search(item))


def _ended(sentence: str) -> str:
    return sentence if sentence[-1] in ".!?。！？" else f"{sentence.rstrip(':;,')}."


def _commands(found: Sequence[Passage]) -> Iterator[tuple[str, str]]:
    """Yield sections that say how to install and run, with the commands that they show."""
    above: dict[int, str] = {}
    for passage in found:
        above = {level: title for level, title in above.items() if level < passage.level} | {
            passage.level: passage.title
        }
        steps = [match["command"] for item in passage.items if (match := _STEPS.match(item)) and _SHELL.match(match[1])]
        if len(steps) > 1:  # a list of steps says how, whatever it stands under
            yield passage.title, "\n".join(steps)
        if not any(_RUN.search(title) for title in above.values()):
            continue
        blocks = [
            block.strip() for language, block in passage.blocks if language in _LANGUAGES and _SHELL.search(block)
        ]
        text = "\n".join(dict.fromkeys(blocks))  # one for each system, often the same
        if text:
            yield passage.title, text


_TABLES = beside(__file__, "stack.toml")
FRAMEWORKS: Mapping[str, str] = _TABLES["frameworks"]
STORES: Mapping[str, str] = _TABLES["stores"]
_TARGET, _RUNNERS, _TESTS, _STEP = (re.compile(_TABLES["patterns"][name]) for name in ("target", "run", "test", "step"))
_TOOLS = tuple((re.compile(row["file"]), row) for row in _TABLES["tool"])
_INFRASTRUCTURE = ("compute", "network", "storage", "database", "cluster", "access", "module")
_SPRING = re.compile(r"spring-boot", re.IGNORECASE)


@dataclass(repr=False)
class Stack(Private):
    """What manifests say."""

    description: str = ""
    frameworks: list[str] = field(default_factory=list)
    packages: list[str] = field(default_factory=list)
    run: list[tuple[str, str]] = field(default_factory=list)
    test: list[tuple[str, str]] = field(default_factory=list)
    entries: list[str] = field(default_factory=list)
    services: dict[str, str] = field(default_factory=dict)
    stores: list[str] = field(default_factory=list)
    delivery: list[str] = field(default_factory=list)
    licenses: list[str] = field(default_factory=list)

    def store(self, text: str) -> None:
        """Note a data store that a name stands for."""
        words = set(re.split(r"[^a-z0-9]+", text.lower()))
        for key, name in STORES.items():
            if key in words or any(word.startswith(key) and len(key) > 4 for word in words):
                _add(self.stores, name)


def stack_of(texts: Sequence[Source], held: Sequence[Neighbour]) -> Stack:
    """Read manifests, build files, compose files and pipelines, those at the top first."""
    stack = Stack()
    for each in sorted(texts, key=lambda each: (each.label.count("/"), each.label)):
        name = each.label.rpartition("/")[2]
        for pattern, reader in _READERS:
            if pattern.fullmatch(name):
                reader(stack, each)
        _tool(stack, each, name)
        if LICENSE_FILE.search(each.label) and "/" not in each.label and (license := license_of(each.text)):
            _add(stack.licenses, f"{license} ({each.label})")
        if each.format == "yaml":
            _compose(stack, each)
        _packages(stack, each)
    stack.delivery += _delivery(held)
    if any(neighbour.format == "sqlite" for neighbour in held):
        _add(stack.stores, "SQLite")
    return stack


def _add(held: list[str], name: str) -> None:
    if name and name not in held:
        held.append(name)


def _packages(stack: Stack, each: Source) -> None:
    """Take the packages that a manifest asks for: for running, the top ones first."""
    reader = reader_of(each.label, each.format, "")
    manifest = reader(each.label, each.text) if reader is not None else None
    if manifest is None or manifest.kind != "manifest":
        return
    for package in manifest.packages:
        framework = FRAMEWORKS.get(package.name.lower(), "Spring Boot" if _SPRING.search(package.name) else "")
        _add(stack.frameworks, framework)
        stack.store(package.name)
        if not package.dev:
            _add(stack.packages, package.name)
    if manifest.license and "/" not in each.label:
        _add(stack.licenses, f"{manifest.license} ({each.label})")


def _within(each: Source) -> str:
    folder = each.label.rpartition("/")[0]
    return f" in {folder}" if folder else ""


def _package_json(stack: Stack, each: Source) -> None:
    try:
        found = tree_of(msgspec.json.decode(each.text))
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return
    described = found.get("description")
    stack.description = stack.description or (described if isinstance(described, str) else "")
    php = each.label.endswith("composer.json")
    for name, command in tree_of(found.get("scripts")).items():
        started = f"npm run {name}" if name not in ("start", "test") else f"npm {name}"
        row = (f"composer {name}" if php else started, f"{str(command)[:80]}{_within(each)}")
        if _TESTS.match(name):
            stack.test.append(row)
        elif _RUNNERS.match(name):
            stack.run.append(row)
    folder = each.label.rpartition("/")[0]
    main = found.get("main")
    for path in [
        *strings(main),
        *strings(found.get("bin")),
        *(value for value in tree_of(found.get("bin")).values() if isinstance(value, str)),
    ]:
        _add(stack.entries, f"{folder}/{path.removeprefix('./')}".lstrip("/"))


def _pyproject(stack: Stack, each: Source) -> None:
    try:
        found: Tree = tomllib.loads(each.text)
    except (ValueError, RecursionError):
        return
    project, tool = tree_of(found.get("project")), tree_of(found.get("tool"))
    poetry = tree_of(tool.get("poetry"))
    described = project.get("description") or poetry.get("description")
    stack.description = stack.description or (described if isinstance(described, str) else "")
    for name, target in {**tree_of(poetry.get("scripts")), **tree_of(project.get("scripts"))}.items():
        stack.run.append((name, f"starts {str(target)[:80]}{_within(each)}"))
    if "pytest" in tool or "pytest" in each.text:
        stack.test.append(("pytest", f"{each.label}"))
    if not any("pip install" in command for command, _ in stack.run) and project:
        stack.run.append(("pip install .", f"installs it{_within(each)}"))


def _makefile(stack: Stack, each: Source) -> None:
    runner = "just" if "just" in each.label.lower() else "make"
    for name in dict.fromkeys(_TARGET.findall(each.text[:100_000])):
        if _TESTS.match(name):
            stack.test.append((f"{runner} {name}", each.label))
        elif _RUNNERS.match(name):
            stack.run.append((f"{runner} {name}", each.label))


def _tool(stack: Stack, each: Source, name: str) -> None:
    """Add the usual commands of a build tool."""
    for pattern, row in _TOOLS:
        if pattern.fullmatch(name):
            for target, sort in ((stack.run, "run"), (stack.test, "test")):
                if sort in row and all(command != row[sort] for command, _ in target):
                    target.append((row[sort], f"{row['why']}{_within(each)}"))


def _dockerfile(stack: Stack, each: Source) -> None:
    folder = each.label.rpartition("/")[0] or "."
    starts = re.findall(r"(?mi)^(?:CMD|ENTRYPOINT)\s+(.{1,120})", each.text)
    stack.run.append((f"docker build {folder}", f"{each.label}{f', starts {starts[-1]}' if starts else ''}"))


def _procfile(stack: Stack, each: Source) -> None:
    stack.run += [
        (command.strip()[:120], f"`{name}` of {each.label}")
        for name, command in re.findall(r"(?m)^(\w+):\s*(.+)$", each.text)
    ]


def _tox(stack: Stack, each: Source) -> None:
    stack.test.append(("tox", each.label))


def _workflow(stack: Stack, each: Source) -> None:
    if re.search(
        r"(?:^|/)\.github/workflows/|\.gitlab-ci|\.travis|azure-pipelines|\.circleci/|Jenkinsfile", each.label
    ):
        for command in dict.fromkeys(match.strip() for match in _STEP.findall(each.text[:200_000])):
            if "${{" in command or re.match(r"\w+: ", command):
                continue  # what a matrix fills in is no command, nor is the matrix
            if all(command.split()[0] != known.split()[0] for known, _ in stack.test) or len(stack.test) < 3:
                stack.test.append((command, f"the pipeline {each.label}"))


def _compose(stack: Stack, each: Source) -> None:
    document = read(each)
    if not compose.is_compose(document):
        return
    stack.run.append((f"docker compose -f {each.label} up", "starts its services"))
    for name, service in document.root.map["services"].map.items():
        image = service.value("image")
        build = service.value("build") or service.value("build", "context")
        needs = service.at("depends_on")
        after = [*needs.map, *(item.text for item in needs.items)] if needs is not None else []
        what = f"image {image}" if image else f"built from {build}" if build else ""
        if len(stack.services) < 20:
            told = what + (f", needs {', '.join(after)}" if after else "")
            stack.services[name] = max(stack.services.get(name, ""), told, key=len)
        stack.store(f"{image} {name}")


def _delivery(held: Sequence[Neighbour]) -> Iterator[str]:
    """Yield how it is built and shipped, by the classes of its files."""
    for title, classes in (
        ("Pipelines", ("ci_pipeline",)), ("Containers", ("container_build",)), ("Deployment", ("deploy_manifest",)),
        ("Infrastructure", tuple(f"infra_{what}" for what in _INFRASTRUCTURE)),
        ("Database migrations", ("database_migration",)),
    ):  # fmt: skip
        names = [each.name for each in held if each.semantic_class in classes]
        if names:
            more = f" and {len(names) - 3} more" if len(names) > 3 else ""
            yield f"{title}: {', '.join(sorted(names, key=lambda name: (name.count('/'), name))[:3])}{more}"


_READERS: tuple[tuple[re.Pattern[str], Callable[[Stack, Source], None]], ...] = (
    (re.compile(r"(?:package|composer)\.json"), _package_json),
    (re.compile(r"pyproject\.toml"), _pyproject),
    (re.compile(r"(?:GNU)?[Mm]akefile|\.?[Jj]ustfile"), _makefile),
    (re.compile(r"Dockerfile(?:\.\w+)?"), _dockerfile),
    (re.compile(r"Procfile"), _procfile),
    (re.compile(r"tox\.ini|noxfile\.py"), _tox),
    (re.compile(r".+\.ya?ml|Jenkinsfile"), _workflow),
)  # fmt: skip
