"""Answers as they come: frames that wait for their parts, leave in order, and are written anew if something changed."""
