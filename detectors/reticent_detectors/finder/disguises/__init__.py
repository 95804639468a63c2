"""Values with a form that are written another way, read as plain text with a map back."""
