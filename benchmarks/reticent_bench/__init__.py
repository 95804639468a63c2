"""Measurements: how well hosts remember, detectors detect, and guards guard; each figure with its command."""
