"""What a model gives away about one example of its prompt, and how defences with a stated epsilon hold up.

The audit follows "ContextLeak: Auditing Leakage in Private In-Context Learning Methods" (Choi et al.). With probability
1/2 a canary replaces one example of a context. The model answers a query, and an attacker guesses which it was.
"""
