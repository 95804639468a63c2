"""What is said of a guard at work: observers, metrics, and the log of decisions."""
