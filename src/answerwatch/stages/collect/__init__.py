"""Collection: a sub-task is asked once at a time, and its answer is kept before anything else happens."""
