"""Samples: raw answers."""
