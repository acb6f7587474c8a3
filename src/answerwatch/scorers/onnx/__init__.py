"""Scorers of kind `onnx`: a local folder with a BERT-like model, run by onnxruntime, as vectors or as a judge of pairs.

`kind` makes scorers of settings, `converting` writes such folders. No torch is needed: weights are read by `weights`,
and `graph` writes the model as an ONNX graph.
"""
