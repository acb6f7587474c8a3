"""Samples: answers as they were received, and importing answers collected elsewhere."""
