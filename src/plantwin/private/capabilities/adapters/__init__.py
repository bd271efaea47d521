"""The field's own tools behind one seam: which there are, where they are, how they run, what they report.

`engines.toml` is the table; `installed` finds them; `process` runs one inside the worker's sandbox, over copies of its
inputs; `programs` reads the answers; `examine` weighs them by `severities.toml` and joins them with our own rules. An
engine that is absent costs what the report then says was not covered.
"""
