"""S2, PS2 and STDI on skewed data: a reproduction of the study of seed 001."""
