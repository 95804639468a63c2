"""Optimises the attacker's query (ContextLeak, section 4.2 and appendix A.7), on runs of its own.

Three sets of runs share no context. The first serves the search for a query, the second sets a threshold, and the
third measures the accuracy.
"""
