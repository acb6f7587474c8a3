"""Running: workers, and work that is followed to its end."""
