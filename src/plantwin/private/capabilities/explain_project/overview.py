"""Explain a folder: what it is, its parts, how to run and test it, from its own documents, manifests and structure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plantwin.private.capabilities.engine.job import Job, Neighbour, Result
from plantwin.private.capabilities.engine.report import bucket, code, failed, plain
from plantwin.private.capabilities.engine.results import masked, table
from plantwin.private.capabilities.engine.source import Source, source
from plantwin.private.capabilities.explain_project.people import maintainers
from plantwin.private.capabilities.explain_project.stack import README, Readme, Stack, about, readme_of, stack_of
from plantwin.private.capabilities.find_tests import is_test
from plantwin.private.capabilities.graph import Network
from plantwin.private.capabilities.measure_size import by, files_of, in_languages, shown_bytes
from plantwin.private.facts import private
from plantwin.private.formats.definitions import outline
from plantwin.private.formats.documents import passages
from plantwin.private.formats.values import tree_of
from plantwin.text import plural
from plantwin.vocabulary import OutcomeTag, StepStatus

MOST = 24
SHOWN = 7
"""Parts that the text lists, the largest."""
FEW = 4
"""Folders for which there has to be room before one is taken apart."""
LARGE = 0.6
"""Share of the code in one folder from which its own folders are the parts."""


@private
class Part(NamedTuple):
    """One folder."""

    name: str
    files: int
    lines: int
    about: str


@private
class Fit(NamedTuple):
    """One part that uses another."""

    user: str
    used: str
    number: int


def folders_of(held: Sequence[Neighbour]) -> list[str]:
    """Return the folders that make up the whole: those at the top, and inside of one that holds nearly all, its own."""
    chosen = _below("", held)
    for _ in range(4):
        lines: Counter[str] = Counter()
        for each in held:
            folder = folder_of(each.name, chosen)
            lines[folder] += each.lines if each.kind == "code_file" else 0
        total = sum(lines.values())
        largest, number = lines.most_common(1)[0] if lines else ("", 0)
        inner = _below(largest, held) if largest and total and number > LARGE * total else []
        room = MOST - len(chosen)
        if not inner or room < FEW:
            break
        if len(inner) > room:  # the largest of many; the rest stays with the folder that they are in
            size: Counter[str] = Counter()
            for each in held:
                size[folder_of(each.name, inner)] += each.lines
            inner = sorted(inner, key=lambda folder: -size[folder])[:room]
        chosen = [*(folder for folder in chosen if folder != largest), largest, *inner]
    return sorted(chosen)


def _below(folder: str, held: Sequence[Neighbour]) -> list[str]:
    found = {
        each.name[len(folder) :].partition("/")[0]
        for each in held
        if each.name.startswith(folder) and "/" in each.name[len(folder) :]
    }
    return [f"{folder}{name}/" for name in sorted(found)]


def folder_of(name: str, folders: Sequence[str]) -> str:
    """Return the innermost of these folders that a file lies in; `.` for none."""
    return max((folder for folder in folders if name.startswith(folder)), key=len, default=".")


def parts_of(held: Sequence[Neighbour], texts: Sequence[Source]) -> list[Part]:
    """Return the parts of a folder, the largest first."""
    folders = folders_of(held)
    groups: dict[str, list[Neighbour]] = defaultdict(list)
    for each in held:
        groups[folder_of(each.name, folders)].append(each)
    said = _descriptions(texts)
    parts = [
        Part(name, len(group), sum(each.lines for each in group), said.get(name) or _kinds(group))
        for name, group in groups.items()
    ]
    return sorted(parts, key=lambda part: (part.name == ".", -part.lines, part.name))[:MOST]


def _descriptions(texts: Sequence[Source]) -> dict[str, str]:
    """Return what folders say of themselves: in a README, a manifest or the docstring of a package."""
    said: dict[str, str] = {}
    for each in texts:
        folder, name = f"{each.label.rpartition('/')[0]}/", each.label.rpartition("/")[2]
        told = ""
        if README.search(each.label):
            told = next(iter(about(passages("markdown" if each.format == "markdown" else "rst", each.text), 1)), "")
        elif name in ("package.json", "composer.json"):
            import msgspec

            try:
                described = tree_of(msgspec.json.decode(each.text)).get("description")
            except (msgspec.DecodeError, UnicodeError, RecursionError):
                described = ""
            told = described if isinstance(described, str) else ""
        elif name == "__init__.py":
            told = outline("python", each.text).doc
        if told:
            said.setdefault(folder, told)
    return said


def _kinds(group: Sequence[Neighbour]) -> str:
    """Say what a folder holds by the classes of its files."""
    code = [each for each in group if not is_test(each) and each.semantic_class not in ("test_fixture", "test_helper")]
    classes = Counter(each.semantic_class.replace("_", " ") for each in code or group if each.semantic_class)
    shown = [name for name, _ in classes.most_common(2)]
    return ", ".join(shown)


def fits(network: Network, held: Sequence[Neighbour]) -> list[Fit]:
    """Return which parts use which, the closest first. Tests and documents use what they speak of, and are left out."""
    folders = folders_of(held)
    names = {each.name for each in held}
    counts: Counter[tuple[str, str]] = Counter()
    for node, arcs in network.uses.items():
        user = network.objects[node]
        if user.name not in names or user.role == "test":
            continue
        for arc in arcs:
            used = network.objects[arc.other]
            one, other = folder_of(user.name, folders), folder_of(used.name, folders)
            if (
                used.name in names
                and one != other
                and "." not in (one, other)
                and arc.reason not in ("documents", "tests")
            ):
                counts[(one, other)] += 1
    return [Fit(one, other, number) for (one, other), number in counts.most_common(12)]


TITLE = "The project"
LISTED = 12
_ENTRIES = ("app_entrypoint", "cli_tool", "model_serving", "training_script")


def explain(job: Job) -> Result:
    """Explain the folder that the inputs are of."""
    held = files_of(job)
    if not held:
        return failed(TITLE, "Nothing is known of these inputs.")
    read = [
        source(given) for given in job.inputs if not given.is_result and not given.part and (given.file or given.data)
    ]
    texts = [each for each in read if not each.binary and each.text.strip()]
    readme = readme_of(texts)
    stack = stack_of(texts, held)
    network = Network(job.surroundings)
    parts = parts_of(held, texts)
    tests = [each for each in held if is_test(each)]
    state = [OutcomeTag.NO_TESTS] if not tests and any(each.kind == "code_file" for each in held) else []
    state += [OutcomeTag.UNDOCUMENTED] if readme is None else []
    lines = [
        *_lead(readme, stack, held),
        *_parts(parts, fits(network, held)),
        *_run(readme, stack),
        *_tests(stack, tests),
        *_start(readme, stack, held, network),
        *_stack(stack),
        *_people(texts),
        *_documents(readme, held),
    ]
    return Result(
        outcome={
            "status": (StepStatus.DONE if texts else StepStatus.PARTIAL).value,
            "count": str(bucket(len(parts))),
            "tags": [tag.value for tag in state],
        },
        title=readme.title if readme and readme.title else TITLE,
        facts={
            "examined": [each.name for each in held],
            "read": [each.label for each in texts],
            "about": list(readme.about) if readme else [],
            "languages": {name: group.lines for name, group in by(in_languages(held), "format").items()},
            "frameworks": list(stack.frameworks), "stores": list(stack.stores), "services": dict(stack.services),
            "run": list(stack.run), "test": list(stack.test), "parts": [part.name for part in parts],
            "entry_points": [each.name for each in held if each.semantic_class in _ENTRIES][:50],
        },
        text="\n".join(lines).strip() + "\n",
    )  # fmt: skip


def _lead(readme: Readme | None, stack: Stack, held: Sequence[Neighbour]) -> Iterator[str]:
    """Say in a few sentences what it is: in its own words where it has some."""
    languages = by(in_languages(held), "format")
    lines = sum(group.lines for group in languages.values())
    shares = [
        f"{plain(name)} {group.lines / lines:.0%}"
        for name, group in languages.items()
        if lines and group.lines * 50 >= lines
    ]
    if readme is not None and readme.about:
        said = " ".join(readme.about)
        named = readme.title and readme.title[:60].lower() not in said.lower()
        yield f"{f'**{plain(readme.title)}**: ' if named else ''}{plain(masked(said), 900)}"
    elif stack.description:
        yield plain(masked(stack.description), 400)
    else:
        yield f"No document here says what it is. By its files: {_guess(stack, held)}."
    if stack.frameworks:
        yield f"Built with {', '.join(map(plain, stack.frameworks[:8]))}."
    total = sum(each.lines for each in held)
    size = shown_bytes(sum(each.size for each in held))
    told = f" Code: {', '.join(shares[:6])}." if shares else ""
    yield f"{plural(len(held), 'file')}, {total:,} lines, {size}.{told}"
    yield ""


def _guess(stack: Stack, held: Sequence[Neighbour]) -> str:
    """Say what a folder is from what is in it most."""
    classes = Counter(each.semantic_class for each in held if each.semantic_class)
    named = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in classes.most_common(4))
    return f"{', '.join(stack.frameworks[:3]) + '; ' if stack.frameworks else ''}{named}"


def _parts(parts: Sequence[Part], joined: Sequence[Fit]) -> Iterator[str]:
    if len(parts) > 1:
        rows = [[code(part.name), str(part.files), f"{part.lines:,}", plain(masked(part.about), 90)] for part in parts]
        yield from ("**Parts**", "", *table(["Folder", "Files", "Lines", "What it is"], rows, SHOWN))
    if joined:
        told = [
            f"{code(fit.user)} uses {code(fit.used)} ({plural(fit.number, 'reference')})" for fit in joined[:LISTED]
        ]
        yield from ("How they fit: " + "; ".join(told) + ".", "")


def _run(readme: Readme | None, stack: Stack) -> Iterator[str]:
    shown = [*(readme.commands if readme else ())]
    if not shown and not stack.run:
        yield from ("**How to run it**: no document or manifest here says so.", "")
        return
    yield from ("**How to run it**", "")
    for title, text in shown[:4]:
        yield from (f"{plain(title)} (from the README):", "", "```text", *_fenced(text), "```", "")
    if stack.run:
        yield from (
            "From its manifests:",
            "",
            *(f"- {code(command)} — {plain(where)}" for command, where in stack.run[:LISTED]),
            "",
        )


def _fenced(text: str) -> Iterator[str]:
    for line in text.strip().split("\n")[:16]:
        yield masked(line.rstrip()[:200]).replace("```", "'''")


def _tests(stack: Stack, tests: Sequence[Neighbour]) -> Iterator[str]:
    if not tests:
        yield from ("**Tests**: none were found.", "")
        return
    where = Counter(each.name.rpartition("/")[0] or "." for each in tests).most_common(4)
    folders = ", ".join(code(name) for name, _ in where)
    yield from (f"**How to run the tests**: {plural(len(tests), 'file')}, most in {folders}.", "")
    yield from (f"- {code(command)} — {plain(where)}" for command, where in stack.test[:6])
    yield ""


def _start(readme: Readme | None, stack: Stack, held: Sequence[Neighbour], network: Network) -> Iterator[str]:
    """Say where a reader starts: what begins the program, and what most others use."""
    entries = [each.name for each in held if each.semantic_class in _ENTRIES and each.role in ("production", "")]
    entries = sorted(dict.fromkeys([*stack.entries, *entries]), key=lambda name: name.count("/"))
    users: Counter[str] = Counter()
    for node, each in enumerate(network.objects):
        if each.kind == "code_file" and each.role in ("production", "") and not is_test(each):
            users[each.name] = len(network.incoming(node, frozenset(("imports",))))
    most = [f"{code(name)} (by {number})" for name, number in users.most_common(6) if number > 2]
    if readme is not None or entries or most:
        yield from ("**Where to start**", "")
    if readme is not None:
        yield f"- {code(readme.name)}: {plain(', '.join(readme.sections[:10]), 300) or 'the README'}"
    if entries:
        yield f"- Entry points: {', '.join(map(code, entries[:LISTED]))}{' …' if len(entries) > LISTED else ''}"
    if most:
        yield f"- Used most: {', '.join(most)}"
    yield ""


def _stack(stack: Stack) -> Iterator[str]:
    for title, rows in (
        ("Main dependencies", [plain(", ".join(stack.packages[:30]), 600)] if stack.packages else []),
        ("Services", [f"{code(name)}: {plain(what)}" for name, what in stack.services.items()]),
        ("Data stores", [plain(", ".join(stack.stores))] if stack.stores else []),
        ("Delivery", [plain(each) for each in stack.delivery]),
        ("Licence", [plain(", ".join(stack.licenses))] if stack.licenses else []),
    ):
        if len(rows) == 1:
            yield f"**{title}**: {rows[0]}"
            yield ""
        elif rows:
            yield from (f"**{title}**", "", *(f"- {row}" for row in rows[:20]), "")


def _people(texts: Sequence[Source]) -> Iterator[str]:
    by_file: dict[str, list[str]] = {}
    for name, file in maintainers(texts):
        by_file.setdefault(file, []).append(plain(name, 80))
    told = [f"{', '.join(names[:6])}{' …' if len(names) > 6 else ''} ({code(file)})" for file, names in by_file.items()]
    yield f"**Maintainers**: {'; '.join(told[:4]) or 'no file here names them; the history of commits may'}."
    yield ""


def _documents(readme: Readme | None, held: Sequence[Neighbour]) -> Iterator[str]:
    papers = [each for each in held if each.kind == "document" and each.semantic_class != "license"]
    folders = Counter(each.name.rpartition("/")[0] or "." for each in papers)
    if papers:
        listed = ", ".join(
            f"{code(name + '/' if name != '.' else '.')} {number}" for name, number in folders.most_common(8)
        )
        yield f"**Documentation**: {plural(len(papers), 'document')} in {listed}."
