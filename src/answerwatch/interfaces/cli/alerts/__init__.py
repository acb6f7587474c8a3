"""Alerts: what needs a person."""
