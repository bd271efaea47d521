"""Plans over sets: which sets a goal means, what is narrowed, how few steps there are, and what follows."""

from __future__ import annotations

import pytest
from handed import released
from offline_goals.cutting import asked_over_sets, reached_by
from offline_goals.examination import questions, score
from set_folders import CATALOG, Folder, brief, joined, object_id, set_id, told, written

from plantwin.cloud.answer import decode_plan
from plantwin.cloud.offline import Offline
from plantwin.types.envelope import Registration, Request, Results
from plantwin.types.goal import Goal
from plantwin.types.outcome import Outcome, StepResult
from plantwin.types.plan import MAX_INPUTS
from plantwin.types.twin import TwinObject
from plantwin.vocabulary import Affected, Family, Kind, OutcomeTag, SemanticClass, Severity, StepStatus
from tables import cases


def thing(letter, kind, leaf, **fields):
    return TwinObject(object_id=object_id(letter), kind=Kind(kind), semantic_class=SemanticClass(leaf), **fields)


FOLDERS = {
    "devops": lambda: Folder(
        (
            told("a", "dozens", "config infra_network+infra_storage+infra_access high open_permissions:some"),
            told("b", "several", "config deploy_manifest resource_requests:most"),
            told("c", "several", "config ci_pipeline"),
            told("d", "few", "config environment_config high env_variants:all credentials:some"),
            told("e", "several", "document runbook+readme"),
            told("f", "dozens", "code_file application"),
        ),
        (joined("d", "sibling", "d"), joined("e", "documents", "b")),
    ),
    "shop": lambda: Folder(
        (
            told("a", "hundreds", "code_file api_handler+business_logic+data_access external_calls:some"),
            told("b", "several", "code_file authentication_module restricted"),
            told("c", "several", "code_file payment_module high payment_data:most"),
            told("d", "dozens", "code_file test_suite test"),
            told("e", "few", "config dependency_manifest+lock_file unpinned_versions:some"),
            told("f", "several", "document readme+changelog+design_document"),
            told("g", "several", "config app_config credentials:some"),
        ),
        (joined("d", "tests", "a"),),
        (
            thing("p", "code_file", "payment_module", within=set_id("c")),
            thing("q", "code_file", "authentication_module", within=set_id("b")),
        ),
    ),
    "operations": lambda: Folder(
        (
            told("a", "dozens", "log_stream application_log error_lines:most stack_traces:some"),
            told("b", "several", "log_stream access_log"),
            told("c", "few", "log_stream build_log restarts:most"),
            told("d", "several", "document runbook+postmortem"),
            told("e", "hundreds", "code_file application"),
        ),
        (joined("a", "overlaps", "b"),),
    ),
    "data": lambda: Folder(
        (
            told("a", "dozens", "structured_record transaction_records duplicates:some null_values:some"),
            told("b", "several", "structured_record person_records high personal_data:all"),
            told("c", "few", "config data_contract"),
            told("d", "dozens", "code_file staging_transform+mart_transform+intermediate_transform"),
            told("e", "few", "config pipeline_definition"),
        ),
        (joined("a", "sibling", "a"), joined("a", "specifies", "c")),
    ),
    "learning": lambda: Folder(
        (
            told("a", "several", "structured_record experiment_metrics"),
            told("b", "several", "code_file training_script+evaluation_script+notebook"),
            told("c", "few", "structured_record dataset_snapshot"),
            told("d", "few", "config model_config"),
            told("e", "few", "document dataset_card+readme"),
        ),
        (joined("c", "sibling", "c"),),
    ),
    "database": lambda: Folder(
        (
            told("a", "dozens", "code_file database_migration -rollback:some destructive_flags:some"),
            told("b", "dozens", "code_file sql_query+stored_procedure"),
            told("c", "few", "code_file table_schema"),
            told("d", "few", "structured_record database_dump high personal_data:most"),
        )
    ),
    "office": lambda: Folder(
        (
            told(
                "a",
                "dozens",
                "document contract_document+policy_document+meeting_notes+general_document restricted "
                "personal_data:some obligations:some",
            ),
            told("b", "few", "structured_record person_records high personal_data:all"),
        ),
        (joined("a", "supersedes", "a"),),
    ),
    "interface": lambda: Folder(
        (
            told("a", "few", "config api_contract"),
            told("b", "dozens", "code_file api_handler endpoints:most"),
            told("c", "several", "code_file api_client"),
            told("d", "dozens", "code_file test_suite test"),
        ),
        (joined("b", "specifies", "a", "most"), joined("a", "supersedes", "a")),
    ),
    "web": lambda: Folder(
        (
            told("a", "dozens", "code_file page_template+ui_component images_without_text:some unlabelled_inputs:some"),
            told("b", "several", "code_file stylesheet"),
            told("c", "few", "config dependency_manifest"),
        )
    ),
    "breach": lambda: Folder(
        (
            told("a", "several", "log_stream audit_log auth_failures:most"),
            told("b", "few", "document incident_record+security_report"),
            told("c", "few", "secret_container private_key high credentials:all"),
            told("d", "dozens", "config app_config+server_config"),
        )
    ),
}

