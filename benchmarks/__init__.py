"""Measurements of speed; each prints its figure beside the target that it is held against."""
