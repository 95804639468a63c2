"""People, places, organisations and groups."""
