"""Incidents: entries of logs, what they say, how often, in which order, and where they came from."""
