"""Serves a page to try the model in this process at: what it says, and what was decided about each value."""
