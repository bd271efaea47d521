"""Features that no single parser sees: sums over others, and a few shapes of the raw bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from plantwin.private.classify.languages.meanings import TEST_CALLS, resource_feature
from plantwin.private.classify.line_shapes import BUILT, FRAME, OUTCOME, worked
from plantwin.private.classify.readers.sentences import mishaps
from plantwin.private.facts import Outline
from plantwin.private.formats.lexicon import Lexicon

_LEXICON = Lexicon(__file__)

_INFRA = _LEXICON.phrases("infra")
_BEGIN = _LEXICON.bytes_pattern("begin")
_PUBLIC = _LEXICON.bytes_pattern("public")
_LETTER = _LEXICON.bytes_pattern("letter")
_GREETING = _LEXICON.bytes_pattern("greeting")
_CLOSING = _LEXICON.bytes_pattern("closing")
_LOGIN = _LEXICON.bytes_pattern("login")
_STRONG = re.compile(rb"(?=\S{0,63}[A-Za-z])(?=\S{0,63}[\d!$%&*+_#-])")
_LABEL = _LEXICON.bytes_pattern("label")
_LABELLED = frozenset(("text", "markdown", "rst", "asciidoc"))
_MINIFIED = frozenset(("javascript", "css", "typescript"))
_FIXTURES = _LEXICON.pattern("fixtures")
_FILLED = frozenset(("template_tag", "form", "password_input", "email_markup", "component"))
_FILLED_IN = (".j2", ".jinja", ".jinja2", ".erb", ".epp", ".gotmpl", ".tmpl", ".mustache")
_DECLARING = ("infra_", "module_call", "workload", "build_")
"""Features of HCL that declares more than values."""
_TEST_FILE = re.compile(
    r"[a-z0-9]Tests?\.(?:php|java|kt|cs|scala|swift)$|[._-](?:test|spec)\.[jt]sx?$|_test\.(?:go|rb|py|dart|exs)$"
)
_AMONG_TESTS = re.compile(r"(?:^|/)(?:tests?|__tests__|spec)/", re.IGNORECASE)
_LISTED, _LEAST_LISTED, _WORD = 400, 8, 40
_LONG_LINE = 160
_LOOK = 16 << 10
_LABELS = 24
_HUMP = re.compile(r"([A-Z])")
_BUILT_LINES = 200
_SUMS = 8192
_IMPORTED = 3
"""A test framework's import, its names and its decorators count as so many at most."""
_TESTS_SEEN = frozenset(("javascript", "typescript", "jsx", "tsx", "python"))
"""Languages in which every test is a function of its name or a call."""
_VERSIONED = _LEXICON.pattern("versioned")
_COPY = re.compile(rb"^COPY [^;\n]{1,400} FROM stdin;", re.M | re.I)
_DUMPED = _LEXICON.bytes_pattern("dumped")
_CHECKS = re.compile(rb"\b(?:plan|throws_ok|lives_ok|results_eq|has_table|has_column|col_is_fk|finish)\(", re.I)
_ENDS = _LEXICON.bytes_pattern("ends")
_ENDS_NAMED = _LEXICON.bytes_pattern("ends_named")
_TWO_ENDS = _LEXICON.bytes_pattern("two_ends")
_TRAFFIC = _LEXICON.bytes_pattern("traffic")
_ASKED = _LEXICON.bytes_pattern("asked")
_MAIL = re.compile(r"mail|newsletter|mjml", re.I)
_LICENCE = _LEXICON.byte_phrases("licence")
_MOMENT = _LEXICON.bytes_pattern("moment")

_SETTINGS = frozenset(("yaml", "json", "toml", "ini", "properties", "xml", "javascript", "typescript"))
_ENVIRONMENT_NAME = _LEXICON.pattern("environment_name")
_TOOL_NAME = _LEXICON.pattern("tool_name")
_AZURE_PROVIDERS = _LEXICON.bytes_patterns("azure_providers")


