"""`answerwatch keys`."""
