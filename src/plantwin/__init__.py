"""PlanTwin: plan work over a private folder that the planner never sees."""
