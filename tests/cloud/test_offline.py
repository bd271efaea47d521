"""The offline planner reads a projected goal and a twin, and nothing else."""

from __future__ import annotations

import json
import time
from itertools import pairwise

import pytest
from handed import released
from offline_goals.examination import asked, questions, workspaces

from plantwin.cloud.answer import decode_plan
from plantwin.cloud.offline import Offline
from plantwin.cloud.offline.language import find, phrase, read, stem
from plantwin.cloud.offline.tables import ALSO, ANSWERS, CUES, MATERIAL, MEANT, NEUTRAL, NOUNS, PHRASES, Concern
from plantwin.errors import WireError
from plantwin.private.capabilities import catalog
from plantwin.types.capability import TELLING, Catalog
from plantwin.types.envelope import MAX_OBJECTS, Offer, Registration, Repair, Request, Results
from plantwin.types.goal import MAX_TOKENS, Goal, Verbatim
from plantwin.types.outcome import Outcome, StepResult
from plantwin.types.twin import TwinEdge, TwinObject
from plantwin.vocabulary import (
    Absence,
    Affected,
    CapabilityName,
    ContentTag,
    EdgeReason,
    EdgeType,
    Examined,
    Family,
    Kind,
    OutcomeTag,
    RepairCode,
    ResultType,
    Role,
    SemanticClass,
    Sensitivity,
    Severity,
    StepStatus,
)
from tables import cases

CATALOG = catalog()
AUTH, PAY, DOC = "artifact_aaaaaaaa", "artifact_bbbbbbbb", "artifact_cccccccc"
LOG, ENV, OTHER = "artifact_dddddddd", "artifact_eeeeeeee", "artifact_ffffffff"
OBJECTS = (
    TwinObject(object_id=AUTH, kind=Kind.CODE_FILE, semantic_class=SemanticClass.AUTHENTICATION_MODULE),
    TwinObject(
        object_id=PAY, kind=Kind.CODE_FILE, semantic_class=SemanticClass.PAYMENT_MODULE, sensitivity=Sensitivity.HIGH
    ),
    TwinObject(object_id=DOC, kind=Kind.DOCUMENT, semantic_class=SemanticClass.README),
)
AUDIT, COMPARE, SUMMARIZE = CapabilityName.SECURITY_AUDIT, CapabilityName.COMPARE, CapabilityName.SUMMARIZE


def goal(text="", *intents, objects=()):
    words = tuple(text.split())
    named = {each for each in words if each.startswith("artifact_")} | set(objects)
    return Goal(
        mode="lexicon" if words else "intent",
        intents=tuple(sorted(intents)),
        objects=tuple(sorted(named)),
        **({"text": words} if words else {}),
    )


def planned(text="", *intents, objects=(), told=OBJECTS, edges=(), **options):
    envelopes = [
        released(Registration(objects=told)),
        released(Request(goal=goal(text, *intents, objects=objects), objects=told, edges=edges)),
    ]
    return decode_plan(Offline(CATALOG, **options).plan(envelopes))


def steps(plan):
    return [(step.capability, step.inputs) for step in plan.steps]


def thing(id_, leaf, kind=Kind.CODE_FILE, **fields):
    return TwinObject(object_id=id_, kind=kind, semantic_class=leaf, **fields)


# what was asked for


def test_a_side_of_a_comparison_may_be_several_files():
    told = (*OBJECTS, thing(OTHER, SemanticClass.PAYMENT_MODULE))
    plan = planned(f"review {AUTH} for security issues and compare it with {PAY} {OTHER}", told=told)
    assert steps(plan) == [
        ("security_audit", (AUTH,)),
        ("security_audit", (PAY, OTHER)),
        ("compare", ("s1", "s2")),
    ]


