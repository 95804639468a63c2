"""Makes synthetic people, and prompts that ask for their data."""
