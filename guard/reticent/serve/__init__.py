"""The sidecar: a proxy in front of an OpenAI-compatible server that judges every text before it leaves.

`sse`, `frames`, `channels`, `calls`, `fields`, `logprobs`, `chat`, `completions`, `guarded` are synchronous, without clock and
I/O: bytes and the time go in, bytes come out. `upstream`, `exchange` and `app` carry them. Neither torch nor
transformers is imported here.
"""