def test_intents_are_worked_on_what_the_goal_names_and_their_results_compared():
    assert steps(planned("", AUDIT, COMPARE, objects=(AUTH, PAY))) == [
        ("security_audit", (PAY,)),
        ("security_audit", (AUTH,)),
        ("compare", ("s1", "s2")),
    ]


def test_words_are_worked_on_what_stands_beside_them():
    plan = planned(f"review {AUTH} for security issues and compare it with {PAY} , then write a report .")
    assert steps(plan) == [
        ("security_audit", (AUTH,)),
        ("security_audit", (PAY,)),
        ("compare", ("s1", "s2")),
        ("report", ("s1", "s2", "s3")),
    ]


def test_what_cannot_be_done_is_not_replaced_by_something_else():
    assert planned("", COMPARE, told=OBJECTS[:1]).done
    assert planned("check the migrations").done
    assert {step.inputs for step in planned("", AUDIT).steps} == {(AUTH,), (PAY,)}


def test_a_goal_whose_words_may_not_cross_is_answered_by_what_there_is():
    assert planned().steps
    assert planned("", told=()).done


@pytest.mark.parametrize(
    "text",
    [
        "<term> <text>", "<number>", "?", "what is the capital of <name> ?", "how is the <term> tomorrow",
        "please delete all log files", "write unit tests for <path>", "fix the bug in <path>", "train a new model",
        "could you deploy this to production", "translate the documents", "refactor the module into smaller classes",
        "set the timeout to <number>",
    ],
)  # fmt: skip
def test_nothing_is_planned_for_what_is_not_understood_or_no_capability_does(text):
    assert planned(text).done


@cases("text")
def test_what_is_made_here_and_what_only_sounds_like_a_deed_is_planned(text):
    assert planned(text).steps


@pytest.mark.parametrize(
    ("text", "capabilities"),
    [
        ("do not audit the code , summarize the readme", {"summarize"}),
        ("summarize the readme without a security review", {"summarize"}),
        ("summarize the readme but skip the security audit", {"summarize"}),
        ("do not only summarize the readme , check the code for security issues", {"summarize", "security_audit"}),
    ],
)
def test_what_is_taken_back_is_not_done(text, capabilities):
    assert {step.capability for step in planned(text).steps} == capabilities


