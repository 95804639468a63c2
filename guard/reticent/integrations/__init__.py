"""Puts the guard into other gateways. Each module needs the library that it is named after."""
