"""Batches: what is asked, in how many rounds, and how far it is."""
