"""Defines the format of `/v1/messages`: its requests, its answers, and the client's view of them."""
