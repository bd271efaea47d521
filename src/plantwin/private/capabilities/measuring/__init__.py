"""Measures of source code: how complex, how long, how often repeated."""