def add_derived_features(path: str, outline: Outline, head: bytes) -> None:
    """Add the derived features to an outline, in place."""
    features = outline.features
    form = outline.format
    if _FIXTURES.search(path):
        features["made_for_tests"] = 1
    if _AMONG_TESTS.search(path):
        features["among_tests"] = 1
    if "src/main/" in path:
        features["main_source"] = 1
    if form in _SETTINGS:
        _read_settings_name(path, features)
    if path.endswith(".bicep"):
        _read_bicep(features, head[:_LOOK])
        _sum_infrastructure(features)
    if "infra_compute" in features and outline.calls:
        _read_resource_calls(outline)
    if form in ("hcl", "yaml", "json", "toml", "ini") or any(part in features for part in _INFRA):
        _sum_infrastructure(features)
    if path.endswith(_FILLED_IN):
        # The header speaks of what the template is filled into.
        features.pop("generated_marker", None)
    if features.get("test_function", 0) > 0 and not _TEST_FILE.search(path) and _only_imports_tests(outline):
        # A test framework is imported and nothing is tested: a helper.
        features["test_import"] = features.pop("test_function")
    if _few_tests(path, features):
        # `test_connection` of a driver is what the product does.
        del features["test_function"]
    if form == "hcl" and outline.settings and not any(part.startswith(_DECLARING) for part in features):
        features["infra_variable"] = len(outline.settings)
    if form == "pem":
        _count_keys(features, head[:_LOOK])
    elif form in _LABELLED:
        _read_document(outline, head[:_LOOK])
        if form == "text" and _is_list(head[:_LOOK]):
            features["word_list"] = 1
    elif form in _MINIFIED and len(head) > 600 and (head.count(b"\n", 0, _LOOK) + 1) * 110 < min(len(head), _LOOK):
        features["minified"] = 1
    elif form == "log":
        _read_log(features, head[:_LOOK])
    elif form == "sql":
        _read_sql(features, head[:_LOOK])
        if _VERSIONED.search(path):
            features["versioned"] = 1
    elif path.endswith(".mjml"):
        features["email_markup"] = 1
    if form == "html" and not features.keys() & _FILLED and not _MAIL.search(path):
        from plantwin.private.classify.readers.documents import describe_page

        describe_page(outline, head, path)
    if "email_markup" in features and "template_tag" not in features and not _MAIL.search(path):
        # Pages of an older time are laid out like mails; a mail is filled, or lies where mails lie.
        del features["email_markup"]
    if path.endswith((".lock", "-lock.json", "-lock.yaml")):
        features.setdefault("locked", 1)


def _is_list(text: bytes) -> bool:
    """Whether nearly every line is one short word: codes, names or numbers, and nothing to read."""
    lines = [line.strip() for line in text.split(b"\n")[:_LISTED] if line.strip()]
    words = sum(len(line) <= _WORD and b" " not in line and b"\t" not in line for line in lines)
    return len(lines) >= _LEAST_LISTED and words * 20 >= len(lines) * 19


def _few_tests(path: str, features: Mapping[str, int]) -> bool:
    """Whether few functions of many have the name of a test, in a file that is none by its place, name or content."""
    tests = features.get("test_function", 0)
    if not tests or tests * 4 > features.get("function", 0) or features.keys() & {"assertion", "among_tests"}:
        return False
    return "test" not in path.rpartition("/")[2].lower() and "spec" not in path.rpartition("/")[2].lower()


def _only_imports_tests(outline: Outline) -> bool:
    """Whether a test framework is imported, extended or called, and no test is defined."""
    if any(name[:4].lower() == "test" or name.startswith(("it_", "should")) for name in outline.names):
        return False
    if outline.format in _TESTS_SEEN and not TEST_CALLS.intersection(outline.calls):
        return True
    return outline.features["test_function"] <= _IMPORTED and "assertion" not in outline.features


def _read_resource_calls(outline: Outline) -> None:
    """What a program declares, `aws.s3.Bucket` and its like, tells more than which toolkit it imports."""
    found: dict[str, int] = {}
    for call in outline.calls:
        parts = call.split(".")
        if len(parts) == 3 and parts[2][:1].isupper() and parts[0].islower():
            feature = resource_feature(_HUMP.sub(r"_\1", ".".join(parts)).replace(".", "_").replace("__", "_"))
            if feature in _INFRA:
                found[feature] = found.get(feature, 0) + 1
    if found:
        del outline.features["infra_compute"]
        outline.features.update(found)


def _sum_infrastructure(features: dict[str, int]) -> None:
    counts = [features[part] for part in _INFRA if part in features]
    if not counts:
        return
    if "task" in features and "infra_compute" in features:
        features["playbook"] = features["task"]
    total = sum(counts)
    features["infra_resource"] = total
    if len(counts) >= 3 and max(counts) * 10 < total * 6:
        features["infra_mixed"] = len(counts)


