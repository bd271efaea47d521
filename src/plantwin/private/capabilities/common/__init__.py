"""What capabilities share: reading inputs, wording results."""
