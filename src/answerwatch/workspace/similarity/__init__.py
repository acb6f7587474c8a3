"""Similarity jobs of a workspace: hand in, follow, look at results."""
