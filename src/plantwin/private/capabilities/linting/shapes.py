"""How languages spell what common rules look for: node types of each grammar."""

from __future__ import annotations

from typing import NamedTuple


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


class Shape(NamedTuple):
    """Node types of one grammar."""

    blocks: frozenset[str]
    """Hold statements that run one after the other."""
    jumps: frozenset[str]
    """Statements after which the next one does not run."""
    declared: frozenset[str] = frozenset()
    """Statements that count although nothing reaches them."""
    catches: frozenset[str] = frozenset()
    bodies: frozenset[str] = frozenset()
    """What holds the body of a catch."""
    ifs: frozenset[str] = frozenset()
    assigns: frozenset[str] = frozenset()
    compares: frozenset[str] = frozenset()
    switches: frozenset[str] = frozenset()
    cases: frozenset[str] = frozenset()
    pairs: frozenset[str] = frozenset()
    """Key and value inside a literal."""
    literals: frozenset[str] = frozenset()
    """Literals whose keys must differ."""


_SCRIPT = Shape(
    blocks=_set("program statement_block switch_case switch_default"),
    jumps=_set("return_statement throw_statement break_statement continue_statement"),
    declared=_set("function_declaration generator_function_declaration export_statement type_alias_declaration "
                  "interface_declaration break_statement empty_statement"),
    catches=_set("catch_clause"),
    bodies=_set("statement_block"),
    ifs=_set("if_statement while_statement do_statement"),
    assigns=_set("assignment_expression"),
    compares=_set("binary_expression"),
    switches=_set("switch_body"),
    cases=_set("switch_case"),
    pairs=_set("pair"),
    literals=_set("object"),
)  # fmt: skip
SHAPES: dict[str, Shape] = {
    "javascript": _SCRIPT,
    "jsx": _SCRIPT,
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
    "go": Shape(
        blocks=_set("block statement_list"),
        jumps=_set("return_statement break_statement continue_statement goto_statement"),
        ifs=_set("if_statement"),
        assigns=_set("assignment_statement"),
        compares=_set("binary_expression"),
        switches=_set("expression_switch_statement"),
        cases=_set("expression_case"),
        pairs=_set("keyed_element"),
        literals=_set("literal_value"),
    ),
    "java": Shape(
        blocks=_set("block switch_block_statement_group constructor_body"),
        jumps=_set("return_statement throw_statement break_statement continue_statement"),
        declared=_set("class_declaration break_statement"),
        catches=_set("catch_clause"),
        bodies=_set("block"),
        ifs=_set("if_statement while_statement do_statement"),
        assigns=_set("assignment_expression"),
        compares=_set("binary_expression"),
        switches=_set("switch_block"),
        cases=_set("switch_label"),
    ),
    "csharp": Shape(
        blocks=_set("block switch_section"),
        jumps=_set("return_statement throw_statement break_statement continue_statement goto_statement"),
        declared=_set("local_function_statement break_statement"),
        catches=_set("catch_clause"),
        bodies=_set("block"),
        ifs=_set("if_statement while_statement do_statement"),
        assigns=_set("assignment_expression"),
        compares=_set("binary_expression"),
    ),
    "php": Shape(
        blocks=_set("program compound_statement case_statement default_statement"),
        jumps=_set("return_statement throw_expression break_statement continue_statement exit_statement"),
        declared=_set("function_definition class_declaration interface_declaration trait_declaration break_statement "
                      "text_interpolation text php_tag enum_declaration"),
        catches=_set("catch_clause"),
        bodies=_set("compound_statement"),
        ifs=_set("if_statement while_statement do_statement else_if_clause"),
        assigns=_set("assignment_expression"),
        compares=_set("binary_expression"),
        switches=_set("switch_block"),
        cases=_set("case_statement"),
        pairs=_set("array_element_initializer"),
        literals=_set("array_creation_expression"),
    ),
    "c": Shape(
        blocks=_set("compound_statement case_statement"),
        jumps=_set("return_statement break_statement continue_statement goto_statement"),
        declared=_set("break_statement case_statement declaration"),
        ifs=_set("if_statement while_statement do_statement"),
        assigns=_set("assignment_expression"),
        compares=_set("binary_expression"),
        switches=_set("compound_statement"),
        cases=_set("case_statement"),
    ),
    "rust": Shape(
        blocks=_set("block"),
        jumps=_set("return_expression break_expression continue_expression"),
        declared=_set("function_item struct_item enum_item impl_item use_declaration const_item static_item mod_item"),
        ifs=frozenset(),
        assigns=_set("assignment_expression"),
        compares=_set("binary_expression"),
    ),
    "kotlin": Shape(
        blocks=_set("block"),
        jumps=_set("return_expression throw_expression break_expression continue_expression"),
        declared=_set("function_declaration"),
        catches=_set("catch_block"),
        bodies=_set("block"),
        compares=_set("binary_expression"),
    ),
    "ruby": Shape(
        blocks=_set("body_statement block_body then else do"),
        jumps=_set("return break next redo retry"),
        declared=_set("rescue ensure else method"),
        catches=_set("rescue"),
        bodies=_set("then"),
        ifs=_set("if while unless until elsif if_modifier unless_modifier"),
        assigns=_set("assignment"),
        compares=_set("binary"),
        switches=_set("case"),
        cases=_set("when"),
        pairs=_set("pair"),
        literals=_set("hash"),
    ),
    "shell": Shape(blocks=_set("program compound_statement do_group"), jumps=frozenset()),
}  # fmt: skip
SHAPES["cpp"] = SHAPES["c"]._replace(catches=_set("catch_clause"), bodies=_set("compound_statement"))