SAID = [
    ("devops", "review the terraform for insecure settings", "audit_infrastructure a"),
    ("devops", "audit the infrastructure and tell me what to fix first", "audit_infrastructure a"),
    ("devops", "what differs between staging and production ?", "compare_environments d"),
    ("devops", "validate the workflow files", "validate_config c"),
    ("devops", "summarize the runbooks", "summarize e[runbook]"),
    ("devops", "check the manifests and the terraform , then write a report", "audit_infrastructure a b; report s1"),
    ("shop", "find hard coded secrets", "secret_scan a b c d e f g"),
    ("shop", "lint the code and measure how complex it is", "lint a b c; measure_complexity a b c"),
    ("shop", "review P for security issues and compare it with Q", "security_audit P; security_audit Q; compare s1 s2"),
    ("shop", "check P for security issues", "security_audit P"),
    ("shop", "check P and Q for security issues", "security_audit P Q"),
    ("shop", "what would break if i change P ?", "find_impact P"),
    ("shop", "summarize the readme , then check P for security issues", "security_audit P; summarize f[readme]"),
    ("shop", "run the tests", "run_tests d"),
    ("shop", "audit our dependencies", "audit_dependencies e"),
    ("shop", "summarize the readme", "summarize f[readme]"),
    ("shop", "check the code for security issues and write a report", "security_audit a b c; report s1"),
    ("shop", "map how the modules depend on each other", "map_dependencies a b c"),
    ("operations", "analyze the logs for errors and trace them to the code", "analyze_logs a b c; trace_errors a"),
    ("operations", "build a timeline of the outage", "build_timeline a b c d[postmortem]"),
    ("operations", "correlate the application logs with the deploy logs", "correlate_events a c"),
    ("operations", "summarize the postmortems", "summarize d[postmortem]"),
    ("data", "check the data for duplicates and missing values", "check_data_quality a b"),
    ("data", "does the data match the contract ?", "validate_schema a b c"),
    ("data", "has the data drifted ?", "detect_drift a"),
    ("data", "make a copy of the customer records without names", "redact_document b"),
    ("data", "profile the transactions", "profile_data a"),
    ("learning", "compare the metrics of the two runs", "compare_metrics a"),
    ("learning", "did the training data shift ?", "detect_drift c"),
    ("database", "review the migrations for risk", "review_migrations a"),
    ("database", "what changed in the last migrations ?", "list_inventory a b c d"),
    ("database", "are the queries slow ?", "review_queries b c"),
    ("office", "list the obligations and deadlines in the contracts", "extract_constraints a[contract_document]"),
    ("office", "compare the two versions of the contract", "compare a[contract_document]"),
    ("office", "redact the documents", "redact_document a[personal_data]"),
    ("office", "summarize the meeting notes", "summarize a[meeting_notes]"),
    ("interface", "check the api against its contract", "check_api_contract a b"),
    ("web", "check the pages for accessibility", "check_accessibility a"),
    ("web", "check the code for security issues", "security_audit a b"),
    ("devops", "check the kubernetes manifests", "audit_infrastructure a b"),
    ("shop", "did anyone commit a password or an api key ?", "secret_scan a b c d e f g"),
    ("shop", "can users from one team see websites of another team ?", "find_code a b c d e f g"),
    ("shop", "can a guest delete a project ?", "find_code a b c d e f g"),
    ("shop", "does anyone see the invoices of others ?", "find_code a b c d e f g"),
    ("shop", "any database passwords ?", "secret_scan a b c d e f g"),
    ("shop", "are there api keys in the payment code or the tests ?", "secret_scan a b c d e f g"),
    ("shop", "are there secrets in P ?", "secret_scan P"),
    ("shop", "is there personal data in the configuration ?", "find_personal_data a b c d e f g"),
    ("shop", "is there anything risky in how we handle passwords or logins ?", "security_audit a[api_handler] b"),
    ("shop", "do we store passwords securely ?", "security_audit a b c g"),
    ("shop", "is our session handling secure ?", "security_audit a[api_handler] b"),
    ("breach", "look for failed sign ins in the audit log", "analyze_logs a"),
    ("breach", "what is exposed if the keys leak ?", "assess_exposure c"),
    ("shop", "lint the javascript and the typescript code",
     "lint a[code_file,node] b[code_file,node] c[code_file,node] d[code_file,node] g[configuration,node]"),
    ("devops", "review the shell scripts for dangerous commands",
     "security_audit d[configuration,shell] f[code_file,shell]"),
    ("office", "what do all the documents require of us ?", "extract_constraints a"),
    ("shop", "how does it decide that a payment is down ?", "find_code a b c d e f g"),
    ("shop", "who can remove a project ?", "find_code a b c d e f g"),
    ("shop", "what would break if i dropped the <term> table ?", "find_code a b c d e f g"),
    ("shop", "which password strategies exist ?", "list_inventory a b c d e f g; find_code a b c d e f g"),
    ("shop", "can it print with <term> ?", "find_code a b c d e f g"),
    ("shop", "what depends on the logger ?", "find_code a b c d e f g"),
    ("shop", "what can a viewer do versus an editor ?", "find_code a b c d e f g"),
    ("shop", "which dependencies are risky or out of date ?", "audit_dependencies e"),
]  # fmt: skip
VAGUE = [
    ("devops", "are we ready to go live ?", {"validate_config", "audit_infrastructure"}),
    ("devops", "is anything in here unsafe ?", {"secret_scan", "audit_infrastructure"}),
    ("shop", "can we ship this ?", {"run_tests", "audit_dependencies"}),
    ("shop", "i am taking this project over on monday . get me up to speed .", {"explain_project", "map_dependencies"}),
    ("operations", "something broke last night : what happened and how bad is it ?", {"analyze_logs", "trace_errors"}),
    ("data", "can i trust these numbers ?", {"check_data_quality", "validate_schema"}),
    ("learning", "is the new model better than the old one ?", {"compare_metrics"}),
    ("database", "is it safe to run this on the live database tonight ?", {"review_migrations"}),
    ("office", "is this folder safe to hand to the auditor ?", {"secret_scan", "redact_document"}),
    ("web", "can blind people use it ?", {"check_accessibility"}),
    ("breach", "someone got in : how far could they get ?", {"analyze_logs", "assess_exposure"}),
]  # fmt: skip


