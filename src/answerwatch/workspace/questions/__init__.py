"""The question bank, and importing questions."""
