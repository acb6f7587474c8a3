"""Running work: the engine in this process, several worker processes, and how both are asked to stop."""
