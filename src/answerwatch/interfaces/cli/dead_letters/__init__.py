"""Dead letters: what was given up."""
