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


class Latency(NamedTuple):
    """One line of the paper's table of overhead: mean seconds of a task. What is under 0.1 is written as 0.1."""

    projection: float | None
    """Twin construction with its local model; redaction in its mode."""
    planner: float | None
    domains: tuple[float, ...]
    """Everything together, by domain. The median over tasks is in `ROWS`."""


# fmt: off
OVERHEAD: Final = {
    "raw + Kimi K2.5": Latency(None, 53.0, (67.9, 101.5, 52.7, 88.0, 105.4, 111.2, 95.4, 48.4, 248.2, 137.9)),
    "redacted + Kimi K2.5": Latency(0.1, 79.1, (92.3, 60.1, 34.9, 73.7, 92.4, 102.4, 42.6, 306.7, 109.6, 332.5)),
    "twin + Kimi K2.5": Latency(13.3, 81.2, (204.2, 135.2, 264.8, 65.5, 66.7, 112.4, 303.8, 377.0, 115.9, 103.2)),
    "raw + Gemini 3 Flash": Latency(None, 6.5, (17.8, 11.5, 12.9, 13.6, 12.2, 19.9, 19.3, 15.5, 17.1, 13.4)),
    "redacted + Gemini 3 Flash": Latency(0.1, 8.5, (23.0, 12.8, 19.1, 14.9, 18.8, 28.8, 16.3, 17.6, 23.7, 27.4)),
    "twin + Gemini 3 Flash": Latency(25.0, 8.9, (43.0, 34.2, 41.4, 54.6, 42.1, 65.4, 52.3, 31.7, 52.5, 46.4)),
    "raw + MiniMax M2.5": Latency(None, 28.6, (14.1, 19.9, 30.5, 16.5, 95.9, 15.8, 17.0, 9.7, 20.0, 24.7)),
    "redacted + MiniMax M2.5": Latency(0.1, 44.8, (29.4, 135.0, 22.6, 28.8, 30.4, 16.0, 16.7, 115.4, 13.9, 55.3)),
    "twin + MiniMax M2.5": Latency(34.3, 19.3, (40.1, 36.6, 37.0, 61.6, 56.2, 69.0, 64.3, 42.6, 64.3, 50.1)),
    "raw + GLM 5": Latency(None, 44.9, (44.9, 17.3, 34.0, 23.1, 28.2, 32.9, 43.3, 41.1, 34.4, 154.2)),
    "redacted + GLM 5": Latency(0.1, 66.6, (44.0, 36.7, 44.5, 48.6, 53.4, 61.3, 43.3, 72.2, 206.5, 49.9)),
    "twin + GLM 5": Latency(33.4, 32.1, (46.0, 34.6, 38.0, 70.2, 60.8, 102.3, 67.6, 49.5, 91.6, 77.4)),
    "local + SmolLM2-360M": Latency(None, 12.3, (9.7, 0.7, 3.1, 28.9, 1.9, 2.8, 5.7, 32.5, 33.4, 4.6)),
    "local + Qwen 3.5-0.8B": Latency(None, 3.6, (6.1, 2.6, 2.8, 4.4, 2.8, 2.8, 5.6, 2.9, 2.9, 2.9)),
    "local + Gemma-3-1B": Latency(None, 15.1, (18.9, 11.8, 17.2, 17.5, 13.4, 14.0, 15.8, 14.3, 14.2, 13.7)),
    "local + Qwen 3.5-2B": Latency(None, 15.6, (8.8, 1.9, 2.1, 49.1, 4.9, 12.0, 8.2, 61.8, 5.1, 2.2)),
    "local + Qwen 3.5-4B": Latency(None, 142.3, (179.4, 22.8, 234.9, 171.2, 93.3, 234.3, 117.7, 126.7, 125.4, 117.6)),
    "local + Qwen 3.5-9B": Latency(None, 137.6, (42.7, 34.9, 226.8, 80.7, 177.6, 228.1, 192.8, 73.0, 151.1, 168.5)),
    "twin + heuristic": Latency(0.1, None, (0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1)),
}
"""By configuration."""
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
REIDENTIFICATION: Final = {"random": 0.066, "kind": 0.335, "kind+class": 0.786, "full": 0.941}
"""Accuracy at k = 15 without a budget."""


def row(planner: str, mode: str) -> Row | None:
    """The paper's line for a planner and a mode, where there is one."""
    return next((each for each in ROWS if each.planner == planner and each.mode == mode), None)
