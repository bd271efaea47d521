"""Container images as manifests name them."""

from __future__ import annotations

from plantwin.private.extract.formats.draft import Draft


def image(draft: Draft, value: object) -> None:
    """Count an image, whether its version is open, and what built it if that is here."""
    if type(value) is not str or not value or len(value) > 300 or any(mark in value for mark in " \n{"):
        return
    draft.add("image_ref")
    if "$" in value:
        return
    name, at, _ = value.partition("@")
    base, _, tag = name.rpartition(":") if ":" in name.rsplit("/", 1)[-1] else (name, "", "")
    draft.add("pinned" if at or (tag and tag != "latest" and tag[:1].isdigit()) else "unpinned")
    draft.refer("container", base, "runs")
