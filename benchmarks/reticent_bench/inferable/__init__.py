"""Which rule tells inferable values from memorised ones, on a copy of which the truth is known."""
