"""Which node types of each grammar are functions, branches, loops and logic."""

from __future__ import annotations

from typing import NamedTuple


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


class Grammar(NamedTuple):
    """Node types of one language, by what they mean for its measures."""

    functions: frozenset[str]
    lambdas: frozenset[str]
    """Functions without a name: they count for the one around them, and nest."""
    ifs: frozenset[str]
    elifs: frozenset[str]
    """Branches that go on from an `if` as nodes of their own."""
    elses: frozenset[str]
    loops: frozenset[str]
    catches: frozenset[str]
    switches: frozenset[str]
    cases: frozenset[str]
    ternaries: frozenset[str]
    logic: frozenset[str]
    """Nodes of two operands that may be joined by and, or."""
    filters: frozenset[str] = frozenset()
    """Further decisions: conditions and loops of comprehensions, guards."""
    parameters: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset(("self", "cls", "self_parameter", "receiver_parameter"))


_C = Grammar(
    functions=_set("function_definition"),
    lambdas=_set("lambda_expression"),
    ifs=_set("if_statement"),
    elifs=frozenset(),
    elses=_set("else_clause"),
    loops=_set("for_statement while_statement do_statement for_range_loop"),
    catches=_set("catch_clause seh_except_clause"),
    switches=_set("switch_statement"),
    cases=_set("case_statement"),
    ternaries=_set("conditional_expression"),
    logic=_set("binary_expression"),
    parameters=_set("parameter_list"),
)
_SCRIPT = Grammar(
    functions=_set("function_declaration generator_function_declaration method_definition"),
    lambdas=_set("arrow_function function_expression generator_function"),
    ifs=_set("if_statement"),
    elifs=frozenset(),
    elses=_set("else_clause"),
    loops=_set("for_statement for_in_statement while_statement do_statement"),
    catches=_set("catch_clause"),
    switches=_set("switch_statement"),
    cases=_set("switch_case"),
    ternaries=_set("ternary_expression"),
    logic=_set("binary_expression"),
    parameters=_set("formal_parameters"),
)
GRAMMARS: dict[str, Grammar] = {
    "python": Grammar(
        functions=_set("function_definition"),
        lambdas=_set("lambda"),
        ifs=_set("if_statement"),
        elifs=_set("elif_clause"),
        elses=_set("else_clause"),
        loops=_set("for_statement while_statement"),
        catches=_set("except_clause except_group_clause"),
        switches=_set("match_statement"),
        cases=_set("case_clause"),
        ternaries=_set("conditional_expression"),
        logic=_set("boolean_operator"),
        filters=_set("if_clause for_in_clause"),
        parameters=_set("parameters"),
    ),
    "javascript": _SCRIPT,
    "jsx": _SCRIPT,
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
    "go": Grammar(
        functions=_set("function_declaration method_declaration"),
        lambdas=_set("func_literal"),
        ifs=_set("if_statement"),
        elifs=frozenset(),
        elses=frozenset(),
        loops=_set("for_statement"),
        catches=frozenset(),
        switches=_set("expression_switch_statement type_switch_statement select_statement"),
        cases=_set("expression_case type_case communication_case"),
        ternaries=frozenset(),
        logic=_set("binary_expression"),
        parameters=_set("parameter_list"),
    ),
    "java": Grammar(
        functions=_set("method_declaration constructor_declaration compact_constructor_declaration"),
        lambdas=_set("lambda_expression"),
        ifs=_set("if_statement"),
        elifs=frozenset(),
        elses=frozenset(),
        loops=_set("for_statement enhanced_for_statement while_statement do_statement"),
        catches=_set("catch_clause"),
        switches=_set("switch_expression switch_statement"),
        cases=_set("switch_label"),
        ternaries=_set("ternary_expression"),
        logic=_set("binary_expression"),
        parameters=_set("formal_parameters"),
    ),
    "kotlin": Grammar(
        functions=_set("function_declaration secondary_constructor"),
        lambdas=_set("lambda_literal anonymous_function"),
        ifs=_set("if_expression"),
        elifs=frozenset(),
        elses=frozenset(),
        loops=_set("for_statement while_statement do_while_statement"),
        catches=_set("catch_block"),
        switches=_set("when_expression"),
        cases=_set("when_entry"),
        ternaries=frozenset(),
        logic=_set("binary_expression"),
        parameters=_set("function_value_parameters"),
    ),
    "scala": Grammar(
        functions=_set("function_definition"),
        lambdas=_set("lambda_expression"),
        ifs=_set("if_expression"),
        elifs=frozenset(),
        elses=frozenset(),
        loops=_set("for_expression while_expression do_while_expression"),
        catches=_set("catch_clause"),
        switches=_set("match_expression"),
        cases=_set("case_clause"),
        ternaries=frozenset(),
        logic=_set("infix_expression"),
        parameters=_set("parameters"),
    ),
    "ruby": Grammar(
        functions=_set("method singleton_method"),
        lambdas=_set("block do_block lambda"),
        ifs=_set("if unless if_modifier unless_modifier"),
        elifs=_set("elsif"),
        elses=_set("else"),
        loops=_set("while until for while_modifier until_modifier"),
        catches=_set("rescue rescue_modifier"),
        switches=_set("case case_match"),
        cases=_set("when in_clause"),
        ternaries=_set("conditional"),
        logic=_set("binary"),
        parameters=_set("method_parameters"),
    ),
    "php": Grammar(
        functions=_set("function_definition method_declaration"),
        lambdas=_set("anonymous_function arrow_function"),
        ifs=_set("if_statement"),
        elifs=_set("else_if_clause"),
        elses=_set("else_clause"),
        loops=_set("for_statement foreach_statement while_statement do_statement"),
        catches=_set("catch_clause"),
        switches=_set("switch_statement match_expression"),
        cases=_set("case_statement match_conditional_expression"),
        ternaries=_set("conditional_expression"),
        logic=_set("binary_expression"),
        parameters=_set("formal_parameters"),
    ),
    "csharp": Grammar(
        functions=_set("method_declaration constructor_declaration local_function_statement operator_declaration"),
        lambdas=_set("lambda_expression anonymous_method_expression"),
        ifs=_set("if_statement"),
        elifs=frozenset(),
        elses=frozenset(),
        loops=_set("for_statement foreach_statement while_statement do_statement"),
        catches=_set("catch_clause"),
        switches=_set("switch_statement switch_expression"),
        cases=_set("switch_section switch_expression_arm"),
        ternaries=_set("conditional_expression"),
        logic=_set("binary_expression"),
        parameters=_set("parameter_list"),
    ),
    "rust": Grammar(
        functions=_set("function_item"),
        lambdas=_set("closure_expression"),
        ifs=_set("if_expression"),
        elifs=frozenset(),
        elses=_set("else_clause"),
        loops=_set("for_expression while_expression loop_expression"),
        catches=frozenset(),
        switches=_set("match_expression"),
        cases=_set("match_arm"),
        ternaries=frozenset(),
        logic=_set("binary_expression"),
        parameters=_set("parameters"),
    ),
    "c": _C,
    "cpp": _C,
    "shell": Grammar(
        functions=_set("function_definition"),
        lambdas=frozenset(),
        ifs=_set("if_statement"),
        elifs=_set("elif_clause"),
        elses=_set("else_clause"),
        loops=_set("for_statement while_statement c_style_for_statement"),
        catches=frozenset(),
        switches=_set("case_statement"),
        cases=_set("case_item"),
        ternaries=_set("ternary_expression"),
        logic=_set("list binary_expression"),
    ),
}
LOGIC = _set("&& || and or ??")
"""Operators that decide whether their right side runs."""
