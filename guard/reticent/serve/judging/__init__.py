"""What of an answer is judged, and what may judge a black-box model."""
