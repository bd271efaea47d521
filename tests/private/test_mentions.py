"""Which objects a goal speaks of, and which it may not have meant."""

from __future__ import annotations

import re
import time

import pytest
from msgspec.structs import replace

from plantwin.private.facts import Record
from plantwin.private.selection.mentions import LOOSE, mentions
from tables import cases


def record(number, path, leaf="utility_library", role="production"):
    return Record(
        number=number, path=path, kind="code_file", semantic_class=leaf, family="library", role=role, sensitivity="low",
        freshness="stale", size_bucket="small", confidence="high",
    )  # fmt: skip


RECORDS = [
    record(1, "shop/auth/service.py", "authentication_module"),
    record(2, "shop/payments/service.py", "payment_module"),
    record(3, "shop/payments/tests/test_service.py", "test_suite", "test"),
    record(4, "deploy/staging.yaml", "deploy_manifest"),
    record(5, "deploy/production.yaml", "deploy_manifest"),
    record(6, "docs/quarterly.md", "general_document"),
    record(7, "README.md", "readme"),
]


@pytest.mark.parametrize(
    ("goal", "numbers"),
    [
        ("Review shop/auth/service.py", {1}),
        ("Review ./shop/auth/service.py please", {1}),
        ("What is in ~/work/shop/auth/service.py?", {1}),
        ("Everything under shop/payments/", {2, 3}),
        ("compare staging.yaml with production.yaml", {4, 5}),
        ("Explain the quarterly file", {6}),
        ("the authentication module", {1}),
        ("look at the auth module", {1}),
        ("payments, please", {2}),
        ("Is this safe?", set()),
        ("", set()),
        ("readme.md", {7}),
    ],
)
def test_what_a_goal_names(goal, numbers):
    assert set(mentions(goal, RECORDS).weights) == numbers


@pytest.mark.parametrize(
    "goal",
    [
        "Look for secrets in every file here.",
        "Is this file here in use?",
        "which package",
        "what background jobs run",
        "what happens when a user logs in",
        "which ruby version",
        "what must the samplesheet look like",
        "who calls the function that sends campaign messages",
    ],
)
def test_plain_words_name_no_file(goal):
    called = ["file.js", "every.js", "here.py", "package.py", "which.py", "this.py", "jobs", "user.py", "VERSION"]
    called += ["campaign.vue", "samplesheet.csv"]
    assert mentions(goal, [record(number, f"lib/{name}") for number, name in enumerate(called)]).weights == {}


PARTS = [
    *(record(number, f"frontend/src/page{number}.tsx") for number in range(1, 4)),
    *(record(number, f"examples/eks-managed-node-group/part{number}.tf") for number in range(4, 7)),
    *(record(number, f"test/security/case{number}.py", role="test") for number in range(7, 10)),
    *(record(number, f"config/{number}.py") for number in range(10, 13)),
    *(record(number, f"stubs/python/{number}.pyi") for number in range(13, 16)),
    record(16, "web/vars/main.yml"),
    record(17, "play/db/vars/more.yml"),
    record(18, "play/vars.yml"),
]


@pytest.mark.parametrize(
    ("goal", "numbers"),
    [
        ("duplicates in the frontend?", {1, 2, 3}),
        ("how do I use the eks managed node group example", {4, 5, 6}),
        ("what are the security holes", set()),
        ("is the config safe", set()),
        ("what is in the config folder", {10, 11, 12}),
        ("audit all of the Python code", set()),
        ("what is in the python folder", {13, 14, 15}),
        ("a frontend would be nice", set()),
        ("passwords in the vars files", {16, 17, 18}),
    ],
)
def test_a_part_of_the_folder_is_named_in_plain_words(goal, numbers):
    assert {number for number, weight in mentions(goal, PARTS).weights.items() if weight > LOOSE} == numbers


