"""What judges a value while a model runs: a bundle, on a processor or a GPU, or a value of which the states are at hand."""
