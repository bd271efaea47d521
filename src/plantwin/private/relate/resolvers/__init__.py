"""One resolver per way of referring: each turns a target, as written, into positions."""
