"""The HTTP interface: similarity jobs, progress of batches, health, metrics and its own documentation."""