@pytest.mark.parametrize(
    ("goal", "named"),
    [
        ("profile customers", True),
        ("where is personal data of customers", False),
        ("is personal data in the customers table", True),
    ],
)
def test_what_is_looked_for_everywhere_is_not_looked_for_in_a_table_by_chance(goal, named):
    table = replace(record(1, "shop.db", "person_records"), part="customers")
    found = mentions(goal, [table, record(2, "people.csv", "person_records")]).weights
    assert (found.get(1, 0) > LOOSE) is named


TITLED = [
    record(1, "docs/partner-terms.md", "contract_document"),
    record(2, "data/landings-w45.csv", "measurement_records"),
    record(3, "data/reference_milkings.csv", "measurement_records"),
    record(4, "metrics/week-44.json", "experiment_metrics"),
    record(5, "metrics/week-45.json", "experiment_metrics"),
    record(6, "logs/audit.log", "audit_log"),
    record(7, "CHANGES.md", "changelog"),
    record(8, "README.md", "readme"),
    record(9, "config/app.yaml", "app_config"),
]


@pytest.mark.parametrize(
    ("goal", "numbers"),
    [
        ("Boil the partner terms down", {1}),
        ("Does the landings file still fit?", {2}),
        ("For the reference milkings: what is in each column?", {3}),
        ("the scores lie in metrics/.", {4, 5}),
        ("what is in the changelog", {7}),
        ("the audit logs of today", {6}),
        ("Is this safe to hand to the auditor?", set()),
        ("Could the whole world read this?", set()),
        ("Is the change to blame?", set()),
        ("The app people claim otherwise", set()),
    ],
)
def test_words_of_a_name_folders_and_whole_names_of_classes_name_what_they_say(goal, numbers):
    assert {number for number, weight in mentions(goal, TITLED).weights.items() if weight > LOOSE} == numbers


def test_of_a_longer_phrase_a_single_word_means_nothing_else():
    records = [
        thing(1, "logs/gatekeeper-2025-01-18.log", "log_stream", "error_log", "logs"),
        thing(2, "config/gatekeeper.yaml", "config", "app_config", "configuration"),
        thing(3, "config/gatekeeper.env", "config", "credentials_file", "credentials"),
    ]
    assert set(mentions("take the gatekeeper log", records).weights) == {1}
    assert set(mentions("what does gatekeeper do", records).weights) == {1, 2, 3} - {1}


def test_a_name_that_fits_several_is_ambiguous():
    found = mentions("fix service.py", RECORDS)
    assert set(found.weights) == found.ambiguous == {1, 2}
    assert mentions("fix shop/auth/service.py", RECORDS).ambiguous == frozenset()
    assert "private" in repr(found)


def test_a_class_weighs_less_than_a_name_and_a_test_less_than_its_subject():
    weights = mentions("the test suite and the payment module and shop/auth/service.py", RECORDS).weights
    assert weights[1] > weights[2] > weights[3]


def test_a_sort_of_files_is_no_file_that_is_called_so():
    versions = [
        thing(number, f"migrations/versions/{number}.py", "code_file", "database_migration", "database")
        for number in range(1, 8)
    ]
    records = [*versions, thing(8, "app/database.py", "code_file", "data_access", "application")]
    assert not mentions("are the database migrations safe ?", records).references
    assert set(mentions("is app/database.py safe ?", records).weights) >= {8}


def test_a_word_that_says_what_to_do_names_a_file_only_by_its_whole_name():
    records = [record(1, "lib/secrets.py"), record(2, "lib/other.py")]
    assert mentions("find secrets", records).weights == {}
    assert set(mentions("find secrets in secrets.py", records).weights) == {1}
    assert set(mentions("find secrets in lib/secrets.py", records).weights) == {1}


@pytest.mark.parametrize(
    ("goal", "numbers"),
    [
        ("do we store personal data in the database?", set()),
        ("are there passwords in the billing?", set()),
        ("are there passwords in the billing folder?", {2}),
        ('are there passwords in "billing"?', {2}),
        ("any secrets in src/database/?", {1}),
        ("lint the billing", {2}),
    ],
)
def test_secrets_and_personal_data_are_looked_for_everywhere_unless_a_folder_is_named_as_one(goal, numbers):
    records = [record(1, "src/database/pool.ts"), record(2, "src/billing/run.ts"), record(3, "src/app.ts")]
    assert {number for each in mentions(goal, records).references for number in each.numbers} == numbers


