"""Scores values while a model runs: from features, on a CPU or a GPU, or from hidden states."""
