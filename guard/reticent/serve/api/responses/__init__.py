"""The format of `/v1/responses`: its requests, its fields, its answers, and what the client has seen of them."""
