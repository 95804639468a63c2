"""The tuning matrix (PrivLM-Bench): privacy beside utility for five ways of tuning.

Each way is measured with and without differential privacy.
"""
