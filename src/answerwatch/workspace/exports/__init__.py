"""Rows handed out as files: what is asked for, the file that appears whole or not at all, and a writer per format."""
