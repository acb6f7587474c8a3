"""What the operator sees and decides: alerts, audit entries, dead letters and shared numbers."""
