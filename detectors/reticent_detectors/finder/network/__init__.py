"""Addresses in networks, web addresses, and wallets."""