def _read_log(features: dict[str, int], head: bytes) -> None:
    """Logs of an unknown make: count their lines, and those that name both ends of a connection."""
    if not features.get("log_line"):
        lines = [line for line in head.split(b"\n") if line.strip() and not line.startswith(b"#")]
        features["log_line"] = len(lines)
        if sum(1 for line in lines if FRAME.match(line)) * 5 >= len(lines) * 2:
            features["stack_trace"] = features["log_error"] = max(1, len(lines))
    work = worked if OUTCOME.search(head[:_SUMS]) or OUTCOME.search(head[-_SUMS:]) else BUILT.match
    built = sum(1 for line in head.split(b"\n", _BUILT_LINES)[:_BUILT_LINES] if work(line[:300]))
    if built >= 2 and built * 5 >= min(features["log_line"], _BUILT_LINES) * 2:
        features["log_build"] = max(built, features.get("log_build", 0))
    if "log_network" not in features and features.get("log_access", 0) * 2 < features["log_line"]:
        ends = len(_ENDS.findall(head)) or _count_traffic(head)
        if _ENDS_NAMED.search(head):
            ends = features["log_line"]
        if ends:
            features["log_network"] = ends


def _count_traffic(head: bytes) -> int:
    """Lines with two addresses and a word of traffic, or with a question for a name."""
    lines = head.split(b"\n", _BUILT_LINES)[:_BUILT_LINES]
    return sum(
        1
        for line in lines
        if (_TWO_ENDS.search(line[:400]) and _TRAFFIC.search(line[:400])) or _ASKED.search(line[:400])
    )


def _read_sql(features: dict[str, int], head: bytes) -> None:
    """What a dump and a test written in SQL show: rows that are copied in, and assertions that are planned."""
    copied = len(_COPY.findall(head)) + len(_DUMPED.findall(head))
    if copied:
        features["insert_rows"] = features.get("insert_rows", 0) + 5 * copied
    checks = len(_CHECKS.findall(head))
    if checks >= 2:
        features["test_function"] = checks


def _count_keys(features: dict[str, int], head: bytes) -> None:
    for match in _BEGIN.finditer(head):
        label = match[1] or match[2] or b""
        if b"PRIVATE" in label or match[0].startswith(b"PuTTY"):
            features["private_key"] = features.get("private_key", 0) + 1
        elif b"CERTIFICATE" in label or b"CRL" in label or b"PKCS7" in label:
            features["certificate"] = features.get("certificate", 0) + 1
        else:
            features["public_key"] = features.get("public_key", 0) + 1
    if _PUBLIC.search(head):
        features["public_key"] = features.get("public_key", 0) + 1


def _read_document(outline: Outline, head: bytes) -> None:
    """Letters have address lines; notes and records have labelled lines, which read like headings."""
    if len({match[0][:3] for match in _LETTER.finditer(head[:1500])}) >= 2 or (
        _GREETING.search(head[:600]) and _CLOSING.search(head[-400:])
    ):
        outline.features["correspondence"] = 1
    if outline.format == "text":
        logins = sum(1 for match in _LOGIN.finditer(head) if _STRONG.match(match[1]))
        if logins >= 2:
            outline.features["login_line"] = logins
    features = outline.features
    units = sum(features.get(unit, 0) for unit in ("paragraph", "list_item", "numbered_step"))
    # Where no empty line parts them, every long line is a paragraph.
    features["prose_unit"] = 1 + max(units, sum(len(line) > _LONG_LINE for line in head.split(b"\n")))
    if sum(1 for sign in _LICENCE if sign in head) >= 3:
        features.setdefault("license_text", 1)
    moments = len(_MOMENT.findall(head))
    if moments >= 3 and "log_line" not in features:
        if "timeline" not in features and (happened := mishaps(head.decode("utf-8", "replace").lower())):
            features["mishap"] = happened
        features["timeline"] = max(moments, features.get("timeline", 0))
    headings = outline.headings
    for label in list(dict.fromkeys(_LABEL.findall(head)))[:_LABELS]:
        if len(headings) < 60:
            headings.append(label.decode("ascii", "replace"))


def _read_settings_name(path: str, features: dict[str, int]) -> None:
    """Settings whose name says for which environment or for which tool they are."""
    folder, _, base = path.lower().rpartition("/")
    if _TOOL_NAME.match(base):
        features.setdefault("tool_section", 1)
        return
    if _ENVIRONMENT_NAME.search(base.rpartition(".")[0] or base) or _ENVIRONMENT_NAME.fullmatch(
        folder.rpartition("/")[2]
    ):
        features["env_named"] = 1


def _read_bicep(features: dict[str, int], head: bytes) -> None:
    """Bicep: resources by their provider."""
    found = 0
    for feature, pattern in _AZURE_PROVIDERS.items():
        count = len(pattern.findall(head))
        if count:
            found += count
            features[feature] = features.get(feature, 0) + count
    if not found:
        features["infra_variable"] = head.count(b"\nparam ") + head.count(b"\noutput ") + 1
