"""Decides about values, without a model, a clock, a file or a socket."""
