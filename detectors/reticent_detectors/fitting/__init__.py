"""Detectors of several hosts, and what fits them to another one."""
