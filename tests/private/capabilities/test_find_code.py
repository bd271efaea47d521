"""Where something is done in the code, and which environment variables code reads."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from capability_inputs import Run, given

from plantwin.private.capabilities.engine.job import Input
from plantwin.private.capabilities.find_code import meaning, passages
from plantwin.private.capabilities.list_environment_variables import ROWS, _patterns

FILES = (
    given("shop/checkout.py", 'def checkout(cart):\n    """Take the payment for a cart."""\n    return charge(cart)\n'),
    given("shop/payment.py", "def charge(cart):\n    return cart.total\n"),
    given("shop/views.py", "from shop.checkout import checkout\n\n\ndef home(request):\n    return 'home'\n"),
    given(
        "tests/test_checkout.py", "def test_checkout():\n    checkout(1)\n\n\ndef test_checkout_again():\n    pass\n"
    ),
    given("README.md", "# Shop\n\nThe checkout takes money.\n"),
    given("web/routes.js", "router.get('/account', (request, reply) => show(request));\n"),
    given("shop/users.py", "def check_password(user, given):\n    return user.hash == hashed(given)\n"),
    given(
        "shop/login.py",
        "def check_login(form):\n    # the password\n    password = form.password\n    return password\n",
    ),
)


@pytest.fixture(autouse=True)
def by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rank by words alone, whether or not the extra `meaning` is installed."""
    monkeypatch.setattr(meaning, "_loaded", lambda: None)


def places(result: object) -> list[str]:
    """The files that were found, best first."""
    return result.facts["objects"]  # type: ignore[attr-defined, no-any-return]


@pytest.mark.parametrize(
    ("request_", "first"),
    [
        ("Where is the checkout logic?", "shop/checkout.py"),
        ("how does checkout work", "shop/checkout.py"),
        ("Where is `charge` defined?", "shop/payment.py"),
        ("Which file handles the account route?", "web/routes.js"),
        ("Where are the tests of checkout?", "tests/test_checkout.py"),
        ("Wo ist der Checkout implementiert?", "shop/checkout.py"),
        ("Where is the password checked?", "shop/users.py"),
        ("what happens when a user logs in", "shop/login.py"),
    ],
)
def test_the_place_comes_first(run: Run, request_: str, first: str) -> None:
    result = run("find_code", *FILES, request=request_)
    assert places(result)[0] == first
    assert result.outcome["status"] == "done"


PAGE = "# Guide\n\nHow it is used.\n\n## Search\n\n```yaml\n# on or off\nsearch: true\n```\n\n## Colours\n\nBlue.\n"
CONFIG = "name: shop\n\n# Seconds until a session ends\nsession_timeout: 900\n\nlevel: info\n"
RUNBOOK = given("docs/runbook.md", "# Running the shop\n\n## Deploy\n\nPush a tag; `scripts/release` does the rest.\n")
GUIDES = (*FILES, RUNBOOK, given("docs/guide.md", PAGE), given("config/app.yml", CONFIG))


@pytest.mark.parametrize(
    ("format", "text", "parts"),
    [
        ("markdown", PAGE, [(1, 4, "Guide", ""), (5, 11, "Search", "Guide"), (12, 14, "Colours", "Guide")]),
        ("yaml", CONFIG, [(1, 1, "", ""), (3, 4, "", ""), (6, 6, "", "")]),
        (
            "python",
            "import a\n\n# Add.\n@cache\ndef add(a):\n    return a\n\n\nclass Cart:\n    def pay(self):\n        ...\n",
            [(1, 1, "", ""), (3, 6, "add", ""), (9, 9, "Cart", ""), (10, 11, "pay", "Cart")],
        ),
        ("text", "", []),
    ],
)
def test_a_file_is_cut_into_sections_definitions_and_blocks(
    format: str, text: str, parts: list[tuple[int, int, str, str]]
) -> None:
    assert [tuple(part) for part in passages.parts(format, text)] == parts


MANUAL = """.TH SHOP 1
.SH OPTIONS
.PP
.B \\-q, \\-quiet
.RS 4
Say nothing\\&.
.RE
.SH ENVIRONMENT
.TP
.B OAUTH2_PROVIDER
Provider of the login, \\fBgoogle\\fR or \\fBoidc\\fR\\&.
.br
Default is empty\\&.
.TP
.B PORT
Where to listen\\&.
"""


