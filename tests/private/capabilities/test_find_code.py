"""Where something is done in the code, and which environment variables code reads."""

from __future__ import annotations

import pytest
from capability_inputs import Run, given

from plantwin.private.capabilities.engine.job import Input
from plantwin.private.capabilities.engine.source import source
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


PAGE = "# Guide\n\n## Search\n\n```yaml\n# on or off\nsearch: true\n```\n\n## Colours\n\nBlue.\n"


@pytest.mark.parametrize(
    ("file", "line", "shown"),
    [
        (FILES[0], 1, FILES[0].data.decode().rstrip().split("\n")),
        (given("a.md", PAGE), 3, ["## Search", "", "# on or off", "search: true"]),
        (given("a.py", "    def f():\n        return 1\n"), 1, ["def f():", "    return 1"]),
        (given("a.py", "x = 1\n"), 1, []),
        (FILES[0], 0, []),
    ],
)
def test_the_first_lines_of_a_place_are_shown(file: Input, line: int, shown: list[str]) -> None:
    assert source(file).excerpt(line, 9) == shown


def test_two_words_that_stand_apart_are_not_denied(run: Run) -> None:
    result = run("find_code", *FILES, request="does it support password accounts?")
    assert result.text.startswith("Most likely in") and "```text" in result.text


def test_what_is_only_mentioned_is_not_called_its_place(run: Run) -> None:
    assert run("find_code", FILES[4], request="where is the checkout").text.startswith("No code of its own was found")


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


def test_a_definition_that_a_macro_hides_is_found(run: Run) -> None:
    text = (
        "EXPORT(int) tree_parse(char *text)\n{\n    return 0;\n}\n\nint other(void)\n{\n    return tree_parse(0);\n}\n"
    )
    result = run("find_code", given("tree.c", text), request="where is tree_parse defined?")
    assert result.text.startswith("Most likely in `tree.c:1`")


def test_secrets_are_masked_where_a_line_is_shown(run: Run) -> None:
    line = "checkout_client = Client(password='Xk9v2mQp7RtLw4Zs')\n"
    result = run("find_code", given("a.py", line), request="where is the checkout client")
    assert places(result) == ["a.py"]
    assert "Xk9v2mQp7RtLw4Zs" not in result.text + str(result.facts)


@pytest.mark.parametrize("table", sorted(ROWS))
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


def test_many_variables_are_told_by_what_they_are_about(run: Run) -> None:
    names = [*(f"OAUTH2_{number}" for number in range(3)), *(f"{letter}ONE_X" for letter in "ABCDEFGHIJKLMNOPQ")]
    code = "import os\n" + "".join(f'os.environ["{name}"]\n' for name in names)
    text = run("list_environment_variables", given("app.py", code)).text
    assert "| `OAUTH` | `OAUTH2_0`, `OAUTH2_1`, `OAUTH2_2` |" in text and "| `AONE` |" not in text


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
