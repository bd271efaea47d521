"""The clients of the partner interface."""