def test_a_manual_page_is_cut_by_its_options_and_shown_without_markup(run: Run) -> None:
    titles = [(part.first, part.title, part.outer) for part in passages.parts("text", MANUAL)]
    assert titles[1:] == [(4, "-q, -quiet", "OPTIONS"), (8, "ENVIRONMENT", ""), (10, "OAUTH2_PROVIDER", "ENVIRONMENT"),
                          (15, "PORT", "ENVIRONMENT")]  # fmt: skip
    text = run("find_code", given("shop.1", MANUAL), request="how do I choose the oauth provider").text
    assert text.startswith(
        "`shop.1:10-14` (ENVIRONMENT › OAUTH2\\_PROVIDER): Provider of the login, google or oidc.\n"
    ), text
    assert "Default is empty." in text and "\\f" not in text and ".br" not in text


@pytest.mark.parametrize(
    ("format", "line", "shown"),
    [
        ("markdown", "See [the guide](https://a.example/b#c) {#anchor}", ["See the guide"]),
        ("markdown", "| --- | :-: |", []),
        ("markdown", '<a name="x"></a>**Port**', ["**Port**"]),
        ("rst", "See :ref:`codes`, ``--dry`` and `here <https://a.example>`__", ["See codes, --dry and here"]),
        ("rst", ".. code-block:: console", []),
        ("rst", "*********", []),
        ("asciidoc", "----", []),
    ],
)  # fmt: skip
def test_documents_are_shown_without_markup(format: str, line: str, shown: list[str]) -> None:
    assert passages.rendered(format, False, [line]) == shown


def test_the_answer_begins_with_the_sentence_that_has_the_words(run: Run) -> None:
    page = "# Backups\n\nThey are made daily. Restore one with the command. Nothing else is needed here.\n"
    text = run("find_code", given("docs/backup.md", page), *GUIDES, request="how do I restore backups").text
    assert text.startswith("`docs/backup.md:1-3` (Backups): Restore one with the command.\n"), text


def test_a_long_table_is_shown_from_the_row_that_answers() -> None:
    lines = ["# Options", "", *(f"| option{number} | what it does |" for number in range(30))]
    assert (20, 31) in passages.Part(1, 32, "Options", "").pieces(lines)


def test_a_long_part_is_divided_at_empty_lines() -> None:
    lines = [*["word"] * 8, "", *["word"] * 30]
    assert passages.Part(1, 39, "", "").pieces(lines) == [(1, 9), (10, 21), (22, 33), (34, 39)]


@pytest.mark.parametrize(
    ("request_", "first", "place"),
    [
        ("how do I deploy a new version", "docs/runbook.md", "`docs/runbook.md:3-5` (Running the shop › Deploy):"),
        ("how do I turn off search", "docs/guide.md", "nearest is `docs/guide.md:5-11` (Guide › Search):"),
        ("how long does a session last", "config/app.yml", "`config/app.yml:3-4`:"),
        ("where is the checkout, and how do I deploy it?", "shop/checkout.py", "`docs/runbook.md:3-5`"),
        ("what do the docs say about colours", "docs/guide.md", "`docs/guide.md:12-14` (Guide › Colours):"),
    ],
)
def test_the_passage_that_answers_is_shown(run: Run, request_: str, first: str, place: str) -> None:
    result = run("find_code", *GUIDES, request=request_)
    assert places(result)[0] == first and place in result.text


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("how does the kafka search operator reconcile", "Nothing in 11 files speaks of it, by the words `kafka`, "),
        (
            "how do I pick a random discount",
            "Nothing in 11 files speaks of it, by the words `pick`, `random`, `discount`",
        ),
        ("how do I charge", "No guide speaks of it; nearest is `shop/payment.py:1-2` (charge):"),
    ],
)
def test_what_is_not_there_is_said(run: Run, request_: str, said: str) -> None:
    assert run("find_code", *GUIDES, request=request_).text.startswith(said)


@pytest.mark.parametrize(
    ("request_", "read"),
    [
        ("how does the chekcout work", "Read `chekcout` as `checkout`."),
        ("how does the checkouts work", ""),
        ("how does the chequers work", ""),
    ],
)
def test_a_slip_is_read_as_the_word_that_stands_here(run: Run, request_: str, read: str) -> None:
    text = run("find_code", *GUIDES, request=request_).text
    assert ("Read `" in text) is bool(read) and read in text


