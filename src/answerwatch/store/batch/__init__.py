"""What was ordered: batches and their moves, sub-tasks, attempts, calls and counters."""
