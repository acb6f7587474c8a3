"""Reports: figures of a brand."""
