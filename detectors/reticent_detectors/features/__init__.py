"""What a detector reads of a value: features of its states, how much the prompt gives away, and the same question about somebody else."""
