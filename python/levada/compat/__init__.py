"""Levada in the place of other runtimes."""
