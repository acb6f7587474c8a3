"""What was answered: samples, imported answers and what they cite."""
