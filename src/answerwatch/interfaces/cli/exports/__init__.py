"""Exports: rows as files."""
