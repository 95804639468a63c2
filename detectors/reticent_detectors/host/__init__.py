"""Loads models, and makes such that memorise people: trains a small one from scratch, or teaches one that is there."""
