"""Accuracy of the reader on labelled answers: `records` says what is counted, `scoring` counts it."""
