"""Inputs of measures, made from a case and the scoring options: partitions, covers, trees, result lists, points."""
