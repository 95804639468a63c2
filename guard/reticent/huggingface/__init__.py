"""Guards a transformers model: its generation, its answers, and the scoring of their spans."""