@pytest.mark.parametrize(("folder", "text", "plan"), SAID, ids=[text for _, text, _ in SAID])
def test_a_goal_that_says_what_to_do_gets_that_on_what_it_means(folder, text, plan):
    assert written(FOLDERS[folder]().ask(text)) == plan


@pytest.mark.parametrize(("folder", "text", "wanted"), VAGUE, ids=[text for _, text, _ in VAGUE])
def test_a_vague_goal_is_answered_by_what_the_sets_hold(folder, text, wanted):
    plan = FOLDERS[folder]().ask(text)
    assert wanted <= {step.capability for step in plan.steps}
    assert len(plan.steps) <= 4


@pytest.mark.parametrize(("folder", "text"), [(each[0], each[1]) for each in (*SAID, *VAGUE)])
def test_plans_are_short_and_every_step_takes_what_it_can(folder, text):
    made = FOLDERS[folder]()
    plan = made.ask(text)
    assert len([step for step in plan.steps if step.capability != "report"]) <= 4
    assert all(1 <= len(step.inputs) <= MAX_INPUTS for step in plan.steps)
    assert all(step.output == CATALOG[step.capability].returns for step in plan.steps)
    assert len({(step.capability, step.inputs) for step in plan.steps}) == len(plan.steps)


@pytest.mark.parametrize("letters", ["abc", "cab", "zyx"])
def test_the_plan_depends_on_no_id_and_no_order(letters):
    sets = (
        told(letters[0], "dozens", "config infra_storage"),
        told(letters[1], "dozens", "document runbook+readme"),
        told(letters[2], "several", "code_file application"),
    )
    plan = Folder(tuple(sorted(sets, key=lambda each: each.set_id))).ask("is anything in here unsafe ?")
    places = [(step.capability, {letters.index(brief(each)) for each in step.inputs}) for step in plan.steps]
    assert places == [
        ("secret_scan", {0, 1, 2}), ("security_audit", {0, 2}), ("audit_infrastructure", {0}),
        ("assess_exposure", {0, 2}),
    ]  # fmt: skip


