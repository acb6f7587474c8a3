"""Batches: planned, run and looked after."""
