"""How each provider wants a request put, and how it answers: one file each."""
