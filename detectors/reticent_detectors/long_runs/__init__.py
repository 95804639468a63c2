"""Shows progress of long commands, decides when they save, and prints the estimate of `--plan`."""
