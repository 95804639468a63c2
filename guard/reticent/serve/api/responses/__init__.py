"""The dialect of `/v1/responses`: its routes, its fields, what came and what the client has seen."""
