"""By meaning: what is near to a goal is found without its words, from vectors that are made once and stay here."""

from __future__ import annotations

import json
import os
import stat
import struct
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from plantwin.private.capabilities import catalog
from plantwin.private.environment import Environment
from plantwin.private.selection.choice import select
from plantwin.private.selection.intents import families, intents
from plantwin.private.selection.meaning import encoder as encoding
from plantwin.private.selection.meaning import offer
from plantwin.private.selection.meaning import sense as sensing
from plantwin.private.selection.meaning.encoder import WIDTH, Encoder, Pieces
from plantwin.private.selection.meaning.sense import Kept, Nearness, Sense, Vectors, card
from plantwin.private.selection.mentions import mentions
from plantwin.private.state import State

CATALOG = catalog()
TOPICS = {"turnstile": 1, "badge": 1, "tomato": 2, "greenhouse": 2, "voucher": 3, "promo": 3}


class Topics:
    """Stands for the model: a text means the topics of its words."""

    def __init__(self):
        self.seen = []

    def vectors(self, texts, most):
        self.seen += texts
        made = np.zeros((len(texts), WIDTH), np.float32)
        for row, text in zip(made, texts, strict=True):
            row[0] = 0.1
            for word in text.lower().split():
                row[TOPICS.get(word.strip(".?,"), 0)] += 1.0
        return made / np.linalg.norm(made, axis=1, keepdims=True)


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    (root / "north.txt").write_text("badge accepted badge reader\n" * 3)
    (root / "glass.txt").write_text("greenhouse zone vent\n" * 3)
    (root / "rules.txt").write_text("promo codes stacking\n" * 3)
    for each in range(30):
        (root / f"other_{each}.txt").write_text(f"nothing in particular stands here piece {'x' * each}\n")
    for path in root.iterdir():
        os.utime(path, (1_700_000_000, 1_700_000_000))
    environment = Environment(root, state=tmp_path / "state")
    yield environment
    environment.close()


def made(environment, tmp_path, model=None):
    state = State(tmp_path / "state")
    file = state.subfolder("index") / "some.meaning.db"
    return Sense(environment.root, lambda: model or Topics(), file, state.keyed, environment.signatures)


def asked(goal, scan, sense, most=5):
    records = list(scan.records())
    able = frozenset(each.name for each in CATALOG.values())
    wanted, kinds = intents(goal, able), families(goal)
    return select(
        goal, records, tuple(scan.relations()), scan.words(), mentions(goal, records), wanted, kinds, CATALOG, most,
        sense,
    )  # fmt: skip


def settled(environment):
    """Signatures as of files that changed long ago: a test does not wait for that."""
    return {path: each._replace(size=7, mtime_ns=7, mode=0o100644) for path, each in environment.signatures().items()}


@pytest.mark.parametrize(
    ("goal", "wanted"),
    [("Why did the turnstile stay shut?", "north.txt"), ("Did the tomato plants freeze?", "glass.txt"),
     ("Can one voucher be combined with the next?", "rules.txt")],
)  # fmt: skip
def test_what_is_near_in_meaning_is_shown_without_a_word_in_common(folder, tmp_path, goal, wanted):
    scan = folder.scan()
    assert wanted in [each.path for each in asked(goal, scan, made(folder, tmp_path)).shown][:3]


def test_all_others_follow_once_each(folder, tmp_path):
    scan = folder.scan()
    ranked = asked("Why did the turnstile stay shut?", scan, made(folder, tmp_path))
    both = [each.number for each in (*ranked.shown, *ranked.rest)]
    assert len(ranked.shown) == 5
    assert sorted(both) == sorted(each.number for each in scan.records())


def test_a_goal_without_a_telling_word_is_not_looked_at(folder, tmp_path):
    model = Topics()
    asked("is anything unsafe here?", folder.scan(), made(folder, tmp_path, model))
    assert model.seen == []


def test_where_all_is_shown_nothing_is_looked_at(folder, tmp_path):
    model = Topics()
    assert not asked("Why did the turnstile stay shut?", folder.scan(), made(folder, tmp_path, model), most=40).rest
    assert model.seen == []


def test_what_a_goal_names_is_shown_first(folder, tmp_path):
    ranked = asked("Compare other_7.txt with the turnstile", folder.scan(), made(folder, tmp_path))
    assert ranked.shown[0].path == "other_7.txt"


def test_an_unchanged_file_is_looked_at_once(folder, tmp_path, monkeypatch):
    scan = folder.scan()
    records = list(scan.records())
    signatures = settled(folder)
    monkeypatch.setattr(folder, "signatures", lambda: signatures)
    first, second = Topics(), Topics()
    made(folder, tmp_path, first).near("the turnstile", records, range(len(records)))
    assert len(first.seen) == len(records) + 1
    monkeypatch.setattr(sensing, "card", lambda path, head: pytest.fail("an unchanged file was opened"))
    made(folder, tmp_path, second).near("the turnstile", records, range(len(records)))
    assert second.seen == ["the turnstile"]


