"""Detectors on held-out rows: tables, curves, baselines and calibrated rates."""
