"""Records of files: what a format of answers is, all of them in order, and what they share."""
