"""The version, which the builds read from here."""

__version__ = "0.2.0"
