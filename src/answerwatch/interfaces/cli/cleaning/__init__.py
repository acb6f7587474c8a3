"""Cleaning: what is read from answers."""
