"""Values that are known by what announces them: words, fields, cells and tables."""
