"""A made-up folder follows from the twin alone: equal twins, equal folders; nothing of X; nothing outside of DIR."""

from __future__ import annotations

import ast
import json
import random
import re
import sqlite3
import tomllib
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from plantwin.errors import GateError, InputError
from plantwin.private.environment import Environment
from plantwin.private.project import project
from plantwin.private.resemblance import Taken, taken_from
from plantwin.synth import File, synth
from plantwin.synth.folder import write_folder
from plantwin.synth.render import render
from plantwin.synth.templates import forms, measured, public_words, words
from plantwin.synth.told import MAX_OBJECTS
from plantwin.synth.values import Names, Values
from plantwin.types.twin import Twin, TwinEdge, TwinObject
from plantwin.vocabulary import ContentTag, EdgeReason, EdgeType, Kind, SemanticClass, SizeBucket

LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


def object_id(number: int) -> str:
    return "artifact_" + "".join(LETTERS[number >> 5 * place & 31] for place in range(8))


def encoded(objects: Sequence[TwinObject], edges: Sequence[TwinEdge] = ()) -> bytes:
    return msgspec.json.encode(Twin(objects=tuple(objects), edges=tuple(edges)))


def made(data: bytes, seed: int = 1) -> dict[str, bytes]:
    return {file.path: file.data for file in synth(data, seed)}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> tuple[Environment, Twin]:
    from plantwin_evals.suite import domain
    from plantwin_evals.workspaces import build

    place = tmp_path_factory.mktemp("real")
    environment = Environment(build(domain("devops"), place / "devops"), state=place / "state")
    return environment, project(environment.scan())


def disguised(twin: Twin, seed: int) -> bytes:
    """The same twin under other ids, in another order."""
    chance = random.Random(seed)
    numbers = chance.sample(range(1 << 20), len(twin.objects))
    ids = {one.object_id: object_id(number) for one, number in zip(twin.objects, numbers, strict=True)}
    components = sorted({one.component for one in twin.objects if type(one.component) is str})
    shuffled = chance.sample(components, len(components))
    other = dict(zip(components, shuffled, strict=True))
    objects = [
        msgspec.structs.replace(one, object_id=ids[one.object_id], component=other.get(one.component, one.component))
        for one in twin.objects
    ]
    edges = [
        msgspec.structs.replace(edge, source=ids[edge.source], target=ids.get(edge.target, edge.target))
        for edge in twin.edges
    ]
    chance.shuffle(objects)
    chance.shuffle(edges)
    return encoded(objects, edges)


def test_equal_twins_make_equal_folders(workspace: tuple[Environment, Twin]) -> None:
    twin = workspace[1]
    first = made(encoded(twin.objects, twin.edges))
    for seed in range(4):
        assert made(disguised(twin, seed)) == first
    assert made(encoded(twin.objects, twin.edges), seed=2).keys() != first.keys()


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_equal_small_twins_make_equal_folders(data: st.DataObject) -> None:
    classes = [SemanticClass.BUSINESS_LOGIC, SemanticClass.API_HANDLER, SemanticClass.README]
    number = data.draw(st.integers(1, 8))
    objects = tuple(
        TwinObject(object_id=object_id(place), kind=Kind.CODE_FILE, semantic_class=data.draw(st.sampled_from(classes)))
        for place in range(number)
    )
    # Each depends on at most one: what a walk along relations orders for certain.
    edges = tuple(
        TwinEdge(source=object_id(place), edge=EdgeType.DEPENDS_ON, target=object_id(target), reason=EdgeReason.IMPORTS)
        for place in range(1, number)
        if (target := data.draw(st.integers(-1, place - 1))) >= 0
    )
    twin = Twin(objects=objects, edges=edges)
    assert made(disguised(twin, data.draw(st.integers(0, 99)))) == made(disguised(twin, 100))


def test_nothing_of_the_folder_is_in_what_is_made(workspace: tuple[Environment, Twin]) -> None:
    environment, twin = workspace
    taken = taken_from(environment.root, environment.scan())
    files = list(taken.checked(synth(encoded(twin.objects, twin.edges), 3)))
    assert len(files) == len(twin.objects)
    name = next(path.stem for path in sorted(environment.root.rglob("*.tf")))
    planted = files[0]._replace(data=f"see {environment.root.name} {name} cluster-xarnholt-17".encode())
    with pytest.raises(GateError) as caught:
        list(Taken(frozenset({b"xarnholt"}), frozenset()).checked([*files, planted]))
    assert "xarnholt" not in str(caught.value)


