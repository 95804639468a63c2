"""Observes finished answers, for metrics and for the log of decisions."""
