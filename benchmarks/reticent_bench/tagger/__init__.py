"""Train what reads a text for values that no form shows: a small multilingual encoder that tags words."""
