"""The dialect of `/v1/messages`: its routes, what came and what the client has seen."""
