"""Questions as people type them, asked at the command line and scored.

questions     the suite: data, read and checked
trees         folders that are on any machine after the test set-up
asking        one question, as a person would ask it
scoring       what an answer is worth
"""
