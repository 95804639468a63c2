"""Audits of a language model: what it gives away about the people in its training data, its prompt or its code.

Each audit implements a paper. All share targets, budgets, an attempt log, intervals and a report.
"""
