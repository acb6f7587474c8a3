"""Figures of one brand, and the rows that they rest on."""
