"""Ways in: command line (and later HTTP and pages). They parse, call the workspace and show; nothing else."""
