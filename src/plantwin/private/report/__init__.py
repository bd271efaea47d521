"""Y: the local report of a session, and the words and documents in it. Never sent."""
