"""Measure what the projection says of each template, so that the generator can choose: `--write` keeps it as data.

    python -m plantwin_evals.synth_forms [--write] [--all]

Forms whose text, and whose syntax's snippets, are as they were are not measured again, except with `--all`.
"""

from __future__ import annotations

import sys
import tempfile
from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec.structs import replace

import plantwin.synth
from plantwin.private import catalogue
from plantwin.private.classify.extraction import extract, extract_table
from plantwin.private.detect import detector
from plantwin.private.facts import Facts, Sample
from plantwin.private.observe.tables import tables
from plantwin.synth.choice import GATHERED
from plantwin.synth.render import render
from plantwin.synth.templates import Form, Measured, forms, measured, syntax
from plantwin.synth.values import Names, Values

PLACE = Path(plantwin.synth.__file__).parent / "templates" / "measured.json"
_NAMES = Names(0, 0)
Added = tuple[tuple[str, int], ...]


def facts_of(form: Form, added: Added = ()) -> Facts | None:
    """What is kept of a form with additions, as if it lay in the folder of a component."""
    values = Values(_NAMES, "measured", 0)
    values.set("number", "0001")
    data = render(form, values, added)
    path = f"projects/{_NAMES.noun}/{values.fill(form.path)}"
    if not data.startswith(b"SQLite"):
        found = detector().survey(data, path=path)
        return extract(Sample(path=path, size=len(data), head=data), found, digest_value=hash)
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.flush()
        (table,) = tables(file.fileno())
    return extract_table(path, table, detector().survey(table.sample, path=f"{path}.csv"), digest_value=hash)


def measure(form: Form, *, snippets: bool = True) -> Measured | None:
    """The words that a form stands for, and those that each snippet adds; nothing where it is no object."""
    facts = facts_of(form)
    if facts is None:
        return None
    tags = dict(facts.tags)
    causes = _causes(facts)
    adds: dict[str, dict[str, int]] = {}
    own: dict[str, tuple[str, ...]] = {}
    gathered: dict[str, tuple[str, ...]] = {}
    seldom: list[str] = []
    for name in form.snippets if snippets else ():
        # Many of one must not change the class either.
        once, several = (facts_of(form, ((name, times),)) for times in (1, GATHERED))
        if once is None or several is None or _is_of(once) != _is_of(facts):
            continue
        if _is_of(several) != _is_of(facts):
            seldom.append(name)
            several = once
        if brought := {tag: more for tag, count in once.tags if (more := count - tags.get(tag, 0)) > 0}:
            adds[name] = brought
            for found, held in ((once, own), (several, gathered)):
                if others := tuple(cause for cause in _causes(found) if cause not in causes):
                    held[name] = others
    return Measured(
        kind=facts.kind,
        semantic_class=facts.ranking[0][0],
        confidence=facts.confidence,
        role=facts.role,
        ecosystem=facts.ecosystem,
        dialect=facts.dialect,
        provider=facts.provider,
        environment=facts.environment,
        tags=tags,
        causes=causes,
        needs=tuple(facts.needs),
        lacks=tuple(facts.lacks),
        cause=facts.readiness_cause,
        adds=adds,
        causes_of_one=own,
        causes_of_some=gathered,
        seldom=tuple(seldom),
        made_of=digest(form),
    )


def digest(form: Form) -> str:
    """Names the text of a form and of its syntax's snippets."""
    return blake2b(repr((form, form.snippets, syntax(form.syntax))).encode(), digest_size=6).hexdigest()


def _is_of(facts: Facts | None) -> tuple[str, ...]:
    return (facts.kind, facts.ranking[0][0], facts.readiness_cause) if facts else ()


def _causes(facts: Facts) -> tuple[str, ...]:
    return catalogue.sensitivity_of(facts)[1]


def main(arguments: list[str]) -> int:
    """Measure what changed; list forms that are not of the class they are for."""
    known = {} if "--all" in arguments or not PLACE.exists() else measured()
    made: dict[str, Measured] = {}
    for rows in forms().values():
        for form in rows:
            found = known.get(form.key)
            if found is None or found.made_of != digest(form):
                found = measure(form, snippets=not form.named)
            if found is not None:
                # What can be added does not follow from the name: it is kept once.
                made[form.key] = (
                    replace(found, adds={}, causes_of_one={}, causes_of_some={}, seldom=()) if form.named else found
                )
            seen = (found.kind, found.semantic_class) if found else ("no", "object")
            if not form.named and seen != (form.kind, form.semantic_class):
                sys.stderr.write(f"{form.key} ({form.syntax}): {' '.join(seen)}\n")
    if "--write" in arguments:
        text = msgspec.json.format(msgspec.json.encode(made), indent=0)
        temporary = PLACE.with_suffix(".new")
        temporary.write_bytes(text.replace(b",\n", b",").replace(b'},"', b'},\n"') + b"\n")
        temporary.replace(PLACE)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
