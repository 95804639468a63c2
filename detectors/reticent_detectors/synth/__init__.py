"""Synthetic people, the ways to ask for what is theirs, and the labels of what a host answers."""
