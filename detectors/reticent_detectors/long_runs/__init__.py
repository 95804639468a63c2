"""What long commands share: their lines, when they save, and what `--plan` says."""
