"""Optimises the attacker's query (ContextLeak, section 4.2 and appendix A.7), on runs of its own.

Three sets of runs share no context: on the first a query is searched for, on the second a threshold is set, and on the
third the accuracy is measured.
"""
