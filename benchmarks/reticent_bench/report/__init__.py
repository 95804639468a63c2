"""What every measurement shares: files of results, metrics, and parts that a long run takes up again."""
