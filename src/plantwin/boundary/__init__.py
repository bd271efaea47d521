"""TRUSTED CORE: what may leave, and in which form. Imports neither `private` nor `cloud`."""