# what a goal without words says


@cases("folder", "intents", "families", "plan")
def test_intents_and_families_choose_sets(folder, intents, families, plan):
    assert written(FOLDERS[folder]().ask(intents=intents, families=families)) == plan


BLANKED = [
    (
        "devops", "review all the <name> for insecure settings .", "audit_infrastructure validate_config",
        "configuration infrastructure", {"audit_infrastructure": "a"},
    ),
    ("devops", "are the <name> <term> ?", "audit_infrastructure validate_config", "delivery", {
        "audit_infrastructure": "b c", "validate_config": "b c",
    }),
    ("shop", "lint the code , and what about the <term> ?", "audit_dependencies lint", "application dependencies", {
        "audit_dependencies": "e", "lint": "a b c",
    }),
    ("shop", "lint the code of <name> .", "lint summarize", "application", {"lint": "a b c", "summarize": None}),
]  # fmt: skip


@pytest.mark.parametrize(("folder", "text", "intents", "families", "steps"), BLANKED)
def test_what_a_blanked_word_asks_for_is_planned_where_the_goal_is_about_it(folder, text, intents, families, steps):
    plan = FOLDERS[folder]().ask(text, intents=tuple(intents.split()), families=tuple(families.split()))
    found = dict(each.split(" ", 1) for each in written(plan).split("; "))
    for capability, inputs in steps.items():
        assert found.get(capability) == inputs


# what the goal names


def test_what_stands_in_for_a_log_is_read_and_the_sets_serve_the_rest():
    folder = Folder(
        (
            told("a", "several", "application_log+readme"),
            told("b", "several", "config environment_config+deploy_manifest+app_config"),
            told("c", "several", "code_file model_serving+test_suite"),
        ),
        (joined("b", "sibling", "b"),),
        (thing("p", "log_stream", "error_log", within=set_id("a")),),
    )
    plan = folder.ask(
        "what is set differently between staging and production , and what does the P say ?",
        intents=("analyze_logs", "compare_environments"),
        families=("logs",),
    )
    assert written(plan) == "analyze_logs P; compare_environments b[environment_config]"


def test_which_tests_cover_an_object_is_answered_without_running_them():
    folder = Folder((told("a", "dozens", "code_file test_suite"),), (), (thing("p", "code_file", "ui_component"),))
    plan = folder.ask("which tests cover the P ?", families=("testing",))
    assert {step.capability for step in plan.steps} == {"find_tests"}


def test_a_set_that_the_goal_names_is_meant_and_others_are_not():
    folder = Folder(
        (told("a", "several", "code_file api_handler named"), told("b", "dozens", "code_file business_logic")),
    )
    assert written(folder.ask("lint the code in <path>")) == "lint a"
    assert written(folder.ask("check <path> for security issues")) == "security_audit a"


def test_two_sets_that_the_goal_names_are_compared():
    folder = Folder(
        (
            told("a", "several", "config environment_config named"),
            told("b", "several", "config environment_config named"),
            told("c", "several", "config environment_config"),
        ),
        (joined("a", "sibling", "b"),),
    )
    assert written(folder.ask("compare the settings of <path> and <name>")) in (
        "compare a b",
        "compare_environments a b",
    )