def test_one_word_that_is_lacking_is_said_after_the_passage_that_has_the_others(run: Run) -> None:
    text = run("find_code", *GUIDES, request="how is the checkout cart billed").text
    assert text.startswith("`shop/checkout.py:1-3` (checkout):") and text.index("Nothing names `billed`.") > 40


@pytest.mark.parametrize("request_", ["is there 2 factor auth", "is there two-factor authentication", "is 2fa there"])
def test_numbers_and_short_forms_are_the_words_they_stand_for(run: Run, request_: str) -> None:
    page = given("docs/user.md", "# User\n\n## Two factor authentication (2FA)\n\nCodes come by mail.\n")
    text = run("find_code", page, *GUIDES, request=request_).text
    place = "`docs/user.md:3-5` (User › Two factor authentication (2FA)):"
    assert text.startswith(f"Probably yes, by what is called so: {place} Codes come by mail.") and "No" not in text


SETTER = "class User:\n    def set_hashed_password(self, password, hashed):\n        self.hashed_password = password\n"
STORED = (
    "def add(user, password):\n    user.word = bcrypt.hashpw(password.encode(), bcrypt.gensalt())\n    save(user)\n"
)
CHECKED = "#[test]\nfn articles_are_fetched() {\n    assert!(fetch_article(1));\n}\n"
FETCHED = (
    "/// Articles come from their pages.\nfn load(page: u8) -> u8 {\n    let article = fetch(page);\n    article\n}\n"
)


@pytest.mark.parametrize(
    ("request_", "files", "first"),
    [
        ("how are passwords hashed", {"app/models.py": SETTER, "app/store.py": STORED}, "app/store.py"),
        ("where is set_hashed_password", {"app/models.py": SETTER, "app/store.py": STORED}, "app/models.py"),
        ("how are articles fetched", {"src/a.rs": CHECKED, "src/b.rs": FETCHED}, "src/b.rs"),
        (
            "how do I use s3 as storage",
            {"docs/a.md": "# Amazon S3\n\nThe storage.\n", "docs/b.md": "# Swift\n\nA storage.\n"},
            "docs/a.md",
        ),
        (
            "how are carts exported",
            {"changelog/0.1/issue-1": "Carts are exported", "docs/b.md": "# Use\n\nExport your cart to a file.\n"},
            "docs/b.md",
        ),
        ("where is it tested how articles are fetched", {"src/a.rs": CHECKED, "src/b.rs": FETCHED}, "src/a.rs"),
        (
            "how do I generate an api key",
            {
                "docs/adr/keys.md": "# API keys\n\n## Context of API keys\n\nEvery API key we generate may do all.\n",
                "docs/start.md": "# First steps\n\nRun `shop key:new` to generate an API key.\n",
            },
            "docs/start.md",
        ),
        (
            "where is authorization checked",
            {
                "src/auth.py": "def auth_context(user):\n    return check(user.name)\n",
                "src/rules.py": "def authorization_of(user):\n    return check(user.rights)\n",
            },
            "src/rules.py",
        ),
    ],
)
def test_what_does_it_comes_before_what_holds_or_tests_it(
    run: Run, request_: str, files: dict[str, str], first: str
) -> None:
    inputs = [given(name, text) for name, text in files.items()]
    assert places(run("find_code", *inputs, *GUIDES, request=request_))[0] == first


def test_files_whose_content_is_not_at_hand_are_not_called_searched(run: Run) -> None:
    text = run("find_code", RUNBOOK, Input(name="more.py"), request="where is the kafka consumer").text
    assert text.startswith("Nothing in 1 file speaks") and "1 file more are too many to read at once" in text


def test_two_words_that_stand_apart_are_not_denied(run: Run) -> None:
    result = run("find_code", *FILES, request="does it support password accounts?")
    assert (
        result.text.startswith("No passage was found that plainly says this; the nearest is")
        and "```text" in result.text
    )


