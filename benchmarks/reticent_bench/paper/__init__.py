"""PrivacyXray's evaluation (its section 6) on our hosts, beside the published numbers.

Compares our detector, the paper's re-implemented, and every baseline.
"""
