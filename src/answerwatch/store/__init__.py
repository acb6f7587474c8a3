"""What is remembered: tables, the ledger, units of work and objects; SQL lives here and nowhere else."""
