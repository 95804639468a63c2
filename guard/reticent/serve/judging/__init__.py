"""Judges the parts of an answer, and defines detectors of black-box models."""
