"""Compare finders, and a finder with its parts, on texts that no finder had been measured on."""
