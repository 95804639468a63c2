"""Computes a detector's inputs: features of a value's states, the prompt's cue, and the name swap."""
