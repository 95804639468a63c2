"""The dialects of HTTP that the proxy speaks: where their texts stand, their events, errors and routes."""