@pytest.mark.parametrize(
    ("text", "capabilities"),
    [
        ("how do i run it", {"explain_project"}),
        ("how do i deploy this", {"find_code"}),
        ("what database does this use", {"list_inventory"}),
        ("which framework is this", {"explain_project"}),
        ("which java version does it need", {"list_inventory"}),
        ("which routes are there and what do they do", {"list_inventory"}),
        ("what is the retry limit", {"list_inventory"}),
        ("what colour has the banner", {"list_inventory", "find_code"}),
        ("is eval used anywhere", {"find_code", "security_audit"}),
        ("any unsafe code ?", {"find_code", "security_audit"}),
        ("walk me through this project", {"explain_project"}),
        ("what licence is this under", {"list_licenses"}),
        ("does it have a license", {"list_licenses"}),
        ("which charts run privileged", {"audit_infrastructure"}),
        ("do any dockerfiles use latest tags", {"audit_infrastructure"}),
        ("are the containers running as root", {"audit_infrastructure"}),
        ("any secrets or security holes ?", {"secret_scan", "security_audit"}),
        ("how big is there the project", {"measure_size"}),
        ("what is this", {"explain_project"}),
        ("can <health> people use our site", {"check_accessibility"}),
        ("what is about this ?", {"explain_project"}),
        (f"what is {DOC} about ?", {"summarize"}),
        ("which is the size the project", {"measure_size"}),
        ("which files are never used", {"find_dead_code"}),
        ("is the docker setup production ready", {"audit_infrastructure"}),
        ("compare dev and prod config", set()),
        ("are there tests for the password reset ?", {"find_tests"}),
        ("what background jobs run ?", {"list_inventory"}),
        ("how long is an access token valid ?", {"list_inventory", "find_code"}),
        ("where is the nesting limit set ?", {"list_inventory", "find_code"}),
        ("where is the connection string ?", {"list_inventory", "find_code"}),
        ("where is the session timeout configured ?", {"list_inventory", "find_code"}),
        ("how is the frontend built ?", {"explain_project"}),
        ("who maintains this ?", {"explain_project", "changes_since"}),
        ("how do the services communicate ?", {"explain_project"}),
        ("what is this book about ?", {"explain_project"}),
        ("how is the application started ?", {"explain_project"}),
        ("how is the query built ?", {"find_code"}),
        ("what happens when somebody logs in ?", {"find_code"}),
        ("what happens when i publish an article ?", {"find_code"}),
        ("dependencies", {"list_inventory"}),
        ("cookie settings ?", {"list_inventory", "find_code"}),
        ("which endpoints have vulnerabilities ?", {"security_audit"}),
        ("which external services does it call ?", {"list_inventory"}),
        (f"what is the {DOC} ?", {"summarize"}),
        ("which database tables do we have and what columns", {"list_inventory"}),
        ("docker base image ?", {"list_inventory"}),
        ("session timeout ?", {"list_inventory", "find_code"}),
        ("what the default of the timeout", {"list_inventory", "find_code"}),
        ("what is the maximum nesting depth", {"list_inventory", "find_code"}),
        ("how long until a token expires ?", {"list_inventory", "find_code"}),
        ("is the documentation up to date with the options", {"list_inventory"}),
        ("are the endpoints exposed to everyone ?", {"list_inventory", "find_code"}),
        (
            "which environment variables are there and what is the default port",
            {"list_environment_variables", "list_exposed_ports"},
        ),
        ("will sales go up next month ?", set()),
        ("what is the minimum terraform and aws provider version", {"list_inventory", "find_code"}),
        ("which iam roles and policies does it create ?", {"list_inventory", "find_code"}),
        ("is debug turned off in production ?", {"find_code"}),
        ("are there specs for the reminder emails ?", {"find_tests"}),
        ("spin up a server for me", set()),
        ("where", set()),
        ("which endpoints are there , and which of them have tests ?", {"list_inventory", "find_tests"}),
        ("maximum upload size", {"list_inventory", "find_code"}),
        ("default instance type for workers on aws", {"list_inventory", "find_code"}),
        ("can i run this on my <name> without gpu ?", {"find_code"}),
        ("are subscriber emails exposed anywhere ?", {"find_personal_data"}),
        (f"what is the learning rate and batch size for {PAY} ?", {"list_inventory", "find_code"}),
        (DOC, {"summarize"}),
        ("can you please set up a pipeline", set()),
        ("which state has the highest tax ?", {"list_inventory", "find_code"}),
        ("what does the upload thing do ?", {"find_code"}),
        ("what does this thing do ?", {"explain_project"}),
        ("who can see private posts ?", {"find_code"}),
        ("is there anything about refunds ?", {"find_code"}),
        ("is there any use of <term> or <term> ?", {"find_code"}),
        ("how many files can it watch ?", {"find_code"}),
        ("how many files are there ?", {"measure_size"}),
        ("are passwords stored safely ?", {"find_code"}),
        ("how do i change the port ?", {"find_code"}),
        ("can i connect over <term> ?", {"find_code"}),
        ("what must the sample sheet look like ?", {"find_code"}),
        ("can i protect the web ui with a password ?", {"find_code"}),
        ("how much memory does a process get ?", {"find_code"}),
        ("is there a telemetry or tracking ?", {"find_code"}),
        ("does it anonymize ip addresses ?", {"find_code"}),
        ("how run the tests ?", {"explain_project"}),
        ("how do i run the test suite ?", {"explain_project"}),
        ("how do i run this locally ?", {"explain_project"}),
        ("todo item entity fields", {"list_inventory", "find_code"}),
        ("difference between <name> and <name>", {"find_code"}),
        ("terraform variables for azure", {"list_inventory", "find_code"}),
        (f"explain {PAY}", {"summarize"}),
    ],
)
def test_ordinary_questions_are_planned_as_they_are_meant(text, capabilities):
    told = (
        thing(LOG, SemanticClass.PAGE_TEMPLATE),
        *OBJECTS,
        thing(OTHER, SemanticClass.DEPLOY_MANIFEST, Kind.CONFIG),
        thing(ENV, SemanticClass.CONTAINER_BUILD, Kind.CONFIG),
    )
    assert {step.capability for step in planned(text, told=told).steps} == capabilities


