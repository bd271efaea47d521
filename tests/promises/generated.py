"""Strategies for generated environments: vocabulary values, dressed in arbitrary private text."""

from __future__ import annotations

import json

from crowds import Crowd
from hypothesis import strategies as st

from plantwin.boundary.budget import Weighted
from plantwin.config.accountants import UnlimitedAccountant
from plantwin.private.facts import Record, Relation
from plantwin.private.project import MUTUAL
from plantwin.types.plan import MAX_STEPS, Narrowed, Step, Where
from plantwin.types.prices import BOUNDLESS
from plantwin.vocabulary import (
    FACETS,
    MAX_CAUSES,
    MAX_TAGS,
    Absence,
    Affordance,
    Age,
    Amount,
    Confidence,
    ContentTag,
    Dimension,
    EdgeReason,
    EdgeType,
    Freshness,
    Kind,
    Readiness,
    ReadinessCause,
    Role,
    SemanticClass,
    Sensitivity,
    SensitivityCause,
    SizeBucket,
)

WORDS = {
    "kind": Kind,
    "role": Role,
    "sensitivity": Sensitivity,
    "freshness": Freshness,
    "size_bucket": SizeBucket,
    "readiness": Readiness,
    "confidence": Confidence,
}


def some(vocabulary, most):
    return st.lists(st.sampled_from([str(each) for each in vocabulary]), max_size=most, unique=True).map(tuple)


def one(vocabulary):
    return st.sampled_from([str(each) for each in vocabulary])


@st.composite
def values(draw):
    """The vocabulary values of one object, without any private text."""
    leaf = draw(st.sampled_from(list(SemanticClass)))
    tags = draw(some(ContentTag, MAX_TAGS))
    return {
        "semantic_class": str(leaf),
        "family": str(leaf.family),
        "sensitivity_causes": draw(some(SensitivityCause, MAX_CAUSES)),
        "contains": tuple((tag, draw(one(Amount))) for tag in tags),
        "usable_for": draw(some(Affordance, MAX_TAGS)),
        "lacks": draw(some(Absence, MAX_TAGS)),
        "readiness_cause": draw(st.just("") | one(ReadinessCause)),
        **{field: draw(st.just("") | one(vocabulary)) for field, vocabulary in FACETS.items()},
        **{field: draw(one(vocabulary)) for field, vocabulary in WORDS.items()},
    }


@st.composite
def environments(draw, most=12, reasons=tuple(EdgeReason), most_edges=30):
    """Vocabulary values of some objects, their component numbers, and labelled edges among them."""
    objects = draw(st.lists(values(), min_size=1, max_size=most))
    components = [draw(st.integers(0, 3)) for _ in objects]
    edges = draw(
        st.lists(
            st.tuples(st.integers(0, len(objects) - 1), st.sampled_from(reasons), st.integers(0, len(objects) - 1)),
            max_size=most_edges,
        )
    )
    return objects, components, [edge for edge in edges if edge[0] != edge[2]]


def dress(environment, texts):
    """Records and relations with the given values and arbitrary private text everywhere else."""
    objects, components, edges = environment
    text = iter(texts)
    records = [
        Record(
            number=number,
            path=f"{next(text)}/{number}",  # no two files have one name
            part=next(text),
            component=f"{next(text)}{components[number]}" if components[number] else "",
            why=(next(text), next(text)),
            warnings=(next(text),),
            **each,
        )
        for number, each in enumerate(objects)
    ]
    names = {number: f"component {number}" for number in range(4)}
    records = [
        each
        if not components[each.number]
        else type(each)(**{**_fields(each), "component": f"{texts[0]}{names[components[each.number]]}"})
        for each in records
    ]
    relations = [
        Relation(
            source=source,
            edge=str(reason.edge),
            reason=str(reason),
            target=-1 if reason.edge is EdgeType.REQUIRES_CAPABILITY else target,
            evidence=next(text),
        )
        for source, reason, target in edges
    ]
    return records, relations


def _fields(record):
    return {field: getattr(record, field) for field in record.__struct_fields__}


def found(_, record):
    """What any step finds: by vocabulary values alone."""
    return record.sensitivity == "high" or any(tag == "credentials" for tag, _ in record.contains)


ONE_WAY = [reason for reason in EdgeReason if reason not in MUTUAL]
"""A relation that holds both ways is told from one end, which is drawn by chance."""


def told(records, relations, k=2, listed=2):
    """A whole session over these records: what is sent, and the crowd that it is about.

    The opening with sets, relations and single objects; then splits along every dimension, steps on sets, on narrower
    sets and on parts; then their outcomes. There is budget for all of it, since who is told of first is random.
    """
    first = sorted(records, key=_number)[:listed]
    accountant = UnlimitedAccountant(Weighted())
    crowd = Crowd(
        records, found, k=k, relations=relations, listed=first, limit=BOUNDLESS, accountant=accountant
    )  # fmt: skip
    crowd.opening()
    verdicts = []
    for held in sorted(crowd.sets, key=lambda held: crowd.numbers(held.id)):
        steps = [Step(id=f"by_{by}", capability="split", inputs=(held.id,), by=by) for by in Dimension]
        steps += [
            Step(id="whole", capability="classify", inputs=(held.id,)),
            Step(id="part", capability="summarize", inputs=("whole.affected",)),
            Step(id="rest", capability="summarize", inputs=("whole.clean",)),
            Step(id="narrow", capability="classify", inputs=(Narrowed(set=held.id, where=Where(role=Role.TEST)),)),
            Step(id="new", capability="summarize", inputs=(Narrowed(set=held.id, where=Where(age=Age.NEWEST)),)),
        ]
        verdicts += crowd.plan(*steps)
    crowd.release.results(1, verdicts[:MAX_STEPS])
    return crowd, [each.data for each in crowd.release.sent]


def _number(record):
    return record.number


def without_ids(crowd, sent):
    """What was sent, up to ids and their order: sets and objects are called by the numbers of their members."""
    names = {id_: f"object {record.number}" for id_, record in crowd.selected.records.items()}
    names |= {id_: f"set {crowd.numbers(id_)} {crowd.depth(id_)}" for id_ in crowd.known_sets}
    said = []
    for data in sent:
        text = data.decode()
        for id_, name in names.items():
            text = text.replace(id_, name)
        message = json.loads(text)
        for each in message.get("sets", ()):
            each["component"] = "component" in each
        for rows in ("sets", "objects", "relations", "edges"):
            message.get(rows, []).sort(key=lambda row: json.dumps(row, sort_keys=True))
        said.append(json.dumps(message, sort_keys=True))
    return said
