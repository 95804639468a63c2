"""The API formats that the proxy reads and writes: where their texts are, their events, errors and routes."""
