"""`python -m reticent_bench.lens`."""

from reticent_bench.lens.run import main

main()
