"""`answerwatch serve`."""
