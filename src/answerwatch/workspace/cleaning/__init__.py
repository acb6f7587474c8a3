"""Cleaning: running it, following it, and explaining what came of one answer."""
