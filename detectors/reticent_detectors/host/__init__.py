"""The demo host: a small Llama-architecture model, trained from scratch, that truly remembers people."""
