"""Carriers bring hints that there may be work; the ledger alone knows what the work is."""
