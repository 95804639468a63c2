"""Sockets and threads of the proxy: requests, exchanges, upstream servers, and whose turn it is."""
