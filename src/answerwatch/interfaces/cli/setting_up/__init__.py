"""Setting up: the workspace itself, its settings and its database."""
