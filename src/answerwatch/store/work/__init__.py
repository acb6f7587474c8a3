"""The ledger: claiming, leases, fences, lanes, workers and upkeep, one statement a step."""
