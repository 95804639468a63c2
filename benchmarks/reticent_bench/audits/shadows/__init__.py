"""LiRA on text classifiers from end to end: shadow models, their confidences, and the figures of the attack."""