def test_what_is_only_mentioned_is_not_called_its_place(run: Run) -> None:
    text = run("find_code", FILES[1], FILES[4], request="where is the checkout").text
    assert text.startswith("No code of its own was found")
    # Among documents alone no code is expected.
    assert run("find_code", FILES[4], request="where is the checkout").text.startswith("`README.md:1-3` (Shop): The")


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (
            "is charge used anywhere?",
            "Yes: `charge` stands in 2 lines: `shop/checkout.py:3`, `shop/payment.py:1`.",
        ),
        ("does it call eval or exec?", "No line of code or settings in 8 files searched has `eval` or `exec`."),
        (
            "does it use money?",
            "No line of code or settings in 8 files searched has `money`; comments and documents speak",
        ),
        ("is test_checkout_again called?", "Yes: `test_checkout_again` stands in 1 line, in tests alone: "),
        (
            "does the shop call checkout with retries=3?",
            "No line of code or settings in 8 files searched has `retries=3`",
        ),
    ],
)
def test_whether_something_is_used_is_told_with_yes_or_no(run: Run, request_: str, said: str) -> None:
    assert run("find_code", *FILES, request=request_).text.startswith(said)


MODELS = [
    ("app/models/user.py", "class User(Base, SoftDeletes):\n    pass\n"),
    ("app/models/order.py", "class Order(Base):\n    pass\n"),
    ("app/jobs/export.py", "from app.models.order import Order\n\n\ndef export():\n    return Order.all()\n"),
    ("tests/test_order.py", "def test_order():\n    assert Order()\n"),
]


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (
            "which models use soft deletes?",
            "1 of 2 files called after `models` has `soft` with `deletes`: `app/models/user.py:1`.",
        ),
        ("which models don't use soft deletes", "1 of 2 files called after `models` has no line with `soft` with"),
        ("which models have no soft deletes", "1 of 2 files called after `models` has no line with"),
        (
            "what would break if I drop the order table?",
            "`order` stands in 5 lines of 3 files, 1 of them tests: `app/jobs/export.py:1` (2)",
        ),
        ("where is Order used?", "`order` stands in 5 lines of 3 files, 1 of them tests: "),
    ],
)
def test_files_that_use_or_lack_something_are_counted(run: Run, request_: str, said: str) -> None:
    files = [Input(name=name, data=text.encode()) for name, text in MODELS]
    assert run("find_code", *files, request=request_).text.startswith(said)


VAULTS = [
    (
        "app/helpers.py",
        "def vault_of(user):\n    return user.vault\n\n\ndef open_vault(user):\n    return vault_of(user)\n",
    ),
    ("app/models/vault.py", "class Vault:\n    owner = None\n"),
    (
        "app/services/destroy_contact.py",
        "class DestroyContact:\n    def execute(self):\n        self.contact.remove()\n",
    ),
    ("app/notify.py", "class Notification:\n    def send(self):\n        self.sent = True\n"),
    ("app/remind.py", "class Reminder:\n    def send_reminder(self):\n        return 1\n\n\n# reminder\n"),
    ("app/remind_all.py", "# each reminder\nreminder = 1\n"),
    ("docs/reminder.md", "# Mail\n\nA reminder.\n"),
    ("app/projects.py", "def remove_project(user):\n    return user\n\n\ndef remove_totp(user):\n    return user\n"),
]


@pytest.mark.parametrize(
    ("request_", "first"),
    [
        ("what is a vault", "app/models/vault.py"),
        ("what happens when a contact is deleted", "app/services/destroy_contact.py"),
        ("where do reminders get sent", "app/remind.py"),
        ("who can remove a project", "app/projects.py"),
    ],
)
def test_what_is_called_so_comes_before_what_speaks_of_it(run: Run, request_: str, first: str) -> None:
    files = [Input(name=name, data=text.encode()) for name, text in VAULTS]
    assert places(run("find_code", *files, request=request_))[0] == first


