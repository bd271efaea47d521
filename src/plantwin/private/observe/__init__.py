"""Walks a folder and reads its files, safely and once."""
