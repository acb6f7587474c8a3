"""Definitions of every published figure, their intervals and the precision of a plan: pure arithmetic on rows."""