COMPOSED = [
    ("deploy/docker-compose.yml", "services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: umbrella\n"),
    ("e2e/docker-compose.yml", "services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: umbrella\n"),
    ("CONTRIBUTING.md", "# Contributing\n\n## Development setup\n\nInstall the dependencies, then run it.\n"),
    ("app/reset.py", "def reset(form):\n    # the password of the user\n    return mail(form, 'password reset')\n"),
    ("app/store.py", "import redis\n\n\ndef store():\n    return redis.Redis()\n"),
]


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (
            "does the docker setup use a default password",
            "No check answers this with yes or no; the nearest is `deploy/docker-compose.yml:",
        ),
        ("does the mailer use a password?", "No guide speaks of it; nearest is `app/reset.py:"),
        ("does it use redis?", "Yes: `redis` stands in 2 lines"),
        ("does it use deps?", "No line of code or settings in 5 files searched has `deps`"),
        ("does it contain the reset?", "Yes: `reset` stands in 2 lines"),
        ("does it mention the user?", "No line of code or settings in 5 files searched has `user`; comments"),
        ("does it mention mail?", "Yes: `mail` stands in 1 line"),
        ("does it mention form?", "`form` stands in 2 lines"),
    ],
)
def test_that_a_word_stands_somewhere_is_no_yes(run: Run, request_: str, said: str) -> None:
    files = [Input(name=name, data=text.encode()) for name, text in COMPOSED]
    assert run("find_code", *files, request=request_).text.startswith(said)


def test_a_definition_that_a_macro_hides_is_found(run: Run) -> None:
    text = (
        "EXPORT(int) tree_parse(char *text)\n{\n    return 0;\n}\n\nint other(void)\n{\n    return tree_parse(0);\n}\n"
    )
    result = run("find_code", given("tree.c", text), request="where is tree_parse defined?")
    assert result.text.startswith("`tree.c:1-4`")


class Tokens:
    """Tokens of a tokenizer that knows four words."""

    def encode_batch(self, lines: list[str], *, add_special_tokens: bool) -> list[SimpleNamespace]:
        known = {"throttle": 0, "slow": 1, "colour": 2}
        assert not add_special_tokens
        return [SimpleNamespace(ids=[known[word] for word in line.lower().split() if word in known]) for line in lines]


def test_a_title_that_means_what_is_asked_comes_first(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    numpy = pytest.importorskip("numpy")
    page = given("a.md", "# Colour\n\nWhy requests are slow.\n\n# Throttle\n\nWhy requests are slow.\n")
    request = "why are requests slow"
    assert run("find_code", page, request=request).facts["places"][0]["what"] == "Colour"
    vectors = numpy.array([[1.0, 0.1], [1.0, 0.0], [0.0, 1.0]])
    monkeypatch.setattr(meaning, "_loaded", lambda: (Tokens(), vectors))
    assert run("find_code", page, request=request).facts["places"][0]["what"] == "Throttle"
    assert meaning.nearness(request, ["unknown"]) == [1.0]


def test_what_only_names_its_package_or_imports_is_no_answer(run: Run) -> None:
    opening = given("config/file.go", 'package config\n\nimport (\n\t"os"\n)\n\nfunc Read() {\n\tlooked(file)\n}\n')
    assert run("find_code", opening, request="where is the config file read").facts["places"][0]["line"] == 7


def test_a_guide_is_not_denied_where_one_is_shown(run: Run) -> None:
    page = given("docs/sso.md", "# OIDC login\n\nUsers come from another system.\n")
    code = given("auth.go", "// OIDCLogin starts an OIDC login\nfunc OIDCLogin() {\n\tenable(login, OIDC)\n}\n")
    assert "No guide" not in run("find_code", page, code, request="how do I enable login with OIDC").text
    assert "No guide" in run("find_code", code, request="how do I enable login with OIDC").text


def test_secrets_are_masked_where_a_line_is_shown(run: Run) -> None:
    line = "checkout_client = Client(password='Xk9v2mQp7RtLw4Zs')\n"
    result = run("find_code", given("a.py", line), request="where is the checkout client")
    assert places(result) == ["a.py"]
    assert "Xk9v2mQp7RtLw4Zs" not in result.text + str(result.facts)


@pytest.mark.parametrize("table", sorted(name for name, rows in ROWS.items() if isinstance(rows, list)))
def test_examples_of_reads_match(table: str) -> None:
    for row, pattern in _patterns(table):
        match = pattern.search(row["example"])
        assert match is not None, row
        assert match.groupdict().get("default") == row.get("default"), row


VARIABLES = (
    given("app.py", 'import os\nos.environ["NEEDED"]\nos.getenv("PORT", "8000")\nKEY = "NAMED"\nos.environ.get(KEY)\n'),
    given("conf.py", 'class S(BaseSettings):\n    url: str\n    debug: bool = False\n'),
    given("server.js", "const { API_URL, MODE = 'dev' } = process.env;\nprocess.env.WRITTEN = '1';\n"),
    given("tests/test_app.py", 'import os\nos.environ["ONLY_TESTS"]\n'),
    given(".env.example", "NEEDED=\n"),
)  # fmt: skip


def variables(run: Run, *inputs: Input) -> dict[str, tuple[bool, str]]:
    """Each variable with whether it is needed, and its default."""
    facts = run("list_environment_variables", *inputs).facts["variables"]
    return {name: (row["needed"], row["default"]) for name, row in facts.items()}  # type: ignore[attr-defined]


def test_variables_with_and_without_defaults(run: Run) -> None:
    assert variables(run, *VARIABLES) == {
        "NEEDED": (True, ""), "PORT": (False, '"8000"'), "NAMED": (True, ""), "URL": (True, ""),
        "DEBUG": (False, "False"), "API_URL": (True, ""), "MODE": (False, "'dev'"), "ONLY_TESTS": (True, ""),
    }  # fmt: skip


def test_what_no_file_names_is_found(run: Run) -> None:
    result = run("list_environment_variables", *VARIABLES)
    assert {finding.message.split()[1] for finding in result.findings} == {"NAMED", "URL", "API_URL"}
    assert "Read by tests alone: `ONLY_TESTS`" in result.text


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("which env vars are for the api", "1 environment variable of 8 by `api`: `API_URL`."),
        ("which variables set the port for a server", "1 environment variable of 8 by `port`: `PORT`."),
        ("which env vars configure telemetry", "No environment variable is called after `telemetry`. 7 environment"),
        ("which environment variables do we need", "7 environment variables: "),
        ("which variables do we need and what is the default port", "7 environment variables: "),
    ],
)
def test_the_words_of_a_question_choose_among_variables(run: Run, request_: str, said: str) -> None:
    assert run("list_environment_variables", *VARIABLES, request=request_).text.startswith(said)