def test_why_two_named_settings_make_a_difference_is_asked_of_both():
    told = (*OBJECTS, *(thing(name, SemanticClass.ENVIRONMENT_CONFIG, Kind.CONFIG) for name in (ENV, OTHER)))
    plan = planned(f"why does serving behave differently in {ENV} than on {OTHER}", told=told)
    assert "compare_environments" in dict(steps(plan))


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("how many customers have no invoice ?", True),
        ("which customers have more than one subscription ?", True),
        ("how is the churn computed ?", False),
    ],
)
def test_a_figure_is_asked_of_tables_that_lie_beside_code(text, asked):
    told = (*OBJECTS, thing(LOG, SemanticClass.TRANSACTION_RECORDS, Kind.STRUCTURED_RECORD))
    steps = {step.capability for step in planned(text, told=told).steps}
    assert ("query_data" in steps) is asked and "find_code" in steps


def test_objects_that_are_taken_back_are_left_alone():
    plan = planned(f"check the code for security issues but skip {PAY}")
    assert [step.inputs for step in plan.steps] == [(AUTH,)]


def test_the_same_twin_gives_the_same_plan_whatever_its_ids():
    def named(ids):
        told = tuple(
            TwinObject(object_id=id_, kind=each.kind, semantic_class=each.semantic_class, sensitivity=each.sensitivity)
            for id_, each in zip(ids, OBJECTS, strict=True)
        )
        plan = planned("is anything here a security risk ?", told=told)
        return [(step.capability, tuple(ids.index(each) for each in step.inputs)) for step in plan.steps]

    assert named([AUTH, PAY, DOC]) == named([OTHER, LOG, ENV]) == named([DOC, AUTH, PAY])


def test_only_what_the_encoder_made_is_taken():
    with pytest.raises(WireError):
        Offline(CATALOG).plan([b"{}"])  # type: ignore[list-item]


# what a class means


@pytest.mark.parametrize(
    ("kind", "leaf", "capability"),
    [
        (Kind.CODE_FILE, SemanticClass.DATABASE_MIGRATION, "review_migrations"),
        (Kind.CODE_FILE, SemanticClass.SQL_QUERY, "review_queries"),
        (Kind.CONFIG, SemanticClass.INFRA_NETWORK, "audit_infrastructure"),
        (Kind.CONFIG, SemanticClass.APP_CONFIG, "validate_config"),
        (Kind.CONFIG, SemanticClass.DEPENDENCY_MANIFEST, "audit_dependencies"),
        (Kind.CONFIG, SemanticClass.API_CONTRACT, "check_api_contract"),
        (Kind.LOG_STREAM, SemanticClass.ACCESS_LOG, "analyze_logs"),
        (Kind.STRUCTURED_RECORD, SemanticClass.PERSON_RECORDS, "check_data_quality"),
        (Kind.CODE_FILE, SemanticClass.PAGE_TEMPLATE, "check_accessibility"),
        (Kind.DOCUMENT, SemanticClass.CONTRACT_DOCUMENT, "extract_constraints"),
        (Kind.DOCUMENT, SemanticClass.RUNBOOK, "summarize"),
        (Kind.CODE_FILE, SemanticClass.TEST_SUITE, "run_tests"),
    ],
)
def test_to_check_an_object_means_what_is_usual_for_its_class(kind, leaf, capability):
    told = (*OBJECTS, thing(OTHER, leaf, kind))
    assert steps(planned(f"please check {OTHER} .", told=told)) == [(capability, (OTHER,))]


