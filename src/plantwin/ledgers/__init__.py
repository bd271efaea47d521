"""Ledgers beside the default one: a team's in PostgreSQL, and one that only looks ahead."""