OPTIONS = """var known = map[string]*option{
    "POOL_SIZE": {
        parsed: 20,
        rawValue: "20",
    },
    "POOL_URL": {},
}
"""


@pytest.mark.parametrize(
    ("place", "found"),
    [
        ("config/options.go", {"POOL_SIZE": (False, '"20"'), "POOL_URL": (False, "")}),
        ("other/options.go", {}),
        ("config/words.go", {"POOL_SIZE": (False, '"20"'), "POOL_URL": (False, "")}),
        ("config/options_test.go", {}),
    ],
)
def test_options_beside_code_that_reads_the_whole_environment_are_variables(
    run: Run, place: str, found: dict[str, tuple[bool, str]]
) -> None:
    reader = given("config/parser.go", "package config\n\nfunc parse() { use(os.Environ()) }\n")
    assert variables(run, reader, given(place, OPTIONS)) == found


@pytest.mark.parametrize(
    ("place", "code", "found"),
    [
        (
            "cmd/serve.go",
            """var flags = []cli.Flag{
    &cli.StringFlag{Name: "listen", EnvVars: []string{"APP_LISTEN", "LISTEN"}, Value: ":80", Usage: "e.g. {host}"},
    &cli.IntFlag{
        Name: "size", Value: server.DefaultSize, EnvVar: "APP_SIZE",
    },
    &cli.BoolFlag{Name: "debug", Sources: cli.EnvVars("APP_DEBUG")},
}
""",
            {"APP_LISTEN": '":80"', "LISTEN": '":80"', "APP_SIZE": "server.DefaultSize", "APP_DEBUG": ""},
        ),
        ("cmd/run.go", 'app.Flag("port", "Port.").Envar("APP_PORT").Default("80").String()\n', {"APP_PORT": '"80"'}),
        (
            "src/args.rs",
            """#[derive(Parser)]
struct Args {
    #[arg(long, env = "APP_PORT", default_value = "80")]
    port: u16,
    /// Where to listen
    #[clap(short, long, env)]
    pub listen_host: Option<String>,
    #[arg(long)]
    quiet: bool,
}
fn args() { Arg::new("mode").env("APP_MODE").default_value("fast"); }
""",
            {"APP_PORT": '"80"', "LISTEN_HOST": "", "APP_MODE": '"fast"'},
        ),
        (
            "cli.py",
            """@click.option("--color", envvar="COLOR", default="none")
@click.option("--mode", help="(fast)", envvar=["MODE", "APP_MODE"])
def main(port: int = typer.Option(80, envvar="PORT")): ...
parser.add_argument("--dir", env_var="APP_DIR", default=".")
""",
            {"COLOR": '"none"', "MODE": "", "APP_MODE": "", "PORT": "", "APP_DIR": '"."'},
        ),
        (
            "config.js",
            """const config = convict({ port: { format: "port", default: 8080, env: "PORT" }, key: { env: 'KEY' } });
program.addOption(new Option('--host').default('::').env('APP_HOST'));
""",
            {"PORT": "8080", "KEY": "", "APP_HOST": "'::'"},
        ),
        ("config/cache.yaml", "dsn: '%env(resolve:CACHE_DSN)%'\nttl: '%env(int:default::CACHE_TTL)%'\n",
         {"CACHE_DSN": "", "CACHE_TTL": ""}),
        ("application.yml", "server:\n  port: ${SERVER_PORT:8080}\n", {"SERVER_PORT": "8080"}),
        ("config/app.php", "<?php return ['debug' => env('APP_DEBUG', false)];\n", {"APP_DEBUG": "false"}),
        ("compose.yaml", "services:\n  a:\n    image: a:${TAG:-latest}\n", {"TAG": "latest"}),
    ],
)  # fmt: skip
def test_options_that_name_a_variable_are_variables(run: Run, place: str, code: str, found: dict[str, str]) -> None:
    assert {name: default for name, (_, default) in variables(run, given(place, code)).items()} == found