def hostile() -> dict[str, bytes]:
    group = {"set_id": "set_aaaaaaaa", "size": "thousands", "kind": "document"}
    many = [{**group, "set_id": f"set_{object_id(place)[9:]}"} for place in range(MAX_OBJECTS // 1000 + 1)]
    one = {"object_id": object_id(1), "kind": "document"}
    return {
        "nothing": b"",
        "no twin": b"{}",
        "nested": b"[" * 100_000,
        "nested and closed": b'{"twin":' * 40 + b"{}" + b"}" * 40,
        "millions of members": json.dumps({"sets": many}).encode(),
        "an unknown word": json.dumps({"objects": [{**one, "kind": "weapon"}]}).encode(),
        "an unknown field": json.dumps({"objects": [{**one, "name": "../../etc/passwd"}]}).encode(),
        "an id that is a path": json.dumps({"objects": [{**one, "object_id": "../../secret"}]}).encode(),
        "an object twice": json.dumps({"objects": [one, one]}).encode(),
        "an edge to nothing": json.dumps(
            {"objects": [one], "edges": [{"source": object_id(1), "target": object_id(2), "edge": "depends_on"}]}
        ).encode(),
        "not text": b"\xff\xfe{}",
        "too long": b" " * ((64 << 20) + 1),
    }


@pytest.mark.parametrize("name", hostile())
def test_a_hostile_twin_is_refused_before_anything_is_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        write_folder(synth(hostile()[name]), tmp_path / "made")
    assert list(tmp_path.iterdir()) == []


def test_circles_and_long_series_end(tmp_path: Path) -> None:
    objects = [
        TwinObject(object_id=object_id(place), kind=Kind.CODE_FILE, semantic_class=SemanticClass.DATABASE_MIGRATION)
        for place in range(300)
    ]
    ids = [one.object_id for one in objects]
    edges = [
        TwinEdge(source=one, edge=reason.edge, target=other, reason=reason)
        for reason in (EdgeReason.ORDER, EdgeReason.SUPERSEDES, EdgeReason.COPY)
        for one, other in zip(ids, [*ids[1:], ids[0]], strict=True)
    ]
    assert len(write_folder(synth(encoded(objects, edges)), tmp_path / "made")) == 300


def test_a_folder_that_is_there_is_not_touched(tmp_path: Path) -> None:
    data = encoded([TwinObject(object_id=object_id(1), kind=Kind.DOCUMENT)])
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "mine.txt").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "made")
    (tmp_path / "file").write_text("mine")
    for name, force in (("made", False), ("link", True), ("link", False), ("file", True)):
        with pytest.raises(InputError):
            write_folder(synth(data), tmp_path / name, force=force)
    assert (tmp_path / "made" / "mine.txt").read_text() == "mine"
    write_folder(synth(data), tmp_path / "made", force=True)
    assert not (tmp_path / "made" / "mine.txt").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "link", "made"]


@pytest.mark.parametrize("path", ["../out.txt", "/out.txt", "a/../../out.txt"])
def test_nothing_is_written_outside_and_nothing_half_done_stays(path: str, tmp_path: Path) -> None:
    files = [File("fine.txt", b"", "", "", "", tracked=True), File(path, b"", "", "", "", tracked=True)]
    with pytest.raises(InputError):
        write_folder(files, tmp_path / "made")
    assert list(tmp_path.iterdir()) == []


def test_sizes_are_kept_and_bounded() -> None:
    for size, least, most in (("small", 0, 10_000), ("medium", 10_000, 1_000_000), ("large", 1_000_001, 2_500_000)):
        for leaf in SemanticClass:
            one = TwinObject(
                object_id=object_id(1), kind=Kind.DOCUMENT, semantic_class=leaf, size_bucket=SizeBucket(size)
            )
            (file,) = synth(encoded([one]))
            if file.data and leaf not in ("notebook", "model_binary", "private_key", "certificate"):
                assert least <= len(file.data) <= most, (leaf, size)


def every_document(text: str) -> list[Any]:
    return list(yaml.safe_load_all(text))


READERS: dict[str, Any] = {
    "python": ast.parse, "json": json.loads, "notebook": json.loads, "toml": tomllib.loads, "yaml": every_document,
    "py": ast.parse, "yml": every_document, "sqlite": bytes,
}  # fmt: skip


@pytest.mark.parametrize("leaf", SemanticClass)
def test_every_form_is_valid_with_all_that_can_be_added(leaf: SemanticClass) -> None:
    for form in forms()[leaf]:
        if form.syntax not in READERS or "{{" in form.text:
            continue
        known = measured()[form.key]
        added = [(name, 1) for name in sorted(known.adds, key=lambda name: (name not in dict(form.tags), name))]
        for chosen in ([], added[:3], added[-2:], [(name, 4) for name, _ in added[:1]]):
            data = render(form, Values(Names(3, 1), "valid", 0), chosen, size="medium", remarks=["postgresql://"])
            READERS[form.syntax](data if form.syntax == "sqlite" else data.decode())


def test_what_is_made_is_valid(workspace: tuple[Environment, Twin]) -> None:
    twin = workspace[1]
    readers = READERS
    seen = set()
    blocked = {one.object_id for one in twin.objects if one.readiness != "ready"}
    for file in synth(encoded(twin.objects, twin.edges)):
        ending = file.path.rpartition(".")[2]
        if ending in readers and file.object_id not in blocked:
            readers[ending](file.data.decode())
            seen.add(ending)
    assert seen >= {"json", "yaml"}


def test_migrations_apply_in_their_order() -> None:
    objects = [
        TwinObject(
            object_id=object_id(place),
            kind=Kind.CODE_FILE,
            semantic_class=leaf,
            contains=(ContentTag.SCHEMA_DEFINITION,),
        )
        for place, leaf in enumerate([SemanticClass.TABLE_SCHEMA, *[SemanticClass.DATABASE_MIGRATION] * 3])
    ]
    files = [file for file in synth(encoded(objects)) if file.path.endswith(".sql")]
    assert files
    with closing(sqlite3.connect(":memory:")) as connection:
        for file in sorted(files, key=lambda file: file.path):
            connection.executescript(file.data.decode())


def test_every_word_of_a_path_is_public_or_made_up(workspace: tuple[Environment, Twin]) -> None:
    public = {piece for word in public_words() for piece in re.findall(r"[a-z]+", word.decode("ascii", "ignore"))}
    public |= set(words()["nouns"])
    for file in synth(encoded(workspace[1].objects, workspace[1].edges)):
        # What stands in the code alone would count as a word of whoever uses it too.
        assert set(re.findall(r"[a-z]+", file.path.lower())) <= public
