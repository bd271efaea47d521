"""Rules are data: each proves itself by its own examples, a dangerous one is refused, check digits are checked."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.util import find_spec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plantwin.errors import ConfigError
from plantwin.private.detect import RULES_VERSION, Detector, allowed_here, sensitivity, summarize
from plantwin.private.detect import national_ids as ids
from plantwin.private.detect.allow import REACH
from plantwin.private.detect.compiled import build
from plantwin.private.detect.engine import HANDLERS, MARGIN
from plantwin.private.detect.rules import Rule, load, parse, refused, text_of, unbounded, version
from plantwin.private.detect.validators import VALIDATORS
from plantwin.vocabulary import Kind, Sensitivity
from tables import cases

RULES = load()


def types(rule: Rule, text: str, found: Detector) -> set[str]:
    findings = found.scan(text.encode(), path=rule.example_path)
    # A handler reads several types; its examples must yield its group.
    return {each.type if rule.handler == "token" else each.group for each in findings}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.type)
def test_examples_are_found(rule: Rule, found: Detector) -> None:
    assert rule.examples, "a rule without an example proves nothing"
    for example in rule.examples:
        assert (rule.type if rule.handler == "token" else rule.group) in types(rule, text_of(example), found)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.type)
def test_counterexamples_are_not_found(rule: Rule, found: Detector) -> None:
    assert rule.counterexamples
    for example in rule.counterexamples:
        assert (rule.type if rule.handler == "token" else rule.group) not in types(rule, text_of(example), found)


def test_at_least_150_provider_formats() -> None:
    here = [rule for rule in RULES if rule.group == "secret" and rule.handler == "token"]
    assert len({rule.type for rule in here}) >= 150


def test_names_of_code_exist() -> None:
    for rule in RULES:
        kind, _, module = rule.validator.partition(":")
        assert not kind or kind in VALIDATORS or (kind == "stdnum" and find_spec(f"stdnum.{module}"))
        assert rule.handler in HANDLERS or rule.handler in {"wrapped", "spliced"}
        assert rule.description[0].isupper() or rule.description[0].isalnum()


def test_every_pattern_is_bounded() -> None:
    for rule in RULES:
        assert not unbounded(rule.pattern), rule.type
        re.compile(rule.expression.encode())


@pytest.mark.parametrize("pattern", ["a+", "(?:ab)*", "x{3,}", "[a-z]+b", r"\w{2,}"])
def test_unbounded_patterns_are_refused(pattern: str) -> None:
    text = f"[[rule]]\ntype='my_rule'\ngroup='secret'\nconfidence='high'\ndescription='D'\npattern='{pattern}'\n"
    with pytest.raises(ConfigError, match="unbounded"):
        parse(text)


@cases("text")
def test_malformed_rules_are_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        parse(text)


def test_a_rule_added_is_a_rule_run() -> None:
    rules = parse(
        "[[rule]]\ntype='badge_number'\ngroup='identifier'\nconfidence='high'\ndescription='Badge'\npattern='BDG-\\d{6}'\n"
    )
    (finding,) = Detector(build(rules)).scan(b"see BDG-123456 there")
    assert finding == ("badge_number", "identifier", 4, 14, "high", "")


def test_bounded_classes_are_not_mistaken() -> None:
    assert not unbounded(r"[+*]{1,3}\+\*a{2}b{0,4}")
    assert not unbounded(r"[^\]+]{1,9}")


def test_version_is_stable_and_short() -> None:
    assert version() == RULES_VERSION
    assert re.fullmatch("[0-9a-f]{32}", RULES_VERSION)


def test_examples_of_well_known_formats_are_split() -> None:
    """So that the rule files themselves raise no alarm elsewhere."""
    for rule in RULES:
        if rule.type in {"github_token", "aws_access_key", "slack_token", "stripe_key", "private_key"}:
            assert any(not isinstance(example, str) for example in rule.examples)


CHECKS: dict[str, Callable[[bytes], bool]] = {
    **{name: getattr(ids, name) for name in ("luhn", "iban", "us_ssn", "national", "uk_nhs", "spain_dni", "italy_cf")},
    **{
        f"{size} digits {number}": check for size, checks in ids.NATIONAL.items() for number, check in enumerate(checks)
    },
    **{f"{size} named {number}": check for size, checks in ids.NAMED.items() for number, check in enumerate(checks)},
    **{f"lettered {form.pattern!r}": check for form, check in ids.LETTERED if check is not ids._always},
    **{rule.description: ids.stdnum(rule.validator[7:]) for rule in load() if rule.validator.startswith("stdnum:")},
}
TEXT = (
    st.binary(max_size=30)
    | st.text("0123456789", max_size=30).map(str.encode)
    | st.text("0123456789ABCXYZ -.", max_size=30).map(str.encode)
    # Close to valid: a place, a birth date and a rest.
    | st.from_regex(rb"[1-6][0-9]{5}(?:19[0-9]{2}1[0-2]2[0-9]|8[0-9]0[1-9]1[0-9])[0-9]{3,4}X?", fullmatch=True)
)
CANADA, NETHERLANDS, AUSTRALIA = ids.NATIONAL[9][1:4]
GERMANY, BELGIUM, POLAND, BRAZIL, NORWAY, TURKEY = ids.NATIONAL[11]
VALID = [
    (ids.luhn, b"4539148803436467"),
    (ids.luhn, b"4111111111111111"),
    (ids.iban, b"DE89370400440532013000"),
    (ids.iban, b"GB82WEST12345698765432"),
    (ids.uk_nhs, b"9434765919"),
    (CANADA, b"130692544"),
    (NETHERLANDS, b"111222333"),
    (AUSTRALIA, b"876543210"),
    (GERMANY, b"86095742719"),
    (BELGIUM, b"85073003328"),
    (POLAND, b"44051401359"),
    (BRAZIL, b"52998224725"),
    (TURKEY, b"10000000146"),
    (ids.NATIONAL[12][0], b"234123412346"),
    (ids.NATIONAL[15][0], b"255081416802538"),
    (ids.sweden_pn, b"8112189876"),
    (ids.sweden_pn, b"198112189876"),
    (ids.sweden_pn, b"8112789873"),  # A coordination number
    (ids.south_africa_id, b"8001015009087"),
    (ids.south_africa_id, b"8001015009285"),  # A refugee
    (ids.china_id, b"11010519491231002X"),
    (ids.spain_dni, b"12345678Z"),
    (ids.finland_hetu, b"131052-308T"),
    (ids.italy_cf, b"RSSMRA85T10A562S"),
]


@given(value=TEXT)
def test_no_check_raises(value: bytes) -> None:
    for name, check in CHECKS.items():
        assert check(value) in (True, False), name


@pytest.mark.parametrize(("check", "number"), VALID)
def test_a_valid_number_passes_and_a_changed_one_does_not(check: Callable[[bytes], bool], number: bytes) -> None:
    assert check(number)
    assert check in (ids.luhn, ids.iban) or ids.national(number)
    place = next(place for place in range(len(number) - 2, -1, -1) if number[place : place + 1].isdigit())
    assert not check(number[:place] + b"%d" % ((number[place] - 47) % 10) + number[place + 1 :])


@pytest.mark.parametrize(
    "number", [b"000121234", b"666121234", b"900121234", b"219001234", b"219120000", b"123456789", b"21945123"]
)
def test_impossible_social_security_numbers(number: bytes) -> None:
    assert not ids.us_ssn(number)
    assert ids.us_ssn(b"219451234")


def test_at_least_sixty_kinds_of_numbers() -> None:
    assert len(CHECKS) >= 60


def test_a_rule_of_a_folder_names_no_module() -> None:
    text = "[[rule]]\ntype='my_rule'\ngroup='secret'\nconfidence='high'\ndescription='D'\npattern='a{4}'\n"
    with pytest.raises(ConfigError):
        parse(text + "module='os'\n")
    assert "validator" in refused(parse(text + "validator='stdnum:util'\n"))


# Comments that allow a finding mark it; they never take it out of an object's sensitivity

TOKEN = "ghp_" + "Zq8tX2eM5wCjUgRyLf0O7aKb3SdHn1Pi9Ev2"
LINE = f'token = "{TOKEN}"'


def allowed(found: Detector, text: str, path: str = "a.py") -> list[str]:
    return [each.allowed for each in found.scan(text.encode(), path=path) if each.group == "secret"]


@pytest.mark.parametrize(
    "text",
    [
        f"{LINE}  # plantwin: allow",
        f"{LINE}  # plantwin:allow test key of the sandbox",
        f"{LINE}; // plantwin: allow",
        f"{LINE} /* plantwin: allow */ + rest",
        f"{LINE} -- plantwin: allow",
        f"<a>{LINE}</a> <!-- plantwin: allow -->",
        f"{LINE}  # plantwin: allow[github_token]",
        f"{LINE}  # plantwin: allow [password, github_token]",
        f"# plantwin: allow\n{LINE}",
        f"    // plantwin: allow: a key of the sandbox\r\n    {LINE}",
        f"/* plantwin: allow */\n{LINE}",
        f"/* plantwin: allow */ {LINE}",
        f"# plantwin: allow\n{LINE}  # more",
    ],
)
def test_a_comment_marks_the_finding(found: Detector, text: str) -> None:
    assert allowed(found, text) == ["comment"]


@pytest.mark.parametrize(
    "text",
    [
        f"{LINE}",
        f"{LINE}  # plantwin: allowed",
        f"{LINE}  # plantwin: allow-list",
        f"{LINE} plantwin: allow",
        f"{LINE}  # plantwin: deny",
        f"{LINE}  # plantwin: allow[email]",
        f"{LINE}\n# plantwin: allow",
        f"# plantwin: allow\n\n{LINE}",
        f"x = 1  # plantwin: allow\n{LINE}",
        "# plantwin: allow" + " " * (2 * REACH) + LINE,
    ],
)
def test_what_is_no_comment_for_it_marks_nothing(found: Detector, text: str) -> None:
    assert allowed(found, text) == [""]


def test_several_comments_on_one_line(found: Detector) -> None:
    text = f"{LINE} # mara.brandt@granite-hill.org # plantwin: allow[email] # plantwin: allow[github_token]"
    assert {each.allowed for each in found.scan(text.encode(), path="a.py")} == {"comment"}


def test_only_the_next_line_follows_a_comment_that_stands_alone(found: Detector) -> None:
    assert allowed(found, f"# plantwin: allow\n{LINE}\n{LINE}") == ["comment", ""]


def test_sensitivity_does_not_drop_and_the_summary_tells(found: Detector) -> None:
    plain, marked = f"{LINE}\n".encode(), f"{LINE}  # plantwin: allow\n".encode()
    level = sensitivity(found.survey(plain, path="a.env"), Kind.CONFIG)
    assert level[0] == Sensitivity.HIGH
    summary = found.survey(marked, path="a.env")
    assert sensitivity(summary, Kind.CONFIG) == level
    assert allowed_here(summary) == 1
    assert allowed_here(found.survey(plain, path="a.env")) == 0
    assert summarize(found.scan(marked, path="a.env")) == summary
    assert [row for row in summary if row[1] != "note"] == list(found.survey(plain, path="a.env"))


def test_wide_text(found: Detector) -> None:
    data = f"\ufeff{LINE}  # plantwin: allow\n".encode("utf-16-le")
    assert [each.allowed for each in found.scan(data)] == ["comment"]


def test_streams_mark_alike_wherever_input_is_cut(found: Detector, small_segments: int) -> None:
    filler = b"# nothing here\n" * 7_000
    body = f"# plantwin: allow\n{LINE}\n".encode()
    for shift in (0, 9, 17, 24, 60):
        data = filler[: small_segments - shift] + body + filler[: MARGIN * 2]
        whole = found.scan(data, path="a.py")
        marks = [each.allowed for each in whole if each.group == "secret"]
        assert marks == ["comment"] if data[small_segments - shift - 1 : small_segments - shift] == b"\n" else [""]
        stream = found.stream("a.py")
        for place in range(0, len(data), 7_001):
            stream.feed(data[place : place + 7_001])
        assert stream.finish() == whole


def test_many_comments_stay_linear(found: Detector) -> None:
    data = (b"#plantwin:allow " + TOKEN.encode() + b" ") * 4_000
    assert found.scan(data, path="a.py")