PARTS = (
    told("a", "several", "log_stream error_log stack_traces:all"),
    told("b", "dozens", "code_file api_handler+business_logic"),
    told("c", "several", "code_file test_suite"),
    told("d", "several", "document contract_document"),
    told("e", "several", "structured_record person_records+transaction_records+event_records"),
    told("f", "several", "credentials_file+private_key+application_log"),
)
NAMED = (thing("p", "log_stream", "error_log", within=set_id("a")), thing("q", "document", "contract_document"))
NAMED += (thing("r", "code_file", "api_handler", within=set_id("b")),)
MEANT = {
    "trace the errors in the P to the code . then run the tests for that code": "trace_errors P; run_tests s1.related",
    "which documents are similar to Q , and compare them with it": "search_similar Q; compare Q s1.matched",
    "audit what a change of R would touch": "find_impact R; security_audit s1.related",
    "audit the code for security problems , and tell me which files are worst": "security_audit b",
    "profile the customer export column by column": "profile_data e[person_records]",
    "describe the columns of the customer data . which columns hold dates ? redact a copy": (
        "profile_data e[person_records]; redact_document e[person_records]"
    ),
    "detect drift in the data": "detect_drift e",
    "put the env files side by side , and tell me whether secrets are in there": "secret_scan a b c d e f",
}


@pytest.mark.parametrize("goal", MEANT)
def test_what_a_clause_means_is_taken_and_no_more_of_its_set(goal):
    """Code that another step finds, a class rather than all data, all that may have a counterpart, what was named."""
    assert written(Folder(PARTS, (), NAMED).ask(goal)) == MEANT[goal]


def test_a_goal_that_names_an_object_takes_its_set_only_where_it_asks_for_the_whole():
    folder = FOLDERS["shop"]()
    assert (
        written(folder.ask("check P for security issues , then lint all the code")) == "security_audit P; lint a b c d"
    )


def test_sets_that_may_hold_what_a_noun_names_are_all_searched_beside_an_object():
    folder = Folder(
        tuple(told(letter, "several", "config") for letter in "abcd"), (), (thing("p", "config", "container_build"),)
    )
    plan = folder.ask("are our P and compose files safe ?", intents=("audit_infrastructure",), families=("delivery",))
    parts = (f"{letter}[{leaf}]" for letter in "abcd" for leaf in ("deploy_manifest", "infra_cluster"))
    assert written(plan) == f"audit_infrastructure P {' '.join(parts)}"


@pytest.mark.parametrize("text", ["is there passwords or tokens in the code ?", "any api tokens committed ?"])
def test_what_is_looked_for_everywhere_is_not_narrowed_by_its_own_name(text):
    assert written(FOLDERS["shop"]().ask(text)) == "secret_scan a b c d e f g"


def test_a_pronoun_names_no_sort_of_files():
    folder = Folder((told("a", "several", "code_file stylesheet"),), (), (thing("p", "code_file", "client_state"),))
    assert written(folder.ask("P is hard to change . which likely bugs do you see in them ?")) == "lint P"


# what is told of a mixed set


def test_logs_of_a_mixed_set_are_logs_and_a_clause_without_nouns_means_what_was_named_before():
    folder = Folder(
        (told("a", "dozens", "audit_log+application_log+job_script"), told("b", "several", "document runbook+readme"))
    )
    plan = folder.ask("go through its auth log for anything odd and give me the order of events .")
    assert written(plan) == "analyze_logs a[audit_log]; build_timeline a[audit_log]"


def test_a_relation_within_a_mixed_set_joins_what_it_mostly_joins():
    folder = Folder(
        (told("a", "dozens", "error_log+access_log+event_records+readme"),), (joined("a", "overlaps", "a"),)
    )
    plan = folder.ask("what changed , and does it matter ?")
    assert "detect_drift" not in {step.capability for step in plan.steps}


def test_a_set_that_tests_something_holds_tests():
    folder = Folder((told("a", "several", "code_file business_logic+api_client"),), (joined("a", "tests", "a"),))
    assert written(folder.ask("run the tests")) == "run_tests a[test_suite]"


# what is not told


