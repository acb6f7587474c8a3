"""Commands that measure the reader on labelled rows."""
