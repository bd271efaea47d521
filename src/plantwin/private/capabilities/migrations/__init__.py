"""Schema changes: what they do, read out of SQL and of the tools that write it, and what can go wrong."""
