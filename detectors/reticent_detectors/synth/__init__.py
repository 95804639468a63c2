"""Makes synthetic people, prompts that ask for their data, and labels of a host's answers."""