def test_members_of_a_class_that_was_not_told_are_narrowed_to():
    folder = Folder((told("a", "hundreds", "document"), told("b", "dozens", "code_file application")))
    assert written(folder.ask("summarize the runbooks")) == "summarize a[runbook]"
    folder = Folder((told("a", "hundreds", "config infrastructure"), told("b", "dozens", "document guides")))
    assert written(folder.ask("summarize the runbooks")) == "summarize b[runbook]"


def test_one_set_with_everything_is_worked_on_as_far_as_it_fits():
    folder = Folder((told("a", "hundreds", "api_handler+environment_config+readme+application_log"),))
    assert written(folder.ask("analyze the logs")) == "analyze_logs a[application_log]"
    assert written(folder.ask("find hard coded secrets")) == "secret_scan a"
    nothing = Folder((told("a", "thousands"),))
    assert written(nothing.ask("find hard coded secrets")) == "secret_scan a"
    assert written(nothing.ask("lint the code")) in ("lint a", "lint a[application] a[library]")


def test_an_empty_folder_needs_no_plan():
    assert Folder(()).ask("can we ship this ?").done
    assert Folder(()).ask("lint the code").done


def test_a_vague_goal_over_sets_of_unknown_classes_splits_the_largest_and_plans_with_what_that_tells():
    folder = Folder(
        (told("a", "hundreds", "config"), told("b", "thousands", "code_file application"), told("c", "few"))
    )
    first = folder.ask("are we ready to go live ?")
    assert [(step.capability, step.inputs, step.by) for step in first.steps] == [
        ("split", (set_id("b"),), "semantic_class"),
        ("split", (set_id("a"),), "family"),
    ]
    parts = (
        told("d", "dozens", "config infrastructure open_permissions:some", within=set_id("a")),
        told("e", "dozens", "config delivery", within=set_id("a")),
        told("f", "hundreds", "code_file api_handler", within=set_id("b")),
        told("g", "dozens", "code_file test_suite", within=set_id("b")),
    )
    steps = tuple(StepResult(step=number, outcome=Outcome(status=StepStatus.DONE)) for number in (1, 2))
    second = folder.hear(Results(turn=1, steps=steps, sets=parts), first)
    assert {each for step in second.steps for each in step.inputs} <= {set_id(each) for each in "cdefg"}
    assert {"audit_infrastructure", "run_tests", "validate_config"} & {step.capability for step in second.steps}


def test_a_refused_split_is_not_asked_for_again():
    folder = Folder((told("a", "hundreds", "config"), told("b", "thousands", "code_file")))
    first = folder.ask("are we ready to go live ?")
    refused = tuple(StepResult(step=n, outcome=Outcome(status=StepStatus.REJECTED)) for n in (1, 2))
    second = folder.hear(Results(turn=1, steps=refused), first)
    assert second.steps and "split" not in {step.capability for step in second.steps}


# what follows from results


def heard(folder, text, **outcome):
    """What follows when the first step of a plan, or the one that looks for secrets, has this outcome."""
    made = FOLDERS[folder]()
    first = made.ask(text)
    names = [step.capability for step in first.steps]
    place = 1 + (names.index("secret_scan") if outcome.get("tags") and "secret_scan" in names else 0)
    fields = {"status": StepStatus.DONE, "severity": Severity.HIGH, "affected": Affected.FEW, **outcome}
    second = made.hear(Results(turn=1, steps=(StepResult(step=place, outcome=Outcome(**fields)),)), first)
    third = made.hear(Results(turn=2), second)
    assert third.done
    return written(second)


SECRETS = {"tags": (OutcomeTag.HARDCODED_SECRET,)}


@pytest.mark.parametrize(
    ("folder", "text", "outcome", "plan"),
    [
        ("devops", "audit the infrastructure and tell me what to fix first", {}, "find_impact s1.worst"),
        ("shop", "check the code for security issues and tell me how bad it is", {}, "find_impact s1.worst"),
        ("database", "review the migrations and tell me which are most urgent", {}, "find_impact s1.worst"),
        ("shop", "find hard coded secrets and tell me how bad it is", SECRETS, "assess_exposure s1.affected"),
        ("office", "is this folder safe to hand to the auditor ?", SECRETS, "assess_exposure s2.affected"),
        (
            "devops",
            "audit the infrastructure , tell me what to fix first , and write a report",
            {},
            "find_impact s1.worst; report f1 s1",
        ),
    ],
)
def test_a_grave_finding_leads_on_where_the_goal_asks_for_it(folder, text, outcome, plan):
    assert heard(folder, text, **outcome) == plan


