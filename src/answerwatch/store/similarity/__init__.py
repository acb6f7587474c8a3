"""What similarity jobs compare and have found: jobs, texts, units, blocks, caches, thresholds."""
