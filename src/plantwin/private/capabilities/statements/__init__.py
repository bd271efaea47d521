"""SQL: statements with their lines, parsed where they parse, and what can be said of them."""
