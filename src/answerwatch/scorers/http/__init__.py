"""Scorers behind HTTP servers: one client for all, and a module for each kind of server."""
