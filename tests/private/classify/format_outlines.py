"""Outlines for the tests of formats: the reader runs bare, so that nothing it raises is hidden."""

from __future__ import annotations

from plantwin.private.classify.readers import Draft, _reader, outline_format
from plantwin.private.classify.rules import FEATURES
from plantwin.private.facts import Outline, Sample
from plantwin.vocabulary import EdgeReason

REASONS = {reason.value for reason in EdgeReason}


def sample(
    content: str | bytes, path: str = "file", windows: tuple[bytes, ...] = (), size: int | None = None
) -> Sample:
    """A sample that holds its whole file, unless windows or a size say otherwise."""
    head = content.encode() if isinstance(content, str) else content
    whole = len(head) + sum(map(len, windows))
    return Sample(path=path, size=whole if size is None else size, head=head, windows=windows)


def outline(format: str, content: str | bytes, path: str = "file", windows: tuple[bytes, ...] = ()) -> Outline:
    """The outline of a well-behaved file."""
    given = sample(content, path, windows)
    _reader(format)(given, Draft(format, given))
    found = outline_format(format, given)
    check(found)
    return found


def check(found: Outline) -> None:
    """What every outline keeps: known words, bounded lists, no control characters in references."""
    assert found.features.keys() <= FEATURES.keys()
    assert all(count > 0 for count in found.features.values())
    assert len(found.names) <= 200 and len(set(found.names)) == len(found.names)
    assert len(found.headings) <= 60 and len(found.settings) <= 300
    assert len(found.references) <= 80 and len(found.provides) <= 60 and len(found.pins) <= 300
    assert {reference.reason for reference in found.references} <= REASONS
    assert all(0 < len(reference.target) <= 300 for reference in found.references)


def references(found: Outline, how: str) -> list[tuple[str, str]]:
    """Targets with reasons, of one way of referring."""
    return [(reference.target, reference.reason) for reference in found.references if reference.how == how]


def provides(found: Outline) -> set[tuple[str, str]]:
    """What it provides."""
    return {(provision.how, provision.name) for provision in found.provides}


def expect(found: Outline, **counts: int) -> None:
    """The counts of some features, absent ones as zero."""
    assert {feature: found.features.get(feature, 0) for feature in counts} == counts
