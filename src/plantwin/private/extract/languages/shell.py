"""Shell scripts."""

from __future__ import annotations

from plantwin import expressions
from plantwin.private.extract.languages.drafts import Draft, text_of
from plantwin.private.extract.languages.masks import SHELL as MASK
from plantwin.private.extract.languages.masks import Text
from plantwin.private.extract.languages.spec import Language, reader
from plantwin.private.extract.languages.trees import Grammar

_start = (
    rb"(?:\n|;|&&|\|\|?|\$\(|`|\{[ ]|\bthen\b|\bdo\b|\belse\b|\bwhile\b|\bif\b"
    rb"|!)[ \t]*+(?:sudo[ ]++(?:-\w++[ ]++)?+|exec[ ]++|time[ ]++|nohup[ ]++)?+(?:\w++=\S*+[ ]++)*+"
)
_command = expressions.compile(
    _start + rb"(?!(?:if|then|else|elif|while|until|do|for|case|in|function)\b)([A-Za-z_.][\w.+-]*+)(?=[ \t\n;|&)]|\Z)"
)
_sourced = expressions.compile(rb"\n[ \t]*+(?:\[[^\n]{0,120}?&&[ ]*+)?(?:source|\.)[ \t]++([^\n;&|]{1,200})")
_script = expressions.compile(
    _start + rb"(?:(?:bash|sh|zsh|python3?+|node|ruby|perl|php|Rscript)[ ]++(?:-\w++[ ]++)*+)?+[\"']?((?:\$\{?\w++\}?/"
    rb"|\./|\.\./)*+[\w][\w./-]{0,160}?\.(?:sh|bash|py|js|rb|pl|php|R))\b"
)
_relative = expressions.compile(_start + rb"[\"']?((?:\./|\.\./|\$\{?\w++\}?/)[\w./-]{1,160})")
_path = expressions.compile(r"(?:.*[})\"]|\$\w+)?/?((?:\.{1,2}/)*[\w.-][\w./-]*)[\"']?$")
_main = expressions.compile(rb'\nmain[ ]++["$@]')

QUERY = """
(function_definition name: (word) @function)
(declaration_command (variable_assignment name: (variable_name) @variable))
(program (variable_assignment name: (variable_name) @variable))
"""
RULES = expressions.compile(
    rb"\n[ \t]*+(?:(?:function[ ]++)?+(?P<function>[\w-]++)[ ]*+\([ ]*+\)|function[ ]++(?P<named>[\w-]++)[ ]*+\{"
    rb"|(?:export|readonly)[ ]++(?P<variable>[A-Za-z_]\w*+)=)"
)
# commands that tell something; a line's first word after `sudo` and assignments
_COMMANDS: dict[bytes, str] = {
    **dict.fromkeys(b"curl wget http grpcurl nc".split(), "http_call"),
    **dict.fromkeys(
        b"psql mysql mysqldump pg_dump pg_restore mongo mongosh mongodump sqlite3 redis-cli createdb bq".split(),
        "db_call",
    ),
    **dict.fromkeys(b"openssl gpg ssh-keygen age".split(), "crypto_call"),
    **dict.fromkeys(b"mail sendmail mailx mutt".split(), "mail_call"),
    **dict.fromkeys(b"crontab at".split(), "scheduled"),
    **dict.fromkeys(b"eval".split(), "insecure_call"),
    **dict.fromkeys(b"getopts getopt shift".split(), "cli_args"),
    **dict.fromkeys(b"trap".split(), "error_handler"),
    **dict.fromkeys(b"echo printf".split(), "print_call"),
    **dict.fromkeys(b"logger".split(), "log_call"),
    **dict.fromkeys(b"wait parallel".split(), "concurrency"),
    **dict.fromkeys(b"date".split(), "date_logic"),
    **dict.fromkeys(
        b"docker podman make cmake npm yarn pnpm pip pip3 apt apt-get yum apk cargo mvn gradle go poetry brew".split(),
        "build_step",
    ),
    **dict.fromkeys(b"dropdb shred mkfs".split(), "destructive"),
    **dict.fromkeys(b"md5sum sha1sum".split(), "weak_crypto"),
    **dict.fromkeys(b"dbt airflow dvc spark-submit".split(), "pipeline_step"),
    **dict.fromkeys(b"cp mv tee cat tar rsync".split(), "file_io"),
    **dict.fromkeys(b"hyperfine ab wrk".split(), "benchmark"),
    **dict.fromkeys(b"vault".split(), "secret_ref"),
}
_MARKS: dict[bytes, str] = {
    b"rm -rf": "destructive",
    b"rm -fr": "destructive",
    b"--force": "destructive",
    b"push -f": "destructive",
    b"chmod 777": "open_permission",
    b"chmod -R 777": "open_permission",
    b"curl -k": "insecure_call",
    b"--insecure": "insecure_call",
    b"--no-check-certificate": "insecure_call",
    b"StrictHostKeyChecking=no": "insecure_call",
    b"set -e": "error_handler",
    b"@test": "test_function",
    b"assert_": "assertion",
    b"download": "extract_call",
    b"aws s3 cp": "extract_call",
}
_NO_COMMANDS = frozenset(
    b"if then else elif fi for do done while until case esac in function local export readonly return exit set".split()
)


def _variable(draft: Draft, raw: bytes) -> None:
    draft.name(text_of(raw))


def _also(draft: Draft, text: Text) -> None:
    code = b"\n" + text.code
    if b"source" in code or b"\n." in code or b" . " in code:
        # quoted paths nest quotes, so the strings are put back
        for rest in _sourced.findall(b"\n" + text.with_strings()):
            _refer(draft, rest.split(b" #")[0].strip(), "imports")
    for target in _script.findall(code):
        _refer(draft, target, "runs")
    for target in _relative.findall(code):
        _refer(draft, target, "runs")
    own = {name.encode() for name in draft.names}
    for name in _command.findall(code):
        if name in _NO_COMMANDS:
            continue
        if name not in own:
            draft.call(text_of(name))
        feature = _COMMANDS.get(name)
        if feature:
            draft.count(feature)
    if _main.search(b"\n" + text.raw):
        draft.count("main_guard")
    draft.count("env_read", text.raw.count(b":?") + text.raw.count(b":-"))


def _refer(draft: Draft, target: bytes, reason: str) -> None:
    """A script by its path; what a variable or command stands for is left out in front."""
    name = text_of(target).strip("\"' ")
    found = _path.match(name)
    if found and found[1].strip("./") and "$" not in found[1]:
        draft.refer("shell", found[1], reason)


SHELL = Language(
    how="shell",
    mask=MASK,
    rules=RULES,
    handlers={"variable": _variable, "named": Draft.function},
    grammar=Grammar("tree_sitter_bash", QUERY, depth=5),
    also=_also,
    marks=_MARKS,
)
READERS = {"shell": reader(SHELL, "shell")}
