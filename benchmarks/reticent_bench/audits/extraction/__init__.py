"""Extraction: how strongly a model memorised canaries that were put into its training data (PrivLM-Bench, appendix B.2)."""
