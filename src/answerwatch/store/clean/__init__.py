"""What was read in the answers: cleaning tasks, generations, results, matches and their explanations."""
