"""The goal gate: what of a person's sentence may cross, in each of its modes.

reading       other languages as English, misspelt words as those that are meant
questions     several questions in one sentence, each by itself
words         what becomes of one word
clauses       stretches that never cross as words: quotations, addresses, numbers in words
credentials   secrets that are spelled in ordinary words
projection    the sentence, token by token
"""

from plantwin.private.goal.projection import MAX_GOAL, Piece, Span, project, tokens, unsecret
from plantwin.private.goal.questions import questions
from plantwin.private.goal.reading import read
from plantwin.private.goal.words import Why

__all__ = ["MAX_GOAL", "Piece", "Span", "Why", "project", "questions", "read", "tokens", "unsecret"]
