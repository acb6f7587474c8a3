"""Rows as they are exported: which kinds there are with their columns, and how they are read."""