def test_pairs_come_from_edges():
    told = (
        thing(AUTH, SemanticClass.ENVIRONMENT_CONFIG, Kind.CONFIG),
        thing(PAY, SemanticClass.ENVIRONMENT_CONFIG, Kind.CONFIG),
        thing(DOC, SemanticClass.ENVIRONMENT_CONFIG, Kind.CONFIG, role=Role.TEMPLATE),
        thing(LOG, SemanticClass.MEASUREMENT_RECORDS, Kind.STRUCTURED_RECORD),
        thing(ENV, SemanticClass.MEASUREMENT_RECORDS, Kind.STRUCTURED_RECORD),
        thing(OTHER, SemanticClass.MEASUREMENT_RECORDS, Kind.STRUCTURED_RECORD),
    )
    edges = (
        TwinEdge(source=PAY, edge=EdgeType.CONFLICTS_WITH, target=AUTH, reason=EdgeReason.VALUE),
        TwinEdge(source=OTHER, edge=EdgeType.SIMILAR_TO, target=LOG, reason=EdgeReason.SIBLING),
    )
    plan = planned("what differs between staging and production , and has the data drifted ?", told=told, edges=edges)
    assert {(step.capability, frozenset(step.inputs)) for step in plan.steps} == {
        ("compare_environments", frozenset((AUTH, PAY))),
        ("detect_drift", frozenset((LOG, OTHER))),
    }


def test_a_contract_is_checked_with_its_handlers_and_a_lock_with_its_manifest():
    told = (
        thing(AUTH, SemanticClass.API_CONTRACT, Kind.CONFIG),
        thing(PAY, SemanticClass.API_HANDLER),
        thing(DOC, SemanticClass.DEPENDENCY_MANIFEST, Kind.CONFIG),
        thing(LOG, SemanticClass.LOCK_FILE, Kind.CONFIG),
    )
    edges = (TwinEdge(source=LOG, edge=EdgeType.DERIVED_FROM, target=DOC, reason=EdgeReason.LOCKED),)
    plan = planned(f"verify {AUTH} . audit the packages in {DOC} .", told=told, edges=edges)
    assert {(step.capability, frozenset(step.inputs)) for step in plan.steps} == {
        ("check_api_contract", frozenset((AUTH, PAY))),
        ("audit_dependencies", frozenset((DOC, LOG))),
    }


# vague goals


BROKE = "something broke last night : find out what happened"


def test_a_worry_is_answered_by_what_the_twin_shows():
    logs = (
        thing(LOG, SemanticClass.APPLICATION_LOG, Kind.LOG_STREAM, contains=(ContentTag.STACK_TRACES,)),
        thing(ENV, SemanticClass.BUILD_LOG, Kind.LOG_STREAM, contains=(ContentTag.RESTARTS,)),
    )
    data = (
        thing(LOG, SemanticClass.TRANSACTION_RECORDS, Kind.STRUCTURED_RECORD, contains=(ContentTag.DUPLICATES,)),
        thing(ENV, SemanticClass.DATA_CONTRACT, Kind.CONFIG),
    )
    assert {"analyze_logs", "correlate_events"} <= {step.capability for step in planned(BROKE, told=logs).steps}
    assert {"check_data_quality"} <= {step.capability for step in planned(BROKE, told=data).steps}
    assert not {step.capability for step in planned(BROKE, told=data).steps} & {"analyze_logs", "correlate_events"}


