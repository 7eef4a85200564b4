"""S2, PS2 and STDI on skewed data: the study of seed 001 drawn again."""
