"""Strategies for generated environments: vocabulary values, dressed in arbitrary private text."""

from __future__ import annotations

from hypothesis import strategies as st

from plantwin.private.records import Record, Relation
from plantwin.vocabulary import (
    MAX_CAUSES,
    MAX_TAGS,
    Absence,
    Affordance,
    Amount,
    Confidence,
    ContentTag,
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
        **{field: draw(one(vocabulary)) for field, vocabulary in WORDS.items()},
    }


@st.composite
def environments(draw, most=12):
    """Vocabulary values of some objects, their component numbers, and labelled edges among them."""
    objects = draw(st.lists(values(), min_size=1, max_size=most))
    components = [draw(st.integers(0, 3)) for _ in objects]
    edges = draw(
        st.lists(
            st.tuples(
                st.integers(0, len(objects) - 1), st.sampled_from(list(EdgeReason)), st.integers(0, len(objects) - 1)
            ),
            max_size=30,
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
            path=next(text),
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
