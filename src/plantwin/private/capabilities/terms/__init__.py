"""What texts, settings and schemas demand: duties, limits, dates, and where two of them disagree."""
