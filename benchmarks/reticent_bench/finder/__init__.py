"""The span finder on labelled, made-up and harmless texts: what it finds, beside Presidio, and how fast."""
