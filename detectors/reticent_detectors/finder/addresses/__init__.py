"""Street addresses."""