@pytest.mark.parametrize(
    ("folder", "text", "outcome"),
    [
        ("devops", "audit the infrastructure", {}),
        ("devops", "audit the infrastructure and tell me what to fix first", {"severity": Severity.LOW}),
        ("devops", "audit the infrastructure and tell me what to fix first", {"affected": Affected.NONE}),
        ("devops", "audit the infrastructure and tell me what to fix first", {"status": StepStatus.FAILED}),
        ("shop", "find hard coded secrets", SECRETS),
        ("shop", "find hard coded secrets and tell me how bad it is", {"tags": (OutcomeTag.PERSONAL_DATA,)}),
    ],
)
def test_nothing_else_leads_on(folder, text, outcome):
    assert heard(folder, text, **outcome) == ""


# objects one by one, and sets for the rest


def one_by_one(text, objects, sets):
    envelopes = [
        released(Registration(sets=sets, objects=objects)),
        released(Request(goal=Goal(mode="lexicon", text=tuple(text.split())), sets=sets, objects=objects)),
    ]
    return sorted(written(decode_plan(Offline(CATALOG).plan(envelopes))).split("; "))


SECURE = "check the code for security issues"


def test_where_objects_are_listed_each_has_its_step_and_the_rest_one():
    objects = (thing("p", "code_file", "payment_module"), thing("q", "code_file", "authentication_module"))
    sets = (told("a", "hundreds", "code_file application"), told("b", "dozens", "document guides"))
    assert one_by_one(SECURE, objects, sets) == ["security_audit P", "security_audit Q", "security_audit a"]


def test_a_set_all_of_whose_members_are_listed_stands_for_no_others():
    objects = (
        thing("p", "code_file", "payment_module", within=set_id("a")),
        thing("q", "code_file", "authentication_module", within=set_id("a")),
    )
    few, many = (told("a", size, "code_file payment_module+authentication_module") for size in ("few", "hundreds"))
    assert one_by_one(SECURE, objects, (few,)) == ["security_audit P", "security_audit Q"]
    assert one_by_one(SECURE, objects, (many,)) == ["security_audit a"]


def test_sets_of_which_little_is_told_bring_no_capability_that_nobody_asked_for():
    sets = (told("a", "several"), told("b", "several", "config delivery"))
    report = thing("p", "document", "postmortem", within=set_id("a"))
    goal = Goal(
        mode="lexicon",
        text=("check", object_id("p"), "and", "summarize", "it"),
        families=(Family.DELIVERY, Family.GUIDES),
        objects=(object_id("p"),),
    )
    envelopes = [released(Registration(sets=sets, objects=(report,))), released(Request(goal=goal, objects=(report,)))]
    assert written(decode_plan(Offline(CATALOG).plan(envelopes))) == "summarize P"


def test_an_object_is_compared_with_its_set():
    folder = Folder(
        (told("a", "several", "document contract_document"),),
        (),
        (thing("p", "document", "contract_document", within=set_id("a")),),
    )
    assert written(folder.ask("compare P with the other contracts")) == "compare P a"


# how good plans over sets are


FLOORS = {"tuning": (0.91, 0.76, 0.87), "held": (0.91, 0.75, 0.88)}
"""Capability F1 of goals that name their steps and of vague ones, and which part of the needed objects is reached."""


@pytest.mark.parametrize("half", sorted(FLOORS))
def test_plans_over_sets_are_what_a_careful_person_would_do(half):
    scores = {True: [], False: []}
    reached = []
    for question in questions(half):
        plan, cut = asked_over_sets(question)
        assert len([step for step in plan.steps if step.capability != "report"]) <= 4
        scores[question.vague].append(score(question, plan).capabilities)
        reached.append(len(reached_by(plan, cut, question) & question.objects) / len(question.objects))
    named, vague, objects = FLOORS[half]
    assert sum(scores[False]) / len(scores[False]) >= named
    assert sum(scores[True]) / len(scores[True]) >= vague
    assert sum(reached) / len(reached) >= objects
