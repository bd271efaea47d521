"""Tables of studies: what was varied, and what it did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from plantwin_evals.attempts import Attempt, by_configuration
from plantwin_evals.metrics import mean
from plantwin_evals.tables import (
    MEASURES,
    SESSIONS,
    Table,
    aim,
    averaged,
    disclosure,
    leakage,
    measure_rows,
    missing,
    quality,
    success,
    tried,
)

TITLES: Final = {
    "approval": "Approvals: all given, nobody to ask, and nobody for a remote planner",
    "ablation": "Stages of the projection left out",
    "budget": "Budgets times a factor",
    "privacy": "Accountants and factors on their thresholds",
    "multiturn": "Fresh budgets for each task, and one ledger for all",
    "granularity": "Coarse, orchestration and fine catalogs",
    "goals": "What of the goal crosses",
    "smallest": "Members that a set has at least",
}
NOTES: Final = {
    "budget": "With the paper's weights (weighted); the default, k-anonymity, is in the study of accountants.",
    "approval": "asked: questions per task; with nobody to ask, each of them is a step that does not run.",
    "ablation": "A stage that is left out does not run: nothing is detected, or age, size and amounts have no word. "
    "Every object has the smallest threshold, in all variants. Objects one by one, as in the paper.",
}


def study_tables(study: str, attempts: Sequence[Attempt]) -> list[Table]:
    """The tables of one study."""
    if study == "multiturn":
        return sequence_tables(attempts)
    if study == "granularity":
        return [granularity_table(attempts)]
    return [Table(study, TITLES[study], ("variant", *MEASURES), measure_rows(attempts), NOTES.get(study, ""))]


def sequence_tables(attempts: Sequence[Attempt]) -> list[Table]:
    """Multi-turn, for objects and for sets: a line for each domain, and all of them; NL is that after a task's domain.

    PQS on one ledger is that of the first round: the paper has no other.
    """
    made = []
    for mode, title in zip(SESSIONS, ("sets", "objects"), strict=True):
        here = [each for each in attempts if each.mode == mode and not each.failed]
        failed = missing(attempts, f"{mode}, one ledger")
        rounds = max((each.round for each in here if each.configuration == f"{mode}, one ledger"), default=0)
        rows = []
        for domain in (*tried(here), "all"):
            fresh, shared, greedy = (
                [each for each in here if each.configuration == f"{mode}, {way}" and domain in (each.domain, "all")]
                for way in ("fresh", "one ledger", "one ledger, greedy")
            )
            if not shared:
                continue
            first = [each for each in shared if each.round == 1]
            excluded = {(each.domain, name) for each in shared for name in each.excluded}
            rows.append(
                (
                    domain, quality(fresh), quality(first), leakage(fresh), _last(first),
                    _last(shared), len(excluded), _last(greedy), max((each.worst for each in greedy), default=None),
                    len({(each.domain, name) for each in greedy for name in each.excluded}),
                )
            )  # fmt: skip
        columns = (
            "domain", "PQS fresh", "PQS one ledger", "NL fresh", "NL after all tasks", "NL at the end", "excluded",
            "NL greedy", "worst greedy", "excluded greedy",
        )  # fmt: skip
        note = (
            f"One ledger for all domains, to a round that told nothing more ({rounds} rounds, at most 4; {failed} "
            "tasks missing). greedy: a planner that only asks for more. excluded: objects or sets that were not shown, "
            "each counted once. The paper: PQS 0.773 fresh, 0.767 on one ledger; NL 0.611 fresh, 1.0 on one ledger; 8 "
            "objects excluded."
        )
        if rows:
            made.append(Table(f"sequence-{title}", f"All tasks on one ledger, as {title}", columns, rows, note))
    return made


def _last(attempts: Sequence[Attempt]) -> float | None:
    """NL as the last attempt of each domain left it, over domains."""
    return mean({each.domain: each.leakage for each in attempts}.values()) if attempts else None


def granularity_table(attempts: Sequence[Attempt]) -> Table:
    """Catalogs by the work that comes of their calls: capabilities have other names in each, so PQS says nothing."""
    rows = []
    for name, group in by_configuration(attempts):
        calls = sum(each.calls for each in group)
        rows.append(
            (
                name, success(group, lambda each: each.work), averaged(group, lambda each: each.object[1]), aim(group),
                f"{averaged(group, lambda each: each.calls) or 0:.1f}",
                sum(each.told for each in group) / calls if calls else None,
                averaged(group, lambda each: each.told), leakage(group),
                averaged(group, lambda each: each.worst), f"{averaged(group, lambda each: each.questions) or 0:.1f}",
                disclosure(group), len(group), missing(attempts, name),
            )
        )  # fmt: skip
    columns = (
        "catalog", "work", "reached", "ObjF1", "calls", "grain", "told", "NL", "NL worst", "asked", "SND", "n",
        "missing",
    )  # fmt: skip
    note = (
        "work: expected findings in the results of any step; calls: steps a task; grain: weighted fields that a call's "
        "outcome tells, measured; told: those of all calls of a task. fine: every step is replaced by probes of its "
        "inputs, of each and of each two."
    )
    return Table("granularity", TITLES["granularity"], columns, rows, note)
