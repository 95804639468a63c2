"""Collects training data: asks a host, labels the values in its answers, and stores their features in shards."""