def test_absences_and_tags_count():
    bare = thing(OTHER, SemanticClass.DATABASE_MIGRATION)
    risky = thing(OTHER, SemanticClass.DATABASE_MIGRATION, lacks=(Absence.ROLLBACK,))
    ship = "can we ship this ?"
    assert "review_migrations" in {step.capability for step in planned(ship, told=(*OBJECTS, bare)).steps}
    assert "review_migrations" in {step.capability for step in planned(ship, told=(*OBJECTS, risky)).steps}


def test_without_a_view_capabilities_alone_are_named_and_only_when_asked_to():
    bare = [released(Request(goal=goal("find the secrets and compare the two configs")))]
    plan = decode_plan(Offline(CATALOG, blind=True).plan(bare))
    assert {step.capability for step in plan.steps} == {"secret_scan", "compare_environments"}
    assert all(step.inputs == () for step in plan.steps)
    assert decode_plan(Offline(CATALOG).plan(bare)).done
    vague = [released(Request(goal=goal("can we ship this ?")))]
    assert 2 <= len(decode_plan(Offline(CATALOG, blind=True).plan(vague)).steps) <= 5


# turns


def test_it_asks_for_classes_before_it_plans_what_depends_on_them_and_asks_once():
    bare = tuple(TwinObject(object_id=each, kind=Kind.CONFIG) for each in (AUTH, PAY))
    planner = Offline(CATALOG)
    first = planner.plan([released(Registration(objects=bare)), released(Request(goal=goal("validate the settings")))])
    assert steps(decode_plan(first)) == [("describe", (AUTH,)), ("describe", (PAY,))]
    told = (thing(AUTH, SemanticClass.APP_CONFIG, Kind.CONFIG), thing(PAY, SemanticClass.LOCK_FILE, Kind.CONFIG))
    second = planner.plan([released(Results(turn=1, steps=(done(1),), objects=told))])
    assert steps(decode_plan(second)) == [("validate_config", (AUTH,))]
    assert decode_plan(planner.plan([released(Results(turn=2, steps=(done(1),)))])).done


def test_a_refused_question_ends_it():
    bare = (TwinObject(object_id=AUTH, kind=Kind.CONFIG),)
    planner = Offline(CATALOG)
    planner.plan([released(Registration(objects=bare)), released(Request(goal=goal("validate the settings")))])
    refused = StepResult(step=1, outcome=Outcome(status=StepStatus.REJECTED))
    assert decode_plan(planner.plan([released(Results(turn=1, steps=(refused,)))])).done


def done(step, **outcome):
    return StepResult(step=step, outcome=Outcome(status=StepStatus.DONE, **outcome))


def exposed(**outcome):
    told = (thing(ENV, SemanticClass.APP_CONFIG, Kind.CONFIG), *OBJECTS)
    planner = Offline(CATALOG)
    request = Request(goal=goal("is this folder safe to hand to the auditor ?"), objects=told)
    first = decode_plan(planner.plan([released(Registration(objects=told)), released(request)]))
    position = next(n for n, step in enumerate(first.steps, start=1) if step.capability == "secret_scan")
    found = StepResult(step=position, outcome=Outcome(**outcome))
    earlier = {step.id for step in first.steps}
    second = decode_plan(planner.plan([released(Results(turn=1, steps=(found,)))]), earlier)
    third = decode_plan(planner.plan([released(Results(turn=2))]))
    return first.steps[position - 1].id, second, third


def test_a_grave_finding_leads_on_once():
    scan, second, third = exposed(
        status=StepStatus.DONE, severity=Severity.CRITICAL, tags=(OutcomeTag.HARDCODED_SECRET,)
    )
    assert steps(second) == [("assess_exposure", (f"{scan}.affected",))]
    assert third.done


@pytest.mark.parametrize(
    "outcome",
    [
        {"status": StepStatus.REJECTED},
        {"status": StepStatus.DONE},
        {"status": StepStatus.DONE, "severity": Severity.LOW, "tags": (OutcomeTag.HARDCODED_SECRET,)},
        {"status": StepStatus.DONE, "severity": Severity.HIGH, "tags": (OutcomeTag.PERSONAL_DATA,)},
    ],
)
def test_what_is_not_grave_or_was_refused_leads_nowhere(outcome):
    assert exposed(**outcome)[1].done


