"""Compare two finders on texts that no finder has been measured on."""
