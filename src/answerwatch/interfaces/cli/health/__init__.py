"""Health: whether everything works, for people and for what watches over a worker."""
