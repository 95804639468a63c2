"""What the words around a position say of it: announcements, the question, formats and lists of data."""
