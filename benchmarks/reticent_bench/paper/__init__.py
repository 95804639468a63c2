"""PrivacyXray's evaluation (its section 6) on our hosts: our detector, the paper's re-implemented, every baseline, the published numbers."""