def test_a_touched_file_is_opened_and_not_looked_at_again(folder, tmp_path, monkeypatch):
    records = list(folder.scan().records())
    signatures = settled(folder)
    monkeypatch.setattr(folder, "signatures", lambda: signatures)
    made(folder, tmp_path).near("the turnstile", records, range(len(records)))
    signatures["glass.txt"] = signatures["glass.txt"]._replace(mtime_ns=8)
    signatures["north.txt"] = signatures["north.txt"]._replace(mtime_ns=8)
    (folder.root / "north.txt").write_text("promo")
    model = Topics()
    made(folder, tmp_path, model).near("the turnstile", records, range(len(records)))
    assert model.seen == [card("north.txt", b"promo"), "the turnstile"]


def test_another_way_to_make_cards_makes_all_vectors_anew(folder, tmp_path, monkeypatch):
    records = list(folder.scan().records())
    signatures = settled(folder)
    monkeypatch.setattr(folder, "signatures", lambda: signatures)
    made(folder, tmp_path).near("the turnstile", records, range(len(records)))
    monkeypatch.setattr(sensing, "VERSION", b"another/")
    model = Topics()
    made(folder, tmp_path, model).near("the turnstile", records, range(len(records)))
    assert len(model.seen) == len(records) + 1


def test_a_second_goal_sees_what_changed_meanwhile(folder, tmp_path):
    sense = made(folder, tmp_path)
    assert asked("Did the tomato plants freeze?", folder.scan(), sense).shown[0].path == "glass.txt"
    (folder.root / "glass.txt").write_text("nothing in particular")
    (folder.root / "other_9.txt").write_text("greenhouse zone")
    assert asked("Did the tomato plants freeze?", folder.scan(), sense).shown[0].path == "other_9.txt"


def test_a_file_that_is_gone_is_forgotten(folder, tmp_path):
    records = list(folder.scan().records())
    made(folder, tmp_path).near("the turnstile", records, range(len(records)))
    (folder.root / "north.txt").unlink()
    left = list(folder.scan().records())
    made(folder, tmp_path).near("the turnstile", left, range(len(left)))
    kept = Vectors(tmp_path / "state" / "index" / "some.meaning.db", sensing.SIZE)
    assert kept.get("north.txt") is None
    assert kept.get("glass.txt") is not None


def test_time_that_is_up_leaves_the_rest_for_the_next_request(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(sensing, "PATIENCE", -1.0)
    monkeypatch.setattr(sensing, "EVERY", 4)
    records = list(folder.scan().records())
    sense = made(folder, tmp_path)
    order = sorted(range(len(records)), key=lambda each: records[each].path != "rules.txt")
    near = sense.near("the voucher", records, order)
    assert sense.left == len(records) - 4
    best = max(range(len(records)), key=near.points.__getitem__)
    assert records[best].path == "rules.txt"
    assert sum(each > 0 for each in near.points) <= 4


def test_a_link_is_not_followed(folder, tmp_path):
    scan = folder.scan()
    records = list(scan.records())
    (tmp_path / "outside.txt").write_text("tomato tomato tomato")
    (folder.root / "north.txt").unlink()
    (folder.root / "north.txt").symlink_to(tmp_path / "outside.txt")
    model = Topics()
    made(folder, tmp_path, model).near("the turnstile", records, range(len(records)))
    assert not any("tomato" in each for each in model.seen)


def test_a_family_of_like_objects_does_not_take_all_places():
    objects = np.zeros((40, WIDTH), np.float32)
    objects[:30, 0] = 1.0
    objects[:30, 1] = np.linspace(0.0, 0.1, 30)
    for each in range(30, 40):
        objects[each, 0], objects[each, each] = 0.3, 0.95
    objects /= np.linalg.norm(objects, axis=1, keepdims=True)
    goal = np.zeros(WIDTH, np.float32)
    goal[0] = 1.0
    near = Nearness(goal, objects)
    order = sorted(range(40), key=lambda each: -near.points[each])
    assert all(each < 30 for each in order[:10])
    chosen = near.varied(near.points, order, [], 10)
    assert chosen[0] < 30
    assert sum(each < 30 for each in chosen) <= 2
    assert len(set(near.varied(near.points, order, [3], 12)) - {3}) == 12


def test_objects_of_which_nothing_is_known_get_nothing():
    near = Nearness(np.ones(WIDTH, np.float32), np.zeros((3, WIDTH), np.float32))
    assert near.points == [0.0, 0.0, 0.0]
    assert sorted(near.varied([1.0, 3.0, 2.0], [1, 2, 0], [], 5)) == [0, 1, 2]


def test_a_card_has_no_digits_and_each_word_once():
    text = b"def chargeCard(token='sk_live_4eC39HqLyjWDarjtT1zdp7dc'): # card 4111 1111\n  chargeCard(retry)"
    words = card("a/very/deep/shop/payment_v2.py", text).split()
    assert "sk" not in words
    assert not any(any(letter.isdigit() for letter in word) for word in words)
    assert words.index("payment") < words.index("charge") < words.index("retry")
    assert words.count("charge") == 1
    assert "very" not in words


def test_a_card_of_what_is_no_text_has_its_place_alone():
    assert card("photos/summer.bin", b"tomato\0tomato").split()[-1] == "."


def test_pieces(tmp_path):
    file = tmp_path / "vocab.txt"
    file.write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "turn", "##stile", "##s", "cafe", "."]))
    pieces = Pieces(file)
    assert pieces.of("Turnstiles.", 10) == [2, 4, 5, 6, 8, 3]
    assert pieces.of("Turnstiles.", 4) == [2, 4, 5, 3]
    assert pieces.of("Café turnx", 10) == [2, 7, 1, 3]
    assert pieces.of("turn" * 30, 10) == [2, 1, 3]


