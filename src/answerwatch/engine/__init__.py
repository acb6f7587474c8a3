"""Runs stages over the ledger: claims, slots, leases, limits and the finishing transaction."""
