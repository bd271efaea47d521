"""Python: the syntax tree with a small flow analysis, and bandit for what it knows well."""
