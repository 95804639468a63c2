"""The tuning matrix: privacy beside utility for five ways of tuning, with and without differential privacy (PrivLM-Bench)."""
