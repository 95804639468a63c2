"""Holds the sub-commands of `reticent`, one module each. `reticent.cli` says what such a module offers."""
