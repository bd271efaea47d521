"""Attacks on our own promises, carried out for real, with a scoreboard.

python -m benchmarks.redteam [--short] [--only NAME] [--json]

Each attack is a module with a function `attack(base, short)` that returns one `Score` or several. A success is a broken
promise. Every module states what the attacker wants, and checks with a control that it would notice getting it.
"""
