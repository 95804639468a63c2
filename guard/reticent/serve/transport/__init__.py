"""Moves the proxy's bytes: sockets, threads, requests, exchanges, upstream servers and scheduling."""
