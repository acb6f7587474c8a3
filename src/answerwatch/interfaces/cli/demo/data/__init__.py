"""Question bank, lexicon and script of the demo: data only, all names invented."""
