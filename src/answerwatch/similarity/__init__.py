"""How alike texts are: scorers, plans, blocks of scores, calibration. Pure; what reaches outside is in `scorers`."""
