"""The guard around a transformers model: its generation, the answers that it gives, and what is scored at a time."""