@pytest.mark.parametrize(
    ("text", "capability", "outcome", "then"),
    [
        ("which schedules are there ?", "list_inventory", {"affected": Affected.NONE}, ["find_code"]),
        ("which schedules are there ?", "list_inventory", {"affected": Affected.ALL}, []),
        ("which ports are open ?", "list_exposed_ports", {"examined": Examined.NONE}, ["find_code"]),
        ("which ports are open ?", "list_exposed_ports", {"status": StepStatus.FAILED}, ["find_code"]),
        ("are there any secrets ?", "secret_scan", {"affected": Affected.NONE}, []),
    ],
)
def test_a_question_without_an_answer_is_looked_up_in_passages_once(text, capability, outcome, then):
    planner = Offline(CATALOG)
    request = Request(goal=goal(text), objects=OBJECTS)
    first = decode_plan(planner.plan([released(Registration(objects=OBJECTS)), released(request)]))
    assert {step.capability for step in first.steps} == {capability}
    told = tuple(
        StepResult(step=number, outcome=Outcome(**{"status": StepStatus.DONE, **outcome}))
        for number in range(1, len(first.steps) + 1)
    )
    second = decode_plan(planner.plan([released(Results(turn=1, steps=told))]), {step.id for step in first.steps})
    assert [step.capability for step in second.steps] == then
    if then:  # no text here: the tables may tell
        empty = Outcome(status=StepStatus.PARTIAL, examined=Examined.NONE)
        third = decode_plan(
            planner.plan([released(Results(turn=2, steps=(StepResult(step=1, outcome=empty),)))]), {"s1"}
        )
        assert {step.capability for step in third.steps} <= {"query_data"}
    assert decode_plan(planner.plan([released(Results(turn=3))])).done


def test_results_without_a_request_and_repairs_end_it():
    assert decode_plan(Offline(CATALOG).plan([released(Results(turn=1))])).done
    assert decode_plan(Offline(CATALOG).plan([released(Repair(code=RepairCode.CYCLE))])).done
    assert decode_plan(Offline(CATALOG).plan([])).done


def test_a_second_goal_of_a_session_is_planned_afresh():
    planner = Offline(CATALOG)
    told = [released(Registration(objects=OBJECTS))]
    summary = Request(goal=goal("summarize the readme"), objects=OBJECTS)
    first = planner.plan([*told, released(summary)])
    assert planner.plan([released(summary)]) == first
    assert json.loads(planner.plan([released(Request(goal=goal("audit the code"), objects=OBJECTS))]))["steps"]


# other catalogs


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("process_object",), [("process_object", (PAY,)), ("process_object", (AUTH,)), ("process_object", (DOC,))]),
        (("process_object", "process_project"), [("process_project", (PAY, AUTH, DOC))]),
    ],
)
def test_a_catalog_that_does_everything_in_one_call(names, expected):
    coarse = Catalog([each for each in catalog("coarse").values() if each.word in (*names, "describe")])
    request = Request(goal=goal("summarize the readme"), objects=OBJECTS)
    plan = decode_plan(Offline(coarse).plan([released(Registration(objects=OBJECTS)), released(request)]))
    assert sorted(steps(plan)) == sorted(expected)


def test_a_capability_of_the_persons_own_is_used_beside_the_built_in():
    offer = Offer(
        capability="custom_aaaaaaaa", like=CapabilityName.LINT, kinds=(Kind.CODE_FILE,), returns=ResultType.FINDINGS
    )
    request = Request(goal=goal("lint the code"), objects=OBJECTS, offers=(offer,))
    plan = decode_plan(Offline(CATALOG).plan([released(Registration(objects=OBJECTS)), released(request)]))
    assert {step.capability for step in plan.steps} == {"lint", "custom_aaaaaaaa"}


