"""Running the tests of a folder on a copy of it."""
