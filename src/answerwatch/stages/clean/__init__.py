"""Cleaning: a raw answer goes through validation and extraction, and every move is written down."""
