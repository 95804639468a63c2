"""`python -m reticent_bench.overhead`."""

from reticent_bench.overhead.report import main

main()
