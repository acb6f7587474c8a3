"""JSON of vendors: what a format of answers is, and what formats share; it knows none of them by name."""
