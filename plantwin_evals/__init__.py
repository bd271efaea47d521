"""Measurements of what PlanTwin does, next to others who do the same."""