@pytest.mark.parametrize(
    ("place", "code", "prefix"),
    [
        ("main.go", 'package main\nfunc init() { viper.SetEnvPrefix("shop"); viper.AutomaticEnv() }\n', "SHOP_"),
        ("main.py", 'cli(auto_envvar_prefix="SHOP")\n', "SHOP_"),
        ("main.rs", 'fn main() { Figment::new().merge(Env::prefixed("SHOP_")); }\n', "SHOP_"),
        ("main_test.go", 'package main\nfunc init() { viper.SetEnvPrefix("shop") }\n', ""),
    ],
)
def test_names_that_follow_from_a_prefix_are_told_by_it(run: Run, place: str, code: str, prefix: str) -> None:
    result = run("list_environment_variables", given(place, code))
    assert (f"a variable that begins with `{prefix}`" in result.text) is bool(prefix)
    assert (result.outcome["status"] == "partial") is bool(prefix)


def test_many_variables_are_told_by_what_they_are_about(run: Run) -> None:
    names = [*(f"OAUTH2_{number}" for number in range(3)), *(f"{letter}ONE_X" for letter in "ABCDEFGHIJKLMNOPQ")]
    code = "import os\n" + "".join(f'os.environ["{name}"]\n' for name in names)
    text = run("list_environment_variables", given("app.py", code)).text
    assert "| `OAUTH` | `OAUTH2_0`, `OAUTH2_1`, `OAUTH2_2` |" in text and "| `AONE` |" not in text


def test_what_all_names_begin_with_is_no_topic(run: Run) -> None:
    code = "import os\n" + "".join(f'os.environ["SHOP_{topic}_{number}"]\n' for topic in "AB" for number in range(10))
    text = run("list_environment_variables", given("app.py", code)).text
    assert "| `A` | `SHOP_A_0`," in text and "| `SHOP` |" not in text


def test_a_default_is_not_undone_by_a_test_that_has_none(run: Run) -> None:
    tested = given("tests/test_port.py", 'import os\nos.environ["PORT"]\n')
    assert variables(run, given("app.py", 'import os\nos.getenv("PORT", "8000")\n'), tested) == {
        "PORT": (False, '"8000"')
    }


def test_defaults_do_not_show_secrets(run: Run) -> None:
    code = 'import os\nK = os.getenv("API_SECRET", "Xk9v2mQp7RtLw4ZsTq8b")\n'
    result = run("list_environment_variables", given("a.py", code))
    assert "Xk9v2mQp7RtLw4ZsTq8b" not in result.text + str(result.facts)


def test_no_variable_is_an_answer(run: Run) -> None:
    result = run("list_environment_variables", given("a.py", "x = 1\n"))
    assert (result.outcome["status"], result.outcome["count"]) == ("done", "none")
