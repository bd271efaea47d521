"""A small language model inside this process, for private text. It has no socket, and what it says is an opinion."""
