"""The guard around a model: what it stops and lets pass, beside other guards, tier by tier and with a records index."""
