"""Formats of answers, a module each."""