def test_vectors_are_kept_for_their_owner_alone(tmp_path):
    file = tmp_path / "some.db"
    kept = Vectors(file, 3)
    kept.keep({"a\udcff.txt": Kept(b"stamp", b"digest", b"abc"), "short": Kept(b"", b"", b"ab")})
    again = Vectors(file, 3)
    assert again.get("a\udcff.txt") == (b"stamp", b"digest", b"abc")
    assert again.get("short") is None
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "abc" not in repr(again.get("a\udcff.txt"))
    again.drop(["a\udcff.txt"])
    assert Vectors(file, 3).get("a\udcff.txt") is None


def test_a_damaged_file_of_vectors_costs_time_alone(tmp_path):
    file = tmp_path / "some.db"
    file.write_bytes(b"no database" * 100)
    kept = Vectors(file, 3)
    kept.keep({"a": Kept(b"", b"", b"abc")})
    assert kept.get("a") is not None


def _written(folder, rows):
    """A model with random weights, of one layer."""
    numbers = np.random.default_rng(3)
    shapes = {
        "embeddings.word_embeddings.weight": (rows, WIDTH),
        "embeddings.position_embeddings.weight": (32, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
    }
    for norm in ("embeddings.", "encoder.layer.0.attention.output.", "encoder.layer.0.output."):
        shapes |= {f"{norm}LayerNorm.{part}": (WIDTH,) for part in ("weight", "bias")}
    for part, size, out in (
        *((f"attention.{each}", WIDTH, WIDTH) for each in ("self.query", "self.key", "self.value", "output.dense")),
        ("intermediate.dense", WIDTH, 4 * WIDTH),
        ("output.dense", 4 * WIDTH, WIDTH),
    ):
        shapes |= {f"encoder.layer.0.{part}.weight": (out, size), f"encoder.layer.0.{part}.bias": (out,)}
    head, body = {"__metadata__": {"format": "pt"}}, b""
    for name, shape in shapes.items():
        table = numbers.normal(0, 0.1, shape).astype("<f4").tobytes()
        head[name] = {"dtype": "F32", "shape": shape, "data_offsets": [len(body), len(body) + len(table)]}
        body += table
    told = json.dumps(head).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(told)) + told + body)
    (folder / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *"abcdefgh"]))


def test_the_model_gives_a_text_the_same_vector_alone_and_among_others(tmp_path, monkeypatch):
    monkeypatch.setattr(encoding, "LAYERS", 1)
    _written(tmp_path, 12)
    model = Encoder(tmp_path / "model.safetensors", tmp_path / "vocab.txt")
    texts = ["a b", "c d e f", "g h", "", "a"]
    together = model.vectors(texts, 16)
    alone = np.concatenate([model.vectors([each], 16) for each in texts])
    assert np.allclose(together, alone, atol=1e-5)
    assert np.allclose(np.linalg.norm(together, axis=1), 1.0, atol=1e-5)
    assert not np.allclose(together[0], together[2], atol=1e-2)
    assert np.allclose(model.vectors(["a b c d"], 4), model.vectors(["a b"], 4), atol=1e-5)


def test_the_real_model_knows_what_is_near_where_it_is_installed():
    folder = offer.located()
    if find_spec(offer.PACKAGE) is None:
        assert folder is None
        return
    model = Encoder(folder / offer.WEIGHTS, folder / offer.VOCABULARY)
    cat, feline, invoice = model.vectors(
        ["a cat sits on the mat", "the feline rests on a rug", "invoice overdue reminder"], 32
    )
    assert cat @ feline > 0.4
    assert abs(cat @ invoice) < 0.1


def test_without_the_extra_there_is_no_sense_and_numpy_is_not_loaded(tmp_path, monkeypatch):
    monkeypatch.setattr(offer, "find_spec", lambda name: None)
    assert offer.sense(tmp_path, State(tmp_path / "state"), dict) is None
    command = (
        "import plantwin.workspace, plantwin.private.selection.meaning.offer, sys; sys.exit('numpy' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", command], check=True)


def test_what_is_private_prints_as_such(folder, tmp_path):
    records = list(folder.scan().records())
    sense = made(folder, tmp_path)
    near = sense.near("the turnstile", records, range(len(records)))
    assert repr(sense) == "<Sense private>"
    assert repr(near) == "<Nearness private>"
    assert repr(sense._vectors) == "<Vectors private>"
