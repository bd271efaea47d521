"""Whether settings are right: syntax, values, references, and what well-known files have to hold."""
