"""Hostile source: every reader ends in bounded time, keeps its bounds and never raises."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from time import process_time

import pytest

from plantwin.private.classify.identify import identify
from plantwin.private.classify.languages import CODE_FORMATS, outline_code
from plantwin.private.classify.line_shapes import source_like
from plantwin.private.facts import Outline
from plantwin.private.formats.source_views import PYTHON, RUBY, separate
from plantwin.private.formats.syntax_tree import MAX_NESTING, PARSE_LIMIT, head_of, refused
from tables import cases, value_of

FORMATS = sorted(CODE_FORMATS)
SECONDS = 2.0
"""For one file of garbage on a busy machine; about a tenth is typical."""

BAITS = [
    *(bytes((code,)) for code in b"\"'`([{<\\/#$-@*=!,;:.&|\xff\n"),
    *b"import 'a''' <!-- => */ /* {% {{ {# a. a:: a-> a< <a <T>( x=$( require( SELECT".split(),
    *b"EXTRACT( url( <script> ?> =begin <% */* insert-into a,b".split(),
    b"from a import ",
    b"\nimport {a,\n",
    b'<a b="',
    b"<<A\n",
    b"\nint a ",
    b"\nint a(",
    b"\npublic ",
    b"\nclass A(",
    b"\nuse a::{",
    b"\nlog.info(password ",
    b" FROM a, ",
    b"with a as (",
    b"\n@A",
    b"\nA=b ",
]
SAMPLE = value_of(__file__, "sample").encode()


def bounded(format: str, data: bytes, path: str = "x") -> Outline:
    started = process_time()
    outline = outline_code(format, data, path)
    assert process_time() - started < SECONDS
    assert len(outline.references) <= 80
    assert len(outline.provides) <= 40
    assert len(outline.names) <= 200
    assert len(outline.calls) <= 200
    assert all(len(each.target) <= 200 for each in outline.references)
    return outline


@pytest.mark.parametrize("format", FORMATS)
def test_repeated_tokens(format: str) -> None:
    for bait in BAITS:
        for size in (PARSE_LIMIT, 30_000):
            bounded(format, (bait * (size // len(bait) + 1))[:size])


@pytest.mark.parametrize("format", FORMATS)
def test_random_bytes(format: str) -> None:
    source = random.Random(format)
    for _ in range(6):
        bounded(format, source.randbytes(6_000))
        bounded(format, source.randbytes(6_000).replace(b"\0", b"\n"))
        bounded(format, b"".join(source.choices(BAITS, k=1_500)))


@pytest.mark.parametrize("format", FORMATS)
def test_truncated_and_shuffled_code(format: str) -> None:
    source = random.Random(format)
    for _ in range(20):
        cut = source.randrange(len(SAMPLE))
        bounded(format, SAMPLE[:cut])
        bounded(format, SAMPLE[cut:] + SAMPLE[:cut])
        noisy = bytearray(SAMPLE * 5)
        for _ in range(40):
            noisy[source.randrange(len(noisy))] = source.randrange(1, 256)
        bounded(format, bytes(noisy))


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("bracket", [b"(", b"[", b"{", b"<", b"( ", b"[\n"])
def test_deep_brackets(format: str, bracket: bytes) -> None:
    closing = bracket.translate(bytes.maketrans(b"([{<", b")]}>"))
    for depth in (MAX_NESTING - 1, 20_000):
        bounded(format, bracket * depth)
        bounded(format, b"x = " + bracket * depth + closing * depth + b"\n")


@pytest.mark.parametrize("format", FORMATS)
def test_nul_bytes_are_not_source(format: str) -> None:
    outline = bounded(format, b"import os\n\0\0import sys\n")
    assert not outline.parsed
    assert outline.lines == 2
    assert not outline.references


@pytest.mark.parametrize("format", FORMATS)
def test_one_huge_line(format: str) -> None:
    outline = bounded(format, b"a = b(c); " * 500_000)
    assert outline.lines == 1


@pytest.mark.parametrize("format", FORMATS)
def test_broken_text(format: str) -> None:
    outline = bounded(format, b"import caf\xe9\n\xff\xfe\xfd def \x80()\n" * 20)
    for text in (*outline.names, *outline.calls):
        text.encode("utf-8")


def test_refusal() -> None:
    assert refused(b"x = 1\0")
    assert refused(b"(" * 5_000)
    assert refused(b"(" * 2_000 + b")" * 2_000)
    assert refused(b"x" * 30_000)
    assert not refused(SAMPLE)
    assert not refused(b"f(g(h([{}])))\n" * 200)


def test_a_slow_parse_is_given_up() -> None:
    """Error recovery over operators would take a minute; line rules still find what is there."""
    outline = bounded("ruby", b"<!--" * 900 + b"\ndef found\nend\n")
    assert "found" in outline.names


def test_head_ends_at_a_line() -> None:
    data = b"def f():\n    pass\n\n" * 1_000
    head = head_of(data, 1_000)
    assert len(head) <= 1_000
    assert data[len(head) : len(head) + 3] == b"def"
    assert head_of(b"x" * 5_000, 1_000) == b""


@pytest.mark.parametrize("offset", range(0, 60, 3))
def test_a_cut_never_splits_a_token(offset: int) -> None:
    raw = b'a = 1\nb = """x\ny\nz"""; c = "d"\n# note\ne = 2\n' * 2
    text = separate(PYTHON, raw)
    end, rest = text.cut(offset)
    assert end <= offset
    assert text.code.endswith(rest)
    assert raw[end - 1 : end] in (b"", b"\n") or end == offset


def test_separation_keeps_only_plain_strings() -> None:
    text = separate(PYTHON, b"open('data/x.csv')  # 'a'\nf('a b', \"import x\")\n")
    assert text.code == b'open(\'data/x.csv\')  \nf("", "")\n'
    assert text.comments == [b"# 'a'"]
    assert separate(RUBY, b"x = <<~SQL\n  a\nSQL\ny\n").code == b'x = ""SQL\ny\n'


def test_names_of_content_never_reach_errors() -> None:
    """Nothing is raised, so nothing is quoted."""
    for format in FORMATS:
        bounded(format, b"\x00secret-canary", "secret-canary")


def test_grammars_load_on_first_use() -> None:
    code = (
        "import sys; import plantwin.private.classify.languages as l; "
        "assert 'tree_sitter' not in sys.modules; "
        "l.outline_code('generic', b'x = 1', 'a.lua'); assert 'tree_sitter' not in sys.modules; "
        "l.outline_code('go', b'package a', 'a.go'); "
        "assert 'tree_sitter_go' in sys.modules and 'tree_sitter_python' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# What the look of statements tells, routes that are counted once, and code without a known ending

FLASK = value_of(__file__, "flask").encode()


def test_imports_and_helpers_of_a_framework_are_no_routes() -> None:
    features = outline_code("python", FLASK, "app.py").features
    assert features["route"] == 2
    assert features["web_import"] >= 2


def test_a_router_is_known_by_what_it_was_given() -> None:
    source = b"""import { Router } from 'express';
