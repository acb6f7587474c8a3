"""How things are: what is going on, whether work can be done, and what is wrong with what is configured."""
