"""The question bank."""
