"""How a database is reached: opening, its versions and revision, and its faults as errors of ours."""
