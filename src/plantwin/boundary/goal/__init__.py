"""The goal gate: what of a person's sentence may cross, in each of its modes.

words         what becomes of one word
clauses       stretches that never cross as words: quotations, passwords, addresses, numbers in words
projection    the sentence, token by token
spoken        which words of it an audience hears for the first time
"""

from plantwin.boundary.goal.clauses import Span
from plantwin.boundary.goal.projection import MAX_GOAL, Piece, project, tokens, unnamed, unsecret
from plantwin.boundary.goal.spoken import WORDS, spoken
from plantwin.boundary.goal.words import Why

__all__ = [
    "MAX_GOAL",
    "WORDS",
    "Piece",
    "Span",
    "Why",
    "project",
    "spoken",
    "tokens",
    "unnamed",
    "unsecret",
]