# the language


@cases("words")
def test_forms_of_a_word_share_a_stem(words):
    assert len({stem(word) for word in words}) == 1


def test_phrases_do_not_reach_over_marks_and_negations():
    def found(text):
        return bool(find(read(text.split()), ["check log"]))

    assert found("check all of the logs") and found("check the code and logs")
    assert not found("check this . logs")
    assert not found("do not check logs")
    assert not found("check whether logs")
    assert not found("check one two three four logs")


def test_every_table_speaks_of_words_that_exist():
    classes = {*SemanticClass._value2member_map_, *Family._value2member_map_}
    kinds = set(Kind._value2member_map_)
    tags = set(ContentTag._value2member_map_)
    signs = (
        {f"-{each}" for each in Absence} | {f"={each}" for each in Role} | {f"!{each}" for each in Sensitivity} | tags
    )
    planned_with = {each.name for each in CATALOG.values()} - set(TELLING)
    assert set(CUES) == set(MATERIAL)
    assert set(CUES) | set(ANSWERS) == planned_with and not set(CUES) & set(ANSWERS)
    assert set(PHRASES) < set(Concern)
    assert all(set(text.split()) <= classes for text in NOUNS.values())
    assert ALSO.keys() <= NOUNS.keys() and all(set(text.split()) <= classes | kinds for text in ALSO.values())
    assert {each.value for each in MEANT} <= classes and set(MEANT.values()) <= planned_with
    assert all(set(each.suits) <= classes | kinds and set(each.notable) <= signs for each in MATERIAL.values())
    for text in (
        *NEUTRAL,
        *NOUNS,
        *(each for cues in (*CUES.values(), *ANSWERS.values(), *PHRASES.values()) for each in cues),
    ):
        assert phrase(text)
    for weights in (*CUES.values(), *PHRASES.values()):
        assert all(0 < weight <= 1 for weight in weights.values())


# hostile and large input


def test_the_largest_request_is_planned_at_once():
    ids = [
        f"artifact_{''.join('abcdefghijklmnop'[n >> 4 * place & 15] for place in range(8))}" for n in range(MAX_OBJECTS)
    ]
    told = tuple(
        thing(id_, leaf, Kind.CODE_FILE, contains=(ContentTag.CREDENTIALS,))
        for id_, leaf in zip(ids, list(SemanticClass) * 3, strict=False)
    )
    edges = tuple(
        TwinEdge(source=one, edge=EdgeType.SIMILAR_TO, target=other, reason=EdgeReason.SIBLING)
        for one, other in pairwise(ids)
    )
    text = " ".join((["compare", "check", "logs", "and", "break", "what", "run", "secret"] * 100)[:MAX_TOKENS])
    started = time.process_time()
    plan = planned(text, told=told, edges=edges)
    assert plan.steps and time.process_time() - started < 2


def test_a_goal_in_its_own_words_is_read_too():
    envelopes = [
        released(Registration(objects=OBJECTS)),
        released(Verbatim(text="Summarize the README, please.")),
        released(Request(goal=goal(), objects=OBJECTS)),
    ]
    assert steps(decode_plan(Offline(CATALOG).plan(envelopes))) == [("summarize", (DOC,))]


@pytest.mark.parametrize("question", questions("tuning")[:12], ids=lambda each: each.workspace)
def test_plans_use_only_what_was_shown_and_fit_together(question):
    plan = asked(question)
    shown = {each.object_id for each in workspaces()[question.workspace].objects.values()}
    earlier: set[str] = set()
    for step in plan.steps:
        capability = CATALOG[step.capability]
        assert set(step.inputs) <= shown | earlier
        assert capability.least <= len(step.inputs) <= capability.most
        assert step.output == capability.returns
        earlier.add(step.id)
