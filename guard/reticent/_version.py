"""Holds the version, which the build reads from here."""

__version__ = "0.1.0"
