"""Tables that people hand in: rows, what their columns mean, and what is said of single rows."""
