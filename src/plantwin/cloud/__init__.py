"""SEES ONLY ENCODED Z: the one door to a planner."""
