"""Audit of embedding inversion: can an attacker read a text, or the values in it, from a vector that represents it?

`audit` trains a decoder on texts of some people and inverts vectors of others. Vectors come from a file, from a model's
hidden states, or from what the guard itself exposes or keeps.
Papers: "Sentence Embedding Leaks More Information than You Expect" (Li et al. 2023), and "PrivLM-Bench" (appendix B.3).
"""
