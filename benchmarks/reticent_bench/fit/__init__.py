"""Makes the bundle of a model in one command: teaches a copy, learns from it, fits the result to the model."""
