"""Brands: their names, and the phrases that are not them."""
