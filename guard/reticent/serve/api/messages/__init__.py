"""The format of `/v1/messages`: its requests, its answers, and what the client has seen of them."""
