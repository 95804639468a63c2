"""Charts and a page of all result files, and a picture of a terminal; no number comes from anywhere else."""
