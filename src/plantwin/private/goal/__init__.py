"""The goal gate: what of a person's sentence may cross, in each of its modes.

words         what becomes of one word
clauses       stretches that never cross as words: quotations, addresses, numbers in words
credentials   secrets that are spelled in ordinary words
projection    the sentence, token by token
"""

from plantwin.private.goal.clauses import Span
from plantwin.private.goal.projection import MAX_GOAL, Piece, project, tokens, unsecret
from plantwin.private.goal.words import Why

__all__ = ["MAX_GOAL", "Piece", "Span", "Why", "project", "tokens", "unsecret"]
