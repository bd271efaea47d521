"""The routes of the partner interface."""
