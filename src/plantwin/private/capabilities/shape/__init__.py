"""What objects and results look like: summaries and comparisons."""
