"""The same settings in several environments, side by side."""
