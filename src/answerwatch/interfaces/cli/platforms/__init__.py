"""Platforms: what can be asked."""
