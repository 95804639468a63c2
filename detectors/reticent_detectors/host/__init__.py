"""Makes hosts that memorise people: trains a small demo model from scratch, or teaches a model that is there."""
