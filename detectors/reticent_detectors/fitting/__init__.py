"""Trains detectors on several hosts and fits them to another one."""
