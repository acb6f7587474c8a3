"""A fake server of embeddings and scores, with the protocols, limits, refusals and faults of real ones."""
