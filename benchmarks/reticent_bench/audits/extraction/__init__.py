"""Extraction: how strongly a model memorised canaries of its training data (PrivLM-Bench, appendix B.2)."""
