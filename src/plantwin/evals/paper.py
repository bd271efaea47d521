"""The paper's own figures, to stand beside ours: 19 configurations, 60 tasks of the paper's, not of this suite."""

from __future__ import annotations

from typing import Final, NamedTuple


class Row(NamedTuple):
    """One line of the paper's main table."""

    name: str
    planner: str
    """As the command line names it."""
    mode: str
    domains: tuple[float, ...]
    """PQS in the order of the table's ten domains."""
    pqs: float
    precision: float
    snd: float
    nl: float
    seconds: float
    """Median latency of a task, with that machine and network."""


_KIMI, _GEMINI = "openrouter:moonshotai/kimi-k2.5", "openrouter:google/gemini-3-flash-preview"
_MINIMAX, _GLM = "openrouter:minimax/minimax-m2.5", "openrouter:z-ai/glm-5"
_FALLBACK = (0.10, 0.50, 0.50, 0.12, 0.38, 0.50, 0.17, 0.33, 0.17, 0.17)

# fmt: off
ROWS: Final = (
    Row("raw + Kimi K2.5", _KIMI, "raw", (0.77, 0.77, 0.67, 0.81, 0.85, 0.80, 0.93, 0.84, 0.93, 0.98), 0.843, 0.831, 0.000, 1.000, 66.8),
    Row("redacted + Kimi K2.5", _KIMI, "redacted", (0.85, 0.80, 0.75, 0.88, 0.93, 0.93, 0.89, 0.88, 0.88, 1.00), 0.887, 0.886, 0.835, 0.165, 75.2),
    Row("twin + Kimi K2.5", _KIMI, "twin", (0.79, 0.80, 0.68, 0.72, 1.00, 0.74, 0.79, 0.67, 0.90, 0.91), 0.808, 0.776, 1.000, 0.617, 119.6),
    Row("raw + Gemini 3 Flash", _GEMINI, "raw", (0.81, 0.40, 0.67, 0.90, 0.95, 0.88, 0.87, 0.78, 0.91, 1.00), 0.832, 0.833, 0.000, 1.000, 14.4),
    Row("redacted + Gemini 3 Flash", _GEMINI, "redacted", (0.89, 0.40, 0.71, 0.95, 0.89, 0.91, 1.00, 0.90, 0.83, 0.95), 0.861, 0.848, 0.835, 0.165, 19.3),
    Row("twin + Gemini 3 Flash", _GEMINI, "twin", (0.71, 0.68, 0.57, 0.72, 0.93, 0.48, 0.68, 0.70, 0.66, 0.77), 0.689, 0.604, 1.000, 0.582, 45.2),
    Row("raw + MiniMax M2.5", _MINIMAX, "raw", (0.79, 0.65, 0.67, 0.76, 0.83, 0.77, 0.87, 0.78, 0.95, 0.89), 0.802, 0.761, 0.000, 1.000, 16.6),
    Row("redacted + MiniMax M2.5", _MINIMAX, "redacted", (0.65, 0.75, 0.73, 0.77, 0.78, 0.79, 0.87, 0.75, 0.91, 0.83), 0.788, 0.747, 0.835, 0.165, 15.3),
    Row("twin + MiniMax M2.5", _MINIMAX, "twin", (0.75, 0.69, 0.67, 0.83, 1.00, 0.70, 0.86, 0.73, 0.72, 0.81), 0.792, 0.799, 1.000, 0.590, 56.1),
    Row("raw + GLM 5", _GLM, "raw", (0.77, 0.40, 0.60, 0.89, 0.90, 0.87, 1.00, 0.90, 0.82, 0.98), 0.834, 0.845, 0.000, 1.000, 28.4),
    Row("redacted + GLM 5", _GLM, "redacted", (0.77, 0.40, 0.67, 0.94, 0.95, 0.95, 1.00, 0.93, 0.78, 0.94), 0.855, 0.872, 0.835, 0.165, 48.0),
    Row("twin + GLM 5", _GLM, "twin", (0.81, 0.75, 0.64, 0.72, 0.98, 0.80, 0.87, 0.67, 0.93, 0.83), 0.810, 0.765, 1.000, 0.615, 63.3),
    Row("local + SmolLM2-360M", "ollama:smollm2:360m", "local", _FALLBACK, 0.283, 0.567, 1.000, 0.000, 5.2),
    Row("local + Qwen 3.5-0.8B", "ollama:qwen3.5:0.8b", "local", _FALLBACK, 0.283, 0.567, 1.000, 0.000, 2.9),
    Row("local + Gemma-3-1B", "ollama:gemma3:1b", "local", (0.55, 0.86, 0.50, 0.54, 0.60, 0.57, 0.55, 0.55, 0.55, 0.44), 0.567, 0.559, 1.000, 0.000, 14.3),
    Row("local + Qwen 3.5-2B", "ollama:qwen3.5:2b", "local", _FALLBACK, 0.283, 0.567, 1.000, 0.000, 6.7),
    Row("local + Qwen 3.5-4B", "ollama:qwen3.5:4b", "local", (0.27, 0.40, 0.50, 0.46, 0.58, 0.50, 0.52, 0.70, 0.54, 0.30), 0.484, 0.656, 1.000, 0.000, 126.1),
    Row("local + Qwen 3.5-9B", "ollama:qwen3.5:9b", "local", (0.10, 0.50, 0.86, 0.12, 0.64, 0.93, 0.73, 0.50, 0.45, 0.60), 0.531, 0.642, 1.000, 0.000, 159.8),
    Row("twin + heuristic", "heuristic", "twin", (0.53, 0.50, 0.50, 0.78, 0.90, 0.70, 0.59, 0.54, 0.43, 0.84), 0.653, 0.782, 1.000, 0.558, 0.1),
)
"""The nineteen configurations."""
# fmt: on

ABLATION: Final = {"full": 0.773, "no-redaction": 0.790, "no-generalize": 0.775, "extract-schema": 0.788}
BUDGET: Final = {
    0.25: (0.513, None),
    0.5: (0.639, None),
    0.75: (0.801, 0.777),
    1.0: (0.801, 0.626),
    1.5: (0.783, 0.466),
}
"""PQS and NL by scale, as far as the text states them."""
MULTITURN: Final = {"single": (0.773, 0.611), "multi": (0.767, 1.0)}
MULTITURN_EXCLUDED: Final = 8
REIDENTIFICATION: Final = {"random": 0.066, "kind": 0.335, "kind+class": 0.786, "full": 0.941}
"""Accuracy at k = 15 without a budget."""
SCALING: Final = {
    "random": {5: 0.193, 30: 0.043}, "kind": {5: 0.631, 30: 0.197}, "kind+class": {5: 0.941, 30: 0.633}, "full": {30: 0.883},
}  # fmt: skip


def row(planner: str, mode: str) -> Row | None:
    """The paper's line for a planner and a mode, where there is one."""
    return next((each for each in ROWS if each.planner == planner and each.mode == mode), None)
