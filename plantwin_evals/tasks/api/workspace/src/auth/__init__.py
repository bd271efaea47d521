"""The auth of the partner interface."""
