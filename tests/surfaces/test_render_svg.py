"""The picture of a twin: well formed, inert, deterministic, without overlap."""

from __future__ import annotations

import random
import time
from collections import Counter
from xml.etree import ElementTree

import pytest

from plantwin.surfaces.render.svg import (
    KINDS,
    RINGS,
    STROKES,
    Caption,
    Graph,
    Link,
    Node,
    arrange,
    chosen,
    draw,
    shortened,
)
from plantwin.vocabulary import EdgeType, Kind, Sensitivity

SVG = "{http://www.w3.org/2000/svg}"
CAPTION = Caption("The twin", "12 objects")


def made(number: int, components: int, seed: int = 1) -> tuple[list[Node], list[Link]]:
    """A random graph, with more links inside components than across them."""
    chance = random.Random(seed)
    nodes = [
        Node(
            chance.choice(list(KINDS)),
            "readme",
            chance.choice(["low", "high"]),
            f"{index:08}",
            f"c{index % components}",
        )
        for index in range(number)
    ]
    links = [
        Link(index, other, chance.choice(list(STROKES)))
        for index in range(number)
        for other in (chance.randrange(number), (index + components) % number)
        if other != index
    ]
    return nodes, links


def test_every_word_has_its_look() -> None:
    assert set(KINDS) == {kind.value for kind in Kind}
    assert set(STROKES) == {edge.value for edge in EdgeType} - {EdgeType.REQUIRES_CAPABILITY}
    assert set(RINGS) < {level.value for level in Sensitivity}


def test_colours_stand_out_from_the_paper() -> None:
    """At least 3 to 1, as graphical objects need."""

    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    for fill, _ in KINDS.values():
        assert 1.05 / (light(fill) + 0.05) >= 3
    assert len({form for _, form in KINDS.values()}) == len(KINDS)


def test_the_document_is_well_formed_and_inert() -> None:
    nodes, links = made(40, 4)
    root = ElementTree.fromstring(draw(chosen(nodes, links, 120), CAPTION))
    assert root.tag == f"{SVG}svg"
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert not tags & {"script", "image", "a", "use", "foreignObject", "animate", "set"}
    for element in root.iter():
        assert not any(name.startswith("on") or name.endswith("href") for name in element.attrib)
    assert root.findtext(f"{SVG}title") == "The twin"


def test_hostile_names_stay_text() -> None:
    name = "</text><script>alert(1)</script>\x00\x1b]0;x\x07&\"'\ud800"
    node = Node("config", "app_config", "high", name, component="<b>&", tools=1)
    picture = draw(chosen([node, node._replace(label="b")], [Link(0, 1, "depends_on")], 9), CAPTION)
    picture.encode("utf-8")
    root = ElementTree.fromstring(picture)
    assert not [element for element in root.iter() if element.tag == f"{SVG}script"]
    assert "\x1b" not in picture and "\x00" not in picture


def test_the_picture_does_not_depend_on_ids_or_order() -> None:
    nodes, links = made(60, 6)
    nodes = [node._replace(semantic_class=f"class{index}") for index, node in enumerate(nodes)]
    order = list(range(len(nodes)))
    random.Random(7).shuffle(order)
    place = {old: new for new, old in enumerate(order)}
    other_nodes = [nodes[old] for old in order]
    other_links = [Link(place[link.source], place[link.target], link.edge) for link in reversed(links)]
    assert draw(chosen(nodes, links, 50), CAPTION) == draw(chosen(other_nodes, other_links, 50), CAPTION)


def test_the_most_linked_are_drawn_and_the_rest_counted() -> None:
    nodes = [Node("config", "app_config", "low", f"n{index}", "c") for index in range(30)]
    links = [Link(index, index % 3, "depends_on") for index in range(3, 30)]
    graph = chosen(nodes, links, 3)
    assert {node.label for node in graph.nodes} == {"n0", "n1", "n2"}
    assert graph.hidden == Counter(config=27)
    assert graph.components == Counter(c=27)
    assert graph.hidden_links == 27
    picture = draw(graph, CAPTION)
    assert "NOT SHOWN" in picture and ">27<" in picture


def test_nodes_and_boxes_do_not_overlap() -> None:
    components = [f"c{index % 7}" for index in range(90)]
    boxes, points = arrange(components)
    assert len({(round(x), round(y)) for x, y in points}) == len(points)
    for index, box in enumerate(boxes):
        for other in boxes[:index]:
            apart = box.x >= other.x + other.width or other.x >= box.x + box.width
            assert apart or box.y >= other.y + other.height or other.y >= box.y + box.height
        for component, (x, y) in zip(components, points, strict=True):
            inside = box.x < x < box.x + box.width and box.y < y < box.y + box.height
            assert inside == (component == box.name)


@pytest.mark.parametrize("components", [1, 600])
def test_the_largest_picture_takes_seconds(components: int) -> None:
    nodes, links = made(600, components)
    started = time.process_time()
    draw(chosen(nodes, links, 600), CAPTION)
    assert time.process_time() - started < 20


@pytest.mark.parametrize("number", [0, 1, 2])
def test_tiny_graphs(number: int) -> None:
    nodes = [Node("document", "readme", "low", str(index)) for index in range(number)]
    root = ElementTree.fromstring(draw(chosen(nodes, [], 5), CAPTION))
    assert float(root.attrib["width"]) > 0


def test_a_warning_is_visible() -> None:
    graph = Graph((), (), Counter(), Counter())
    assert "Do not share" in draw(graph, CAPTION._replace(warning="Do not share"))
    assert "Do not share" not in draw(graph, CAPTION)


def test_long_labels_keep_their_ends() -> None:
    assert shortened("authentication_module.py", 12) == "authent…e.py"
    assert shortened("auth.py", 12) == "auth.py"
