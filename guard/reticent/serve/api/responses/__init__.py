"""Defines the format of `/v1/responses`: its requests, fields and answers, and the client's view of them."""
