"""Observers, metrics, and the log of decisions."""
