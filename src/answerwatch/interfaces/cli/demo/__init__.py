"""The demo: the whole product once."""
