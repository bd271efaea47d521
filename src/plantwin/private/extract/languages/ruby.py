"""Ruby."""

from __future__ import annotations

from plantwin import expressions
from plantwin.private.extract.languages.drafts import Draft, text_of
from plantwin.private.extract.languages.masks import RUBY as MASK
from plantwin.private.extract.languages.masks import Text
from plantwin.private.extract.languages.spec import Language, call_table, marks_of, reader
from plantwin.private.extract.languages.trees import Grammar

_required = expressions.compile(
    rb"""\n[ \t]*+(require|require_relative|load|autoload)[ (]++(?::\w++,[ ]*+)?+["']([^"'\n#]{1,200})["']"""
)
# a call without brackets at the start of a line: `validates :name`, `get '/x' do`, `describe Foo do`
_command = expressions.compile(rb"\n[ \t]*+([a-z_]\w*+[!?]?+)[ \t]++(?=[:\"'A-Z&\[*{]|->|do\b)")
_include = expressions.compile(rb"\n[ \t]*+(?:include|extend|prepend)[ \t]++([A-Z][\w:]++)")
_bare = expressions.compile(rb"\n[ \t]*+(has_secure_password|devise|byebug)\b")
_verb = expressions.compile(rb"\n[ \t]*+(?:get|post|put|patch|delete)[ (]++[\"'/:]")

QUERY = """
(method name: (_) @function)
(singleton_method name: (_) @function)
(class name: (_) @class superclass: (superclass)? @base)
(module name: (_) @module)
(assignment left: (constant) @constant)
"""
RULES = expressions.compile(
    rb"\n[ \t]*+(?:def[ ]++(?:self\.)?+(?P<function>\w++[?!=]?+)|class[ ]++(?P<class_head>[A-Z][^\n]*+)"
    rb"|module[ ]++(?P<module>[A-Z][\w:]*+)|(?P<constant>[A-Z][A-Z0-9_]++)[ ]*+=[^=])"
)
# commands without brackets that tell something; others are only listed as calls
_COMMANDS: dict[bytes, str] = {
    **dict.fromkeys(b"resources resource namespace mount root match".split(), "route"),
    **dict.fromkeys(b"it describe context specify scenario feature".split(), "test_function"),
    **dict.fromkeys(
        b"expect assert assert_equal assert_response assert_difference assert_nil refute".split(), "assertion"
    ),
    **dict.fromkeys(b"before after let let! subject setup fixtures factory".split(), "fixture"),
    **dict.fromkeys(
        b"belongs_to has_many has_one has_and_belongs_to_many validates validate scope enum attribute "
        b"self.table_name".split(),
        "orm_model",
    ),
    **dict.fromkeys(
        b"create_table drop_table add_column remove_column rename_column change_column add_index remove_index "
        b"add_reference "
        b"add_foreign_key change_table execute".split(),
        "migration_op",
    ),
    **dict.fromkeys(
        b"devise has_secure_password authenticate_user! sign_in sign_out authorize load_and_authorize_resource".split(),
        "auth_call",
    ),
    **dict.fromkeys(b"mail deliver_now deliver_later".split(), "mail_call"),
    **dict.fromkeys(b"puts p pp print warn".split(), "print_call"),
    **dict.fromkeys(b"sidekiq_options queue_as every retry_on".split(), "scheduled"),
    **dict.fromkeys(b"render redirect_to respond_to before_action".split(), "route"),
}


def _class_head(draft: Draft, raw: bytes) -> None:
    name, _, base = raw.partition(b"<")
    _class(draft, name.split(b";")[0].strip())
    draft.base(base)


def _module(draft: Draft, raw: bytes) -> None:
    draft.name(text_of(raw))
    draft.provide("ruby", text_of(raw))


def _class(draft: Draft, raw: bytes) -> None:
    draft.class_(raw)
    draft.provide("ruby", text_of(raw))


def _first(draft: Draft, text: Text) -> None:
    code = b"\n" + text.code
    draft.own.update({b"self." + name: times for name, times in draft.own.items()})
    for verb, target in _required.findall(code):
        name = text_of(target)
        if verb in (b"require_relative", b"load"):
            draft.refer("ruby_relative", name)
        else:
            draft.refer("ruby", name)
            draft.imported(name, name.rpartition("/")[2].title())


def _also(draft: Draft, text: Text) -> None:
    code = b"\n" + text.code
    for name in _include.findall(code):
        draft.base(name)
    for name in _command.findall(code):
        if name in _BLOCKS:
            continue
        draft.call(text_of(name))
        feature = _COMMANDS.get(name)
        if feature:
            draft.count(feature)
    for name in _bare.findall(code):
        draft.call(text_of(name))
        draft.count(_COMMANDS.get(name, "print_call"))
    draft.count(
        "route", len(_verb.findall(code)) if "web" in draft.groups or b"Rails.application.routes" in code else 0
    )
    resources = len(_resource.findall(code))
    if resources >= 2:
        draft.count("playbook", resources)
    if b"ActiveRecord::Schema" in code and "migration_op" in draft.features:
        # the state that the migrations lead to
        draft.count("create_table", draft.features.pop("migration_op"))
        draft.features.pop("generated_marker", None)
        draft.count("schema_def")
    if b"__FILE__ == $0" in code or b"__FILE__ == $PROGRAM_NAME" in code:
        draft.count("main_guard")


_resource = expressions.compile(
    rb"\n(?:package|template|service|cookbook_file|execute|remote_file|directory|user|group|cron|apt_package|bash|file|link)"
    rb"[ ](?:[\"'%]|\w++\[)"
)
"""A state that a machine is brought to."""
_BLOCKS = frozenset(
    b"def class module if unless while until case when return raise end begin rescue else elsif yield require "
    b"require_relative "
    b"load autoload include extend prepend and or not alias private public protected attr_reader attr_accessor "
    b"attr_writer".split()
)

RUBY = Language(
    how="ruby",
    mask=MASK,
    rules=RULES,
    handlers={"class_head": _class_head, "module": _module, "class": _class},
    grammar=Grammar("tree_sitter_ruby", QUERY, depth=7),
    calls=call_table(b":!?"),
    first=_first,
    also=_also,
    marks=marks_of("ruby"),
)
READERS = {"ruby": reader(RUBY, "ruby")}
