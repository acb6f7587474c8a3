"""Evaluation of the reader on labelled rows: `cells` and `rows` read the file, `predicting` asks the reader.

`verbs` brings both together with the counting of `figures.accuracy`, `views` is what comes out.
"""
