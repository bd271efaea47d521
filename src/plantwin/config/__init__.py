"""What the person sets: budgets, limits, planners and policies, read from their own files and checked whole.

settings.py       the configuration file
planners.py       its sections about planners
policies.py       which policy governs: one that ships, or the person's own
policy_text.py    a policy's text, statement by statement
policy_lint.py    advice on a policy
"""
