"""Stage 2: secrets and identifiers, with their spans."""
