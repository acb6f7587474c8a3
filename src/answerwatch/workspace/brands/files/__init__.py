"""The lexicon in files that people edit: what a row says, what rows change, and how they are written."""
