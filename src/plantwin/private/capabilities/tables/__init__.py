"""Data in rows and columns: reading it, describing it, checking it, setting two of it side by side."""
