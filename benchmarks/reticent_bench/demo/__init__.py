"""What the demonstrations ship: their questions and the taught adapter."""
