"""Similarity jobs: hand in, follow, results."""
