"""Numbers of cards, accounts, people and authorities, phones, and dates."""
