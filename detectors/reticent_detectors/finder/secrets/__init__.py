"""Keys and tokens, passwords, PINs, user names."""
