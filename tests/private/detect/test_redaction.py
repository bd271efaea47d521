"""Placeholders, and the way back: exact to the byte, whatever the text already holds."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plantwin.errors import InputError
from plantwin.private.detect import detector, engine, stream
from plantwin.private.detect.redaction import Map, Redaction, Restoration, decode_map, encode_map
from plantwin.private.detect.stream import blocks
from plantwin.private.detect.summary import HIDDEN, Selection, known_types, preview, selection
from tables import cases

TOKEN = "ghu_kX" + "UvZ1kbhuk2bPr0afkYIqIXe4ujtz0V9gKO"
MAIL = "mara.brandt@granite.org"
OTHER = "tom.weber@granite.org"
WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")


def redacted(data: bytes, chosen: Selection | None = None, cut: int = 1 << 20) -> tuple[bytes, Map]:
    redaction = Redaction(chosen)
    pieces = (data[place : place + cut] for place in range(0, len(data), cut))
    out = b"".join(redaction.run(blocks(detector(), pieces)))
    return out, decode_map(encode_map(redaction.map()))


def restored(data: bytes, known: Map, cut: int = 1 << 20) -> bytes:
    return b"".join(Restoration(known).run(data[place : place + cut] for place in range(0, len(data), cut)))


def test_a_text_with_placeholders_of_its_own() -> None:
    data = f"<EMAIL_1> wrote to {MAIL}, not to <EMAIL_2> or <NOTE_7>\n".encode()
    out, known = redacted(data)
    # The first is there before any value needs its name; the second comes too late and gets another.
    assert out == b"<EMAIL_1> wrote to <EMAIL_2>, not to <EMAIL_3> or <NOTE_7>\n"
    assert restored(out, known) == data


def test_redacting_twice_changes_nothing() -> None:
    once, _ = redacted(f"from {MAIL} to {OTHER}\n".encode())
    again, known = redacted(once)
    assert again == once
    assert restored(again, known) == once


def test_a_value_that_looks_like_a_placeholder_is_not_replaced_again() -> None:
    known = Map(1, "utf-8", "utf-8", {"<A_1>": "<B_1>", "<B_1>": "<A_1>"}, {})
    assert restored(b"<A_1> <B_1>", known) == b"<B_1> <A_1>"


def test_an_answer_to_a_redacted_text_is_restored_and_unknown_placeholders_stay() -> None:
    _, known = redacted(f"from {MAIL}\n".encode("utf-16"))
    restoration = Restoration(known)
    out = b"".join(restoration.run([b"Dear <EMA", b"IL_1>, see <PHONE_4>; <EMAIL_12> <email_1>"]))
    assert out == f"Dear {MAIL}, see <PHONE_4>; <EMAIL_12> <email_1>".encode()
    assert (restoration.restored, restoration.unknown) == (1, 2)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", *WIDE])
def test_encodings(encoding: str) -> None:
    text = f"Grüße an {MAIL} – ключ: {TOKEN} 😀 <EMAIL_1> {MAIL}\n"
    data = text.encode(encoding)
    out, known = redacted(data)
    shown = out.decode(encoding)
    assert MAIL not in shown and TOKEN not in shown
    assert shown.count("<EMAIL_1>") == 2 and "<EMAIL_2>" in shown and "<GITHUB_TOKEN_1>" in shown
    assert restored(out, known) == data


def test_a_value_that_is_not_utf_8_comes_back_as_its_bytes() -> None:
    data = b'password = "Gr\xfcn-Hill7#xQ"\n'
    out, known = redacted(data)
    assert out == b'password = "<PASSWORD_1>"\n'
    assert list(known.raw) == ["<PASSWORD_1>"]
    assert restored(out, known) == data


PIECES = st.one_of(
    st.sampled_from(
        [
            *(MAIL, OTHER, TOKEN, "<EMAIL_1>", "<EMAIL_2>", "<GITHUB_TOKEN_1>", "<EMAIL_", "1>", "<", ">", "_1>"),
            *("password = ", '"Gr4nite#Hill"', " ", "\n", "84.22.107.9", "<A_1>", "<EMAIL_01>", "ü", "\u4500\u3c00"),
        ]
    ),
    st.text(max_size=8),
)
TEXTS = st.lists(PIECES, max_size=24).map("".join)
BINARY = st.lists(
    st.one_of(PIECES.map(lambda text: text.encode("utf-8", "replace")), st.binary(max_size=6)), max_size=24
)


@settings(max_examples=150, deadline=None)
@given(text=TEXTS, encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32", *WIDE]), cut=st.integers(1, 99))
@example(text=f"<EMAIL_1>{MAIL}<EMAIL_1>", encoding="utf-16-le", cut=1)
def test_round_trip_of_text(text: str, encoding: str, cut: int) -> None:
    data = text.encode(encoding, "replace")
    out, known = redacted(data)
    assert restored(out, known, cut) == data


@settings(max_examples=150, deadline=None)
@given(parts=BINARY, mark=st.sampled_from([b"", codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, b"\0"]))
def test_round_trip_of_bytes(parts: list[bytes], mark: bytes) -> None:
    data = mark + b" ".join(parts)
    out, known = redacted(data)
    assert restored(out, known) == data


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 9999), cut=st.sampled_from([1000, 4096, 65_536, 1 << 20]))
def test_round_trip_in_blocks(seed: int, cut: int) -> None:
    words = [MAIL, TOKEN, "<EMAIL_1>", "<EMAIL_2>", "plain words, and more of them", "\n", "x" * 700, "ä" * 50]
    lines = [words[(seed * (place + 3) + place * place) % len(words)] for place in range(900)]
    data = " ".join(lines).encode()
    with pytest.MonkeyPatch.context() as patch:
        for module in (engine, stream):
            patch.setattr(module, "SEGMENT", 64 << 10)
        out, known = redacted(data, cut=cut)
    assert MAIL.encode() not in out and TOKEN.encode() not in out
    assert restored(out, known, cut) == data


@pytest.mark.usefixtures("small_segments")
def test_blocks_cover_the_input_and_hold_their_findings_whole() -> None:
    data = ("ü" * 20_000 + f" {MAIL} {TOKEN} ").encode() * 8
    seen = list(blocks(detector(), [data]))
    assert b"".join(block.data for block in seen) == data
    assert len(seen) > 3 and max(len(block.data) for block in seen) < 200_000
    found = [each for block in seen for each in block.findings]
    assert [each[:5] for each in found] == [each[:5] for each in detector().scan(data)]
    for block in seen:
        block.data.decode()  # cut between characters
        assert all(block.base <= each.start < each.end <= block.base + len(block.data) for each in block.findings)


@cases("data")
def test_what_is_not_a_map_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="the map is not one"):
        decode_map(data)


def test_nothing_private_in_reprs() -> None:
    _, known = redacted(f"{MAIL}\n".encode())
    (block,) = blocks(detector(), [f"{MAIL}\n".encode()])
    for each in (known, block, Redaction(), Restoration(known)):
        assert "mara" not in repr(each) and "mara" not in str(each)


@given(st.text())
def test_a_preview_shows_a_third_at_most_and_no_length(value: str) -> None:
    shown = preview(value)
    revealed = len(shown) - len(HIDDEN)
    assert revealed <= min(8, len(value) / 3)
    assert shown[: revealed // 2] == value[: revealed // 2]
    assert HIDDEN in shown


def test_previews() -> None:
    assert preview("hunt2") == "****"
    assert preview("secret") == "s****t"
    assert preview("a" * 1000) == "aaaa****aaaa"
    assert preview(TOKEN) == "ghu_****9gKO"
    assert preview("") == "****"


def test_a_selection_refuses_words_that_name_nothing() -> None:
    known = known_types({"email", "aws_access_key", "aws_secret_key"})
    assert selection(known, ["aws_*"]).types == {"aws_access_key", "aws_secret_key"}
    assert selection(known, least="medium").confidences == {"medium", "high"}
    assert selection(known) == Selection()
    for wrong in (
        {"types": ["emial"]},
        {"types": ["zzz_*"]},
        {"types": [""]},
        {"groups": ["secrets"]},
        {"least": "sure"},
    ):
        with pytest.raises(InputError):
            selection(known, **wrong)  # type: ignore[arg-type]


def test_every_type_that_is_found_can_be_chosen() -> None:
    from plantwin.private.detect.rules import load, text_of

    rules = load()
    known = known_types(rule.type for rule in rules)
    texts = [(text_of(each), rule.example_path) for rule in rules for each in rule.examples]
    texts.append(
        ("name,dob,ssn,iban,salary,diagnosis\n" + "Mara Brandt,1980-02-03,123-45-6789,x1,50000,flu\n" * 3, "a.csv")
    )
    texts.append(
        ("Yesterday Mara Brandt, aged 41, of Granite Ltd moved to 12 Oak Street, Berlin, on 3 May 2024.\n" * 3, "a.md")
    )
    found = {each.type for text, path in texts for each in detector().scan(text.encode(), path=path)}
    assert found <= known
