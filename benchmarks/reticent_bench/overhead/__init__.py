"""What the guard adds to a token, in parts; `python -m reticent_bench.overhead` runs it."""
