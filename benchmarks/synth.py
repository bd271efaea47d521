"""Making a folder up from a twin, beside copying as many files of the same sizes.

    python -m benchmarks.synth [--objects 1000 50000]

The twin is generated: classes, tags and sizes in uneven numbers, components, two relations of each object. Times are of
this process on the processor; memory is the most that it held so far, so sizes are measured in rising order. The peer
copies the folder that was made, which writes the same bytes to as many files and does nothing else.
"""

from __future__ import annotations

import argparse
import random
import resource
import shutil
import time
from collections.abc import Sequence

import msgspec

from benchmarks.harness import say, scratch
from plantwin.synth import synth
from plantwin.synth.folder import write_folder
from plantwin.types.identity import Issuer
from plantwin.types.twin import Twin, TwinEdge, TwinObject, canonical
from plantwin.vocabulary import ContentTag, EdgeReason, Kind, SemanticClass, SizeBucket

MEMBERS = 40
"""Objects of a component."""
WANTED = 10.0
"""Seconds for a thousand objects, at most."""


def generated(number: int) -> bytes:
    """The bytes of a twin of so many objects."""
    choose, issuer = random.Random(3), Issuer()
    classes, tags = list(SemanticClass), list(ContentTag)
    ids = [issuer.object_id() for _ in range(number)]
    components = [issuer.component_id() for _ in range(number // MEMBERS + 1)]
    objects = tuple(
        TwinObject(
            object_id=object_id,
            kind=Kind.CODE_FILE,
            semantic_class=choose.choices(classes, range(1, len(classes) + 1))[0],
            component=components[place // MEMBERS],
            size_bucket=SizeBucket.MEDIUM if place % 20 == 0 else SizeBucket.SMALL,
            contains=canonical(choose.sample(tags, 3)),
        )
        for place, object_id in enumerate(ids)
    )
    edges = {
        (place, choose.randrange(number), reason)
        for place in range(number)
        for reason in (EdgeReason.IMPORTS, EdgeReason.DOCUMENTS)
    }
    joined = tuple(
        TwinEdge(source=ids[source], edge=reason.edge, target=ids[target], reason=reason)
        for source, target, reason in sorted(edges)
        if source != target
    )
    return msgspec.json.encode(Twin(objects=objects, edges=joined))


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure each number of objects."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--objects", type=int, nargs="+", default=[1000, 50_000])
    for number in sorted(parser.parse_args(arguments).objects):
        data = generated(number)
        with scratch() as place:
            began = time.process_time()
            write_folder(synth(data), place / "made")
            made = time.process_time() - began
            began = time.process_time()
            shutil.copytree(place / "made", place / "copied")
            copied = time.process_time() - began
            size = sum(path.stat().st_size for path in (place / "copied").rglob("*") if path.is_file())
        held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        told = f"{number:,} objects, {size / 1e6:.0f} MB"
        say(f"{told}: made up", made, "s", f"{1000 * made / number:.2f} ms each, {held:.0f} MB held")
        say(f"{told}: copied (peer)", copied, "s", f"times the peer: {made / copied:.1f}")
        if number <= 1000 and made > WANTED:
            raise SystemExit(f"more than {WANTED:.0f} s")


if __name__ == "__main__":
    main()
