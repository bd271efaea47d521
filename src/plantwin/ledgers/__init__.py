"""The databases that hold a ledger: a file, a team's PostgreSQL, and one that only looks ahead; and verification."""
