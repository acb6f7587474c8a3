"""What is asked and whom it is about: questions, brands, lexicons, and names waiting for a decision."""
