"""Partner interface."""
