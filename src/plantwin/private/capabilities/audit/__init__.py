"""Looking for weaknesses: readers by format, each yielding issues with their lines."""
