"""Stage 1: what each object is, from evidence."""
