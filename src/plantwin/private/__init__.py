"""SEES X. Reads the real environment; never imports `cloud`, never opens a socket."""
