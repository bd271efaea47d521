"""The objects of a folder as a graph of what uses what."""
