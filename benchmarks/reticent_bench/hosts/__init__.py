"""What a taught host has learned, for one host and for several side by side."""