def test_a_capital_at_the_beginning_and_a_folder_of_tests_name_nothing():
    records = [
        record(1, "views/list.html", "page_template"),
        record(2, "spec/support/vcr.rb", "test_helper", "test"),
        record(3, "lib/other.py"),
        record(4, "lib/more.py"),
        record(5, "docs/a.md", "user_guide"),
    ]
    assert not mentions("List every endpoint", records).references
    assert set(mentions("show the List", records).weights) == {1}
    assert not mentions("send the support tickets", records).references
    assert set(mentions("send the support folder", records).weights) == {2}


def test_a_license_is_asked_about_and_its_file_named_in_so_many_words():
    records = [record(1, "LICENSE", "license"), record(2, "lib/other.py")]
    assert not mentions("does it have a license", records).references
    assert set(mentions("read the license file", records).weights) == {1}
    assert set(mentions("read LICENSE", records).weights) == {1}


def thing(number, path, kind, leaf, family, *, role="production", freshness="stale", part=""):
    return Record(
        number=number, path=path, part=part, kind=kind, semantic_class=leaf, family=family, role=role,
        sensitivity="low", freshness=freshness, size_bucket="small", confidence="high",
    )  # fmt: skip


NOW = 1_794_794_400.0  # 2026-11-16, 02:00 UTC
THINGS = [
    thing(1, "shop/auth/service.py", "code_file", "authentication_module", "application"),
    thing(2, "db/migrations/0001_init.sql", "code_file", "database_migration", "database"),
    thing(3, "db/migrations/0012_users.sql", "code_file", "database_migration", "database"),
    thing(4, "logs/deploy-2026-11-15.log", "log_stream", "application_log", "logs"),
    thing(5, "logs/deploy-2026-11-14.log", "log_stream", "application_log", "logs"),
    thing(6, "conf/a.toml", "config", "app_config", "configuration"),
    thing(7, "conf/b.toml", "config", "app_config", "configuration"),
    thing(8, "tests/test_a.py", "code_file", "test_suite", "testing", role="test"),
    thing(9, "tests/test_b.py", "code_file", "test_suite", "testing", role="test"),
    thing(10, "data/shop.db", "structured_record", "transaction_records", "dataset", part="Orders"),
    thing(11, "logs/access.log", "log_stream", "access_log", "logs", freshness="recent"),
    thing(12, "web/index.html", "code_file", "authentication_form", "interface"),
]


@cases("goal", "phrase", "numbers")
def test_where_a_goal_names_what(goal, phrase, numbers):
    found = mentions(goal, THINGS, now=NOW, defined=lambda names: dict.fromkeys(names, (1,)))
    assert (phrase, numbers) in [(goal[each.start : each.end], each.numbers) for each in found.references]
    assert set(numbers) == {number for number, weight in found.weights.items() if weight >= 80}
    assert not found.ambiguous


@pytest.mark.parametrize(
    "goal",
    ["the, config", "all", "the very old and quite dusty green config", "yesterday's migration", "both migrations of x",
     "the log", "any guides", "run all tests", "the postmortem", "today's config", "first dump", "fix Login"],
)  # fmt: skip
def test_what_means_nothing_here_names_nothing(goal):
    found = mentions(goal, [each for each in THINGS if each.number not in (2,)], now=NOW, defined=lambda _: {})
    assert {number for number, weight in found.weights.items() if weight >= 80} == set()


