"""What training is made of: questions to a host, labelled values of its answers, and their features in shards."""
