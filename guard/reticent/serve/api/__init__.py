"""Defines the API formats that the proxy reads and writes: places of texts, events and routes."""
