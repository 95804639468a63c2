"""The lens on a GPU: exactness, times, memory and rivals; `python -m reticent_bench.lens` runs it."""
