"""Scorers that need a model or a server: embedded ones, ONNX folders, HTTP. Each is found by name in `registry`."""
