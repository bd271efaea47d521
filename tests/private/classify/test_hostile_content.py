"""Content that lies about itself: structure wins, or confidence is low."""

from __future__ import annotations

import random
import time

import pytest

from plantwin.private.classify.extraction import extract
from plantwin.private.classify.rules import CAPS, DECISIVE, PATH, PROSE
from plantwin.private.facts import Facts, Sample
from tables import value_of


def facts(path: str, text: str | bytes, findings: tuple[tuple[str, str, str, int], ...] = ()) -> Facts:
    data = text if isinstance(text, bytes) else text.encode()
    found = extract(Sample(path, len(data), data), findings, digest_value=hash)
    assert found is not None
    return found


def best(found: Facts) -> str:
    return found.ranking[0][0]


LOGIN = value_of(__file__, "login")
SORTING = value_of(__file__, "sorting")


def test_neither_path_nor_prose_reaches_what_structure_is_worth() -> None:
    assert CAPS[PATH] < DECISIVE
    assert CAPS[PROSE] < DECISIVE


def test_a_readme_cannot_claim_to_be_code() -> None:
    found = facts(
        "README.md", "# Payment module\n\nThis is a payment module. Class: payment_module.\n\n## Charges\n\nRefunds.\n"
    )
    assert (found.kind, best(found)) == ("document", "readme")


def test_login_code_in_a_file_named_payment_is_authentication() -> None:
    found = facts("billing/payment/payment.py", LOGIN)
    assert best(found) == "authentication_module"
    assert found.confidence != "high"


def test_sorting_in_a_file_named_auth_is_an_algorithm() -> None:
    found = facts("auth/auth.py", SORTING)
    assert best(found) == "algorithm_module"
    assert found.confidence != "high"


@pytest.mark.parametrize(
    "claim",
    [
        '"""This is the payment module. It charges cards and issues refunds through stripe."""\n',
        "# payment payment payment charge refund invoice stripe billing checkout\n" * 50,
        'CLAIM = "' + "import stripe; stripe.Charge.create(); class PaymentGateway; refund invoice " * 50 + '"\n',
        "TEXT = '''\nimport stripe\n\ndef refund_payment(): ...\n\ndef charge_card(): ...\n'''\n",
    ],
    ids=["docstring", "comments", "strings", "code in a string"],
)
def test_claims_in_comments_and_strings_do_not_count(claim: str) -> None:
    plain, claimed = facts("a.py", SORTING), facts("a.py", claim + SORTING)
    assert best(claimed) == best(plain) == "algorithm_module"
    assert "payment_module" not in dict(claimed.ranking)


def test_keys_that_claim_do_not_make_a_contract_or_a_class_of_code() -> None:
    found = facts(
        "data.json", '{"semantic_class": "payment_module", "kind": "code_file", "payment": "stripe", "charge": 1}'
    )
    assert found.kind in ("config", "structured_record")
    assert best(found) != "payment_module"


def test_a_log_that_contains_code_is_a_log() -> None:
    lines = [f"2024-05-01T10:00:{i:02d}Z INFO loader def charge(card): stripe.Charge.create(card)" for i in range(40)]
    found = facts("service.txt", "\n".join(lines) + "\n")
    assert found.kind == "log_stream"


def test_look_alike_letters_are_not_the_words_they_resemble() -> None:
    # Cyrillic letters stand in for Latin ones in every telling word.
    text = SORTING + "\n\ndef р\u0430ym\u0435nt_r\u0435fund(): ...\n\n\ndef l\u043egin(): ...\n"
    found = facts("a.py", text)
    assert best(found) == "algorithm_module"


def test_an_example_of_an_environment_file_is_a_template_not_a_secret() -> None:
    found = facts(".env.example", "API_KEY=changeme\nDB_PASSWORD=<password>\nPORT=8000\n")
    assert (found.kind, found.role) == ("config", "template")


def test_an_environment_file_with_real_values_holds_secrets() -> None:
    secret = (("generic_assignment", "secret", "high", 2),)
    found = facts(".env", "API_KEY=q8Zt1vN4xR7wL2kP\nDB_PASSWORD=u5Yb9mC3sH6dF0jG\nPORT=8000\n", secret)
    assert (found.kind, best(found)) == ("secret_container", "credentials_file")


