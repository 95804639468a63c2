"""Pre-trained models and copies of them: public facts, ordinary answers, and attacks on a guard with a base."""
