"""The reading room: how one answer is read; pure, one entry `clean`."""
