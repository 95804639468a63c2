"""Trains, calibrates and combines the networks and scores that tell memorised values from others."""
