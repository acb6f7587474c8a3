"""Files that people hand in and are given: rows, what their columns mean, what is said of single rows."""
