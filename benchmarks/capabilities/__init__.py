"""Each capability measured on labelled files."""