export const hooks = Router();
hooks.post('/in', take);
cache.get('x');
"""
    assert outline_code("typescript", source, "hooks.ts").features["route"] == 1


def test_computation_is_dense() -> None:
    source = b"""
def bilinear(g, x, y):
    i, j = int(x), int(y)
    i, j = max(i, 0), max(j, 0)
    u, v = x - i, y - j
    return (1 - u) * (1 - v) * g[j][i] + u * (1 - v) * g[j][i + 1] + (1 - u) * v * g[j + 1][i] + u * v * g[j + 1][i + 1]
"""
    assert outline_code("python", source, "a.py").features["computation"] >= 8
    plain = b"def names(rows):\n    return [row.name for row in rows]\n" * 8
    assert "computation" not in outline_code("python", plain, "a.py").features


def test_rules_compare_attributes_and_refuse() -> None:
    source = b"""
def assign(member, plots):
    if member.arrears > GRACE:
        raise InArrears(member)
    if member.joined >= LIMIT:
        raise TooLate(member)
    for plot in plots:
        if plot.holder is None:
            plot.holder = member.id
            return plot
"""
    assert outline_code("python", source, "a.py").features["rule_check"] >= 4


@cases("source", "feature")
def test_a_client_is_what_it_sends(source: bytes, feature: str) -> None:
    assert outline_code("python", source, "a.py").features[feature] >= 2


def test_a_client_that_sends_nothing_of_the_sort() -> None:
    source = b"import requests\ndef slots(day):\n    return requests.get(U, params={'day': day}).json()\n"
    assert not outline_code("python", source, "a.py").features.keys() & {"payment_call", "mail_call", "auth_call"}


@cases("path", "source", "feature")
def test_languages_without_a_reader(path: str, source: bytes, feature: str) -> None:
    assert outline_code("generic", source, path).features[feature] >= 1


@cases("text")
def test_code_of_an_unknown_language_is_code(text: bytes) -> None:
    assert identify("x/unknown.zzz", text) == "generic"


@cases("text")
def test_prose_and_lists_are_no_code(text: bytes) -> None:
    assert identify("x/unknown.zzz", text) == "text"


def test_hostile_lines_take_no_time() -> None:
    started = time.process_time()
    for bait in (b"a.b.c." * 2000, b"[i" * 6000, b"(((" * 4000, b"x " * 6000, b"if a.b " * 2000):
        source_like([bait[:400]] * 48)
        outline_code("python", b"def f():\n    " + bait, "a.py")
    assert time.process_time() - started < 3.0
