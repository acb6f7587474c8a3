"""Formats of answers that people hold, one module each, and the table of them."""
