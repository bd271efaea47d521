"""What to show: the objects that a goal needs, ranked locally, and which of their fields it needs."""
