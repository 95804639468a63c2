"""Guards an OpenAI-compatible server: a proxy that judges every text before a client gets it.

The folders `api`, `judging` and `stream` are synchronous, without clock and I/O. Bytes and the time go in, bytes come
out. `transport` and `app` move the bytes. Nothing here imports torch or transformers.
"""