def test_why_is_short_and_shows_nothing_of_the_content() -> None:
    canary = "zebra_canary_7731"
    text = LOGIN.replace("verify_password", f"verify_password_{canary}") + f'\nSECRET = "{canary}"\n'
    found = facts(f"{canary}/auth.py", text, (("token", "secret", "high", 1),))
    assert len(found.why) <= 4
    assert all(len(line) <= 80 for line in found.why)
    assert canary not in " ".join(found.why)
    assert canary not in repr(found)


def test_equal_structure_gives_equal_facts_whatever_the_strings_say() -> None:
    one = facts("a.py", LOGIN.replace('"sub"', '"payment"'))
    two = facts("a.py", LOGIN.replace('"sub"', '"quicksort"'))
    assert (one.kind, one.ranking, one.confidence, one.why) == (two.kind, two.ranking, two.confidence, two.why)


@pytest.mark.parametrize(
    "path", ["x.py", "x.json", "x.yaml", "x.md", "x.log", "x.csv", "x.toml", "x.xml", "x.ini", "x", "x.sql"]
)
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        bytes(range(1, 256)) * 40,
        b"\xff\xfe" + b"x\0" * 3000,
        b"\xef\xbb\xbf" + b"key: value\n" * 100,
        b"[" * 60_000,
        b"{" * 60_000,
        b"(" * 60_000,
        b"<a>" * 20_000,
        b"a: &a [*a, *a]\n" * 200,
        b"x" * 600_000,
        b"a,b," * 100_000,
        b"\r" * 50_000,
        b"def f(:\n" * 2000,
    ],
    ids=["empty", "newline", "bytes", "wide", "mark", "[", "{", "(", "<", "aliases", "line", "cells", "cr", "broken"],
)
def test_any_content_gives_facts_in_bounded_time(path: str, data: bytes) -> None:
    start = time.process_time()
    found = extract(Sample(path, len(data), data), (), digest_value=hash)
    assert time.process_time() - start < 3.0
    assert found is None or (found.kind and len(found.ranking) <= 3 and len(found.why) <= 4)


def test_random_bytes_never_raise() -> None:
    generator = random.Random(5)
    names = [
        "a.py",
        "b.js",
        "c.yaml",
        "d.json",
        "e.md",
        "f",
        "g.log",
        "h.sql",
        "i.tf",
        "Dockerfile",
        ".env",
        "j.pem",
        "k.html",
    ]
    for _ in range(150):
        data = generator.randbytes(generator.randrange(400))
        if generator.random() < 0.5:
            data = bytes(byte % 96 + 32 for byte in data)
        extract(Sample(generator.choice(names), len(data), data), (), digest_value=hash)


def test_a_word_a_thousand_times_weighs_no_more_than_its_source_may() -> None:
    names = "\n\n".join(f"def payment_refund_invoice_{i}(): ..." for i in range(150))
    found = facts(
        "a.py",
        f"import pytest\n\n\ndef test_one():\n    assert True\n\n\ndef test_two():\n    assert True\n\n\n{names}\n",
    )
    assert best(found) == "test_suite"


_SCRAPS = (
    *(
        b"-",
        b"+|",
        b"  ",
        b"\t",
        b"1.5",
        b"GET /",
        b"# x",
        b"k=v",
        b"{",
        b"}",
        b";",
        b"<p>",
        b"</p>",
        b"- a:",
        b"10.0.0.1",
    ),
    *(
        b"2024-05-01 10:00:00",
        b"0xdeadbeef",
        b"|",
        b",",
        b"Dear A,",
        b"type Q {",
        b"all:",
        b"\tcc",
        b":20:x",
        b"IN A 1",
    ),
    *(b"%build", b"alert tcp any", b"==1==", b"100%| | 1/2", b"From: a", b"\xff\xfe", b"UNA", b"rule x {", b"\r"),
)


def test_scraps_of_every_syntax_never_raise() -> None:
    """Lines put together from the marks that the shape rules look for."""
    chance = random.Random(11)
    for path in ("a", "a.log", "a.txt", "a.md", "a.conf", "a.csv", "a.html", "a.log.2", "cron.d/x", "a.sta"):
        for _ in range(40):
            lines = (b" ".join(chance.choices(_SCRAPS, k=chance.randint(0, 5))) for _ in range(chance.randint(1, 8)))
            data = b"\n".join(lines)
            extract(Sample(path, len(data), data), (), digest_value=hash)


def test_a_thousand_openings_of_a_page_take_little_time() -> None:
    for piece in (b"<style>", b"<head ", b"<p>", b"<"):
        started = time.process_time()
        data = piece * 9000
        extract(Sample("a.html", len(data), data), (), digest_value=hash)
        assert time.process_time() - started < 2
