"""Networks and scores that tell memorised values from others, and how they are trained, calibrated and taken together."""