def test_what_is_ambiguous_is_asked_about():
    logs = [
        thing(1, "a/x.log", "log_stream", "build_log", "logs"),
        thing(2, "b/x.log", "log_stream", "build_log", "logs"),
    ]
    for goal in ("read x.log", "read the latest log"):
        assert mentions(goal, logs, now=NOW).ambiguous == {1, 2}
        asked = []

        def choose(text, records):
            asked.append((text, [each.path for each in records]))  # noqa: B023
            return records[1]

        found = mentions(goal, logs, now=NOW, choose=choose)
        assert (found.weights, found.ambiguous) == ({2: found.weights[2]}, frozenset())
        assert [paths for _, paths in asked] == [["a/x.log", "b/x.log"]]
        assert mentions(goal, logs, now=NOW, choose=lambda *_: None).ambiguous == {1, 2}
    twice = mentions("fix find_user", THINGS, defined=lambda names: {"find_user": {1, 2}})
    assert twice.ambiguous == {1, 2}
    three = [thing(number, f"c{number}.toml", "config", "app_config", "configuration") for number in range(3)]
    assert mentions("compare both configs", three).ambiguous == {0, 1, 2}


def test_many_objects_are_looked_up_in_no_time():
    many = [record(number, f"src/pkg{number % 300}/mod{number % 977}/file_{number}.py") for number in range(50_000)]
    goal = "Review the latest auth module in src/pkg1/mod1/ and file_77.py, *.sql and UserService with both configs"
    mentions(goal, many[:10])
    took, peer = [], []
    for _ in range(5):
        began = time.process_time()
        mentions(goal, many, defined=lambda names: {})
        took.append(time.process_time() - began)
        began = time.process_time()
        words = [re.findall("[a-z]+", found.path.lower()) for found in many]
        peer.append(time.process_time() - began)
        assert len(words) == len(many)
    # Held against splitting every path into words: a busy machine slows both.
    assert min(took) < 6 * min(peer)


@pytest.mark.parametrize(
    "goal", ["/" * 4000, "*" * 4000, "a*" * 2000, "the " * 1000, "\ud800/x the \ud800 log", "./ ../.. //a"]
)
def test_no_goal_is_slow_or_breaks_it(goal):
    began = time.process_time()
    mentions(goal, THINGS, now=NOW)
    mentions(goal, [], now=NOW)
    assert time.process_time() - began < 1


SIDES = [
    thing(1, "docker-compose.yml", "config", "deploy_manifest", "delivery"),
    thing(2, "docker-compose.dev.yml", "config", "deploy_manifest", "delivery"),
    thing(3, "Dockerfile", "config", "container_build", "delivery"),
    thing(4, "config/environments/production.rb", "config", "environment_config", "configuration"),
    thing(5, "config/environments/staging.rb", "config", "environment_config", "configuration"),
    thing(6, "config/environments/test.rb", "config", "environment_config", "configuration"),
    thing(7, "deploy/nginx.prod.conf", "config", "app_config", "configuration"),
    thing(8, "deploy/nginx.staging.conf", "config", "app_config", "configuration"),
]


@cases("goal", "numbers")
def test_a_side_of_a_comparison_is_named_by_what_tells_it_apart(goal, numbers):
    assert {number for each in mentions(goal, SIDES, now=NOW).references for number in each.numbers} == set(numbers)


@pytest.mark.parametrize(
    ("goal", "numbers"),
    [
        ("what does next.config do about headers", {1}),
        ("Check pyproject.toml for problems", {2}),
        ("Check all pyproject.toml files", {2, 3, 4, 5, 6}),
        ("how are teams and users related in the database", set()),
        ("what is in users", {7, 8}),
    ],
)
def test_files_and_folders_are_named_as_people_write_them(goal, numbers):
    parts = [record(number, f"parts/{number}/pyproject.toml") for number in range(3, 7)]
    routes = [record(number, f"api/users/{number}/route.ts") for number in (7, 8)]
    others = [record(number, f"lib/{number}.py") for number in range(9, 20)]
    records = [record(1, "next.config.ts"), record(2, "pyproject.toml"), *parts, *routes, *others]
    assert {number for each in mentions(goal, records).references for number in each.numbers} == numbers
